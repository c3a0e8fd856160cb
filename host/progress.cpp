// Drawing of progress; see progress.h.
#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <format>

#include "terminal.h"

namespace host {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;  // shorter work needs no bar
constexpr auto terminal_interval = 100ms;
constexpr auto line_interval = 5s;  // logs stay readable

std::string stage_name(uint32_t stage) {
  switch (stage) {
    case DBK_STAGE_CHECK:
      return "checking";
    case DBK_STAGE_PLAN:
      return "planning";
    case DBK_STAGE_WEIGHTS:
      return "loading weights";
    case DBK_STAGE_PIPELINES:
      return "building kernels";
    case DBK_STAGE_WARM_UP:
      return "warming up";
    case DBK_STAGE_TUNE:
      return "tuning";
    default:
      return "working";
  }
}

std::string bar(uint64_t done, uint64_t total) {
  constexpr std::size_t width = 30;
  const double part = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(part * width);
  return std::format("[{}{}] {:3.0f}%", std::string(filled, '#'), std::string(width - filled, '.'), part * 100);
}

}  // namespace

ProgressBar::ProgressBar(std::string label)
    : label_(std::move(label)),
      start_(std::chrono::steady_clock::now()),
      next_(start_ + patience),
      terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_ && terminal_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void ProgressBar::show(const std::string& stage, uint64_t done, uint64_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(terminal_interval) : std::chrono::milliseconds(line_interval));
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const std::string amount = total > 0 ? bar(done, total) + " " : done > 0 ? std::to_string(done) + " " : "";
  const std::string text = std::format("{}: {} {}{:.0f} s", label_, stage, amount, seconds);
  if (terminal_)
    std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(terminal_width(STDERR_FILENO)) - 1, text.c_str());
  else
    std::fprintf(stderr, "%s\n", text.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

daybreak::ProgressFn ProgressBar::callback() {
  return [this](const daybreak::Progress& progress) {
    show(stage_name(progress.stage), progress.done, progress.total);
    return true;
  };
}

}  // namespace host

// Reading of lines; see sentence_input.h.
#include "sentence_input.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <format>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace host {
namespace {

constexpr int patience_ms = 2000;
constexpr std::size_t most_bytes = 4u << 20;
constexpr std::size_t most_sentences = 2000;

bool has_something_to_say(int descriptor) {
  if (isatty(descriptor)) return false;
  pollfd entry{descriptor, POLLIN, 0};
  int count = poll(&entry, 1, patience_ms);
  while (count < 0 && errno == EINTR) count = poll(&entry, 1, patience_ms);
  if (count == 0) std::fputs("daybreak: standard input stays silent; using the built-in sentences\n", stderr);
  return count > 0 && !(entry.revents & POLLNVAL);  // closed: nothing to read
}

std::string read_all(int descriptor) {
  std::string result;
  std::array<char, 65536> part;
  while (true) {
    const ssize_t count = read(descriptor, part.data(), part.size());
    if (count == 0) return result;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "reading standard input");
    result.append(part.data(), static_cast<std::size_t>(count));
    if (result.size() > most_bytes)
      throw std::runtime_error(std::format("standard input has more than {} bytes of sentences", most_bytes));
  }
}

}  // namespace

Sentences read_sentences(int descriptor) {
  Sentences result;
  std::istringstream lines(has_something_to_say(descriptor) ? read_all(descriptor) : std::string());
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    if (line.ends_with('\r')) line.pop_back();
    result.texts.push_back(line);
  }
  if (result.texts.size() > most_sentences)
    throw std::runtime_error(std::format("standard input has more than {} sentences", most_sentences));
  if (!result.texts.empty()) return result;
  return {{"That is a happy person", "That is a happy dog", "That is a very happy person", "Today is a sunny day"},
          true};
}

}  // namespace host

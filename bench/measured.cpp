#include "measured.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <format>
#include <nlohmann/json.hpp>
#include <ranges>

namespace bench {

namespace {

using nlohmann::json;

constexpr double kShortSeconds = 0.1;  // of what there is much of

void count(benchmark::State& state, const Work& work, const Peak& peak, double seconds) {
  using benchmark::Counter;
  const auto rate = [](double amount) { return Counter(amount * 1e-9, Counter::kIsIterationInvariantRate); };
  if (work.flops() > 0) state.counters["GFLOP/s"] = rate(work.flops());
  if (work.bytes() > 0) state.counters["GB/s"] = rate(work.bytes());
  const double part = work.seconds_at(peak) * static_cast<double>(state.iterations()) / seconds;
  if (part > 0 && std::isfinite(part)) state.counters["of_peak"] = part;
}

// `make` builds and warms what is run, outside of the measured time.
auto* measure(const std::string& name, const Peak& peak, std::function<std::unique_ptr<Job>()> make) {
  return benchmark::RegisterBenchmark(name,
                                      [=](benchmark::State& state) {
                                        try {
                                          const std::unique_ptr<Job> job = make();
                                          job->run();
                                          double seconds = 0;
                                          for (auto _ : state) seconds += seconds_of(*job);
                                          count(state, job->work(), peak, seconds);
                                        } catch (const Skipped& why) {
                                          state.SkipWithMessage(why.what());
                                        } catch (const std::exception& error) {
                                          state.SkipWithError(error.what());
                                        }
                                      })
      ->UseRealTime()
      ->MeasureProcessCPUTime()
      ->Unit(benchmark::kMillisecond);
}

// The job, where the forced family really takes the product.
std::unique_ptr<Job> forced(Subject& subject, const std::string& family, uint32_t device, const MakeJob& make) {
  std::unique_ptr<Job> job;
  try {
    job = make(subject.with_family(family), device);
  } catch (const daybreak::Error& error) {
    throw Skipped(error.what());
  }
  const json placement = json::parse(dynamic_cast<GraphJob&>(*job).exec().report("placement"));
  for (const json& node : placement.at("nodes")) {
    const json choice = node.value("choice", json::object());
    if (choice.value("family", family) != family) throw Skipped(choice.at("reason").get<std::string>());
  }
  return job;
}

}  // namespace

Subject::Subject(const std::string& plugin)
    : path_(plugin), plugin_(daybreak::Plugin::load(plugin)), context_(plugin_), peaks_(measured_peaks(context_)) {
  for (const auto& device : context_.devices()) {
    std::printf("%s: %s%s%s\n", short_name(device).c_str(), device.name.c_str(),
                device.usable() ? "" : ", unusable: ", device.unusable.c_str());
    if (device.usable()) devices_.push_back(device);
  }
}

const daybreak::Context& Subject::with_family(const std::string& family) {
  const auto found = contexts_.find(family);
  if (found != contexts_.end()) return found->second;
  return contexts_.try_emplace(family, plugin_, daybreak::Options{}.set("matmul_family", family)).first->second;
}

std::vector<std::string> Subject::families() const {
  std::vector<std::string> list;
  const json report = json::parse(context_.report("options"));
  for (const json& option : report.at("options")) {
    if (option.at("key") != "matmul_family") continue;
    const std::string domain = option.at("domain");
    for (const auto part : std::views::split(domain, std::string_view(" | ")))
      if (const std::string family(part.begin(), part.end()); family != "auto") list.push_back(family);
  }
  return list;
}

std::string short_name(const daybreak::DeviceInfo& device) {
  return device.kind == DBK_DEVICE_CPU ? "cpu" : std::format("gpu{}", device.index);
}

void register_case(Subject& subject, const Case& what) {
  for (const Yardstick& yardstick : what.yardsticks)
    measure(std::format("{}/{}", what.name, yardstick.name), {}, yardstick.make)->MinTime(kShortSeconds);
  for (const auto& device : subject.devices()) {
    const std::string name = std::format("{}/{}", what.name, short_name(device));
    measure(name, subject.peak(device.index),
            [&subject, i = device.index, make = what.make] { return make(subject.context(), i); });
    if (!what.product || device.kind == DBK_DEVICE_CPU) continue;
    for (const std::string& family : subject.families())
      measure(std::format("{}.{}", name, family), subject.peak(device.index),
              [&subject, family, i = device.index, make = what.make] { return forced(subject, family, i, make); })
          ->MinTime(kShortSeconds);
  }
}

}  // namespace bench

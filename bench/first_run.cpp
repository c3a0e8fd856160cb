#include "first_run.h"

#include <benchmark/benchmark.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <format>

#include "ratios.h"

namespace bench {

namespace {

constexpr const char* kChild = "--first-run";
constexpr int kNotMeasured = 77;  // status of a child
constexpr int kProcesses = 21;

struct FirstRun {
  double first, steady;  // seconds; steady is a median
};

FirstRun measure(const daybreak::Context& context, uint32_t device, const MakeJob& make) {
  const auto job = make(context, device);
  const double first = seconds_of(*job);
  std::vector<double> steady;
  for (int n = 0; n < 15; ++n) steady.push_back(seconds_of(*job));
  return {first, median(steady)};
}

FirstRun measure_in_child(const std::string& plugin, uint32_t device, size_t network) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = std::format("'{}' {} '{}' {} {}", self, kChild, plugin, device, network);
  FirstRun result{};
  FILE* output = popen(command.c_str(), "r");
  const int count = output ? std::fscanf(output, "%lf %lf", &result.first, &result.steady) : 0;
  const int status = output ? pclose(output) : -1;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotMeasured) throw Skipped("the process has told why not");
  if (status != 0 || count != 2) throw std::runtime_error("no figures from " + command);
  return result;
}

template <class Measure>
void add(const std::string& name, Measure measure_one) {
  benchmark::RegisterBenchmark(name,
                               [=](benchmark::State& state) {
                                 std::vector<double> ratios;
                                 try {
                                   for (auto _ : state) {
                                     const FirstRun run = measure_one();
                                     state.SetIterationTime(run.first);
                                     ratios.push_back(run.first / run.steady);
                                   }
                                   state.counters["first/steady"] = median(ratios);
                                 } catch (const Skipped& why) {
                                   state.SkipWithMessage(why.what());
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(kProcesses)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_first_runs(Subject& subject) {
  const std::vector<Case> networks = first_run_cases();
  for (const auto& device : subject.devices())
    for (size_t i = 0; i < networks.size(); ++i) {
      const std::string name = std::format("{}/{}", networks[i].name, short_name(device));
      add("first_run/" + name,
          [&subject, d = device.index, make = networks[i].make] { return measure(subject.context(), d, make); });
      add("first_run_of_process/" + name,
          [&subject, d = device.index, i] { return measure_in_child(subject.path(), d, i); });
    }
}

bool measured_first_run(int argc, char** argv) {
  if (argc != 5 || std::string_view(argv[1]) != kChild) return false;
  const auto plugin = daybreak::Plugin::load(argv[2]);
  const daybreak::Context context(plugin);
  const Case network = first_run_cases().at(static_cast<size_t>(std::atoi(argv[4])));
  try {
    const FirstRun run = measure(context, static_cast<uint32_t>(std::atoi(argv[3])), network.make);
    std::printf("%.9f %.9f\n", run.first, run.steady);
  } catch (const Skipped& why) {
    std::fprintf(stderr, "%s\n", why.what());
    std::exit(kNotMeasured);
  }
  return true;
}

}  // namespace bench

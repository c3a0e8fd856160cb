#include "first_run.h"

#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <format>

#include "ratios.h"

namespace bench {

namespace {

constexpr const char* kChild = "--first-run";

struct Named {
  const char* name;
  MlpSize size;
};
constexpr Named kSizes[] = {{"mlp", kMlp}, {"small_mlp", kSmallMlp}};

struct FirstRun {
  double first, steady;  // seconds; steady is a median
};

FirstRun measure(const daybreak::Context& context, uint32_t device, MlpSize size) {
  const auto job = mlp_job(context, device, size);
  const double first = seconds_of(*job);
  std::vector<double> steady;
  for (int n = 0; n < 15; ++n) steady.push_back(seconds_of(*job));
  return {first, median(steady)};
}

FirstRun measure_in_child(const std::string& plugin, uint32_t device, size_t size) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = std::format("'{}' {} '{}' {} {}", self, kChild, plugin, device, size);
  FirstRun result{};
  FILE* output = popen(command.c_str(), "r");
  const int count = output ? std::fscanf(output, "%lf %lf", &result.first, &result.steady) : 0;
  if (!output || pclose(output) != 0 || count != 2) throw std::runtime_error("no figures from " + command);
  return result;
}

template <class Measure>
void add(const std::string& name, int processes, Measure measure_one) {
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
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(processes)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_first_runs(const daybreak::Context& context, const std::string& plugin, uint32_t device, const std::string& device_name) {
  for (size_t i = 0; i < std::size(kSizes); ++i) {
    const std::string name = std::string(kSizes[i].name) + "/" + device_name;
    add("first_run/" + name, 21, [&context, device, i] { return measure(context, device, kSizes[i].size); });
    add("first_run_of_process/" + name, 11, [=] { return measure_in_child(plugin, device, i); });
  }
}

bool measured_first_run(int argc, char** argv) {
  if (argc != 5 || std::string_view(argv[1]) != kChild) return false;
  const auto plugin = daybreak::Plugin::load(argv[2]);
  const daybreak::Context context(plugin);
  const FirstRun run = measure(context, static_cast<uint32_t>(std::atoi(argv[3])), kSizes[std::atoi(argv[4])].size);
  std::printf("%.9f %.9f\n", run.first, run.steady);
  return true;
}

}  // namespace bench

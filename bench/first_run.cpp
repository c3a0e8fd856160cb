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

using MakeJob = std::unique_ptr<Job> (*)(const daybreak::Context& context, uint32_t device);
struct Network {
  const char* name;
  MakeJob make;
};
constexpr Network kNetworks[] = {{"mlp", [](const auto& context, uint32_t device) { return mlp_job(context, device, kMlp); }},
                                 {"small_mlp", [](const auto& context, uint32_t device) { return mlp_job(context, device, kSmallMlp); }},
                                 {"gelu", gelu_job}};
constexpr int kProcesses = 21;

struct FirstRun {
  double first, steady;  // seconds; steady is a median
};

FirstRun measure(const daybreak::Context& context, uint32_t device, MakeJob make) {
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
  if (!output || pclose(output) != 0 || count != 2) throw std::runtime_error("no figures from " + command);
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
                                 } catch (const std::exception& error) {
                                   state.SkipWithError(error.what());
                                 }
                               })
      ->UseManualTime()
      ->Iterations(kProcesses)
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

void register_first_runs(const daybreak::Context& context, const std::string& plugin, uint32_t device, const std::string& device_name) {
  for (size_t i = 0; i < std::size(kNetworks); ++i) {
    const std::string name = std::string(kNetworks[i].name) + "/" + device_name;
    add("first_run/" + name, [&context, device, i] { return measure(context, device, kNetworks[i].make); });
    add("first_run_of_process/" + name, [=] { return measure_in_child(plugin, device, i); });
  }
}

bool measured_first_run(int argc, char** argv) {
  if (argc != 5 || std::string_view(argv[1]) != kChild) return false;
  const auto plugin = daybreak::Plugin::load(argv[2]);
  const daybreak::Context context(plugin);
  const FirstRun run = measure(context, static_cast<uint32_t>(std::atoi(argv[3])), kNetworks[std::atoi(argv[4])].make);
  std::printf("%.9f %.9f\n", run.first, run.steady);
  return true;
}

}  // namespace bench

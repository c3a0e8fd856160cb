// daybreak_bench [--plugin FILE] [Google Benchmark's options]: every device of the plugin, and the yardsticks. The
// plugin is the one named, else that of DAYBREAK_PLUGIN, else the one beside this program.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "first_run.h"
#include "jobs.h"
#include "onednn_yardstick.h"
#include "ratios.h"
#ifdef DAYBREAK_GPU
#include "naive_matmul.h"
#endif

namespace {

constexpr int64_t kSizes[] = {128, 256, 512, 1024};

struct RowOp {
  const char *op, *name;
  int64_t rows, columns;
  double passes;  // tensors of that shape read and written
};
constexpr RowOp kRowOps[] = {{"Add", "add", 4096, 768, 3},
                             {"Gelu", "gelu", 4096, 768, 2},
                             {"Softmax", "softmax", 2048, 1024, 2},
                             {"LayerNormalization", "layer_normalization", 2048, 768, 2}};

// Takes --plugin out of the arguments.
std::string plugin_path(int& argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string_view(argv[i]) != "--plugin") continue;
    const std::string path = argv[i + 1];
    std::copy(argv + i + 2, argv + argc, argv + i);
    argc -= 2;
    return path;
  }
  if (const char* path = std::getenv("DAYBREAK_PLUGIN")) return path;
  return std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libdaybreak.so";
}

// `make` builds and warms what is run, outside of the measured time; `work` is per run, `unit` what it counts.
template <class Make>
auto* measure(const std::string& name, double work, const char* unit, Make make) {
  return benchmark::RegisterBenchmark(name,
                                      [=](benchmark::State& state) {
                                        try {
                                          auto job = make();
                                          job->run();
                                          for (auto _ : state) job->run();
                                          state.counters[unit] = benchmark::Counter(
                                              work * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
                                        } catch (const std::exception& error) {
                                          state.SkipWithError(error.what());
                                        }
                                      })
      ->UseRealTime()
      ->MeasureProcessCPUTime()
      ->Unit(benchmark::kMillisecond);
}

std::string who_is(const daybreak::DeviceInfo& device) {
  return device.kind == DBK_DEVICE_CPU ? "cpu" : "gpu" + std::to_string(device.index);
}

void register_matmul(const daybreak::Context& context, const std::vector<daybreak::DeviceInfo>& devices) {
  for (int64_t n : kSizes) {
    const std::string name = "matmul/" + std::to_string(n) + "/";
    const double flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
#ifdef DAYBREAK_GPU
    // Half a second for one run of the largest on a software adapter: no more than needed.
    measure(name + "naive", flops, "GFLOP/s", [n] {
      return std::make_unique<bench::NaiveMatmul>(static_cast<uint32_t>(n));
    })->MinTime(0.1);
#endif
    measure(name + "onednn", flops, "GFLOP/s", [n] { return std::make_unique<bench::OnednnMatmul>(n); });
    for (const auto& device : devices)
      measure(name + who_is(device), flops, "GFLOP/s",
              [&context, n, i = device.index] { return bench::matmul_job(context, i, n); });
  }
}

void register_rows(const daybreak::Context& context, const std::vector<daybreak::DeviceInfo>& devices) {
  for (const RowOp& row : kRowOps)
    for (const auto& device : devices) {
      const double bytes = row.passes * 4 * static_cast<double>(row.rows * row.columns);
      const std::string name =
          std::string(row.name) + "/" + std::to_string(row.rows) + "x" + std::to_string(row.columns) + "/";
      measure(name + who_is(device), bytes, "GB/s",
              [&context, row, i = device.index] { return bench::op_job(context, i, row.op, row.rows, row.columns); });
    }
}

}  // namespace

int main(int argc, char** argv) try {
  if (bench::measured_first_run(argc, argv)) return 0;
  const std::string path = plugin_path(argc, argv);
  const auto plugin = daybreak::Plugin::load(path);
  const daybreak::Context context(plugin);
  std::vector<daybreak::DeviceInfo> devices;
  for (const auto& device : context.devices()) {
    std::printf("%s: %s%s%s\n", who_is(device).c_str(), device.name.c_str(),
                device.usable() ? "" : ", unusable: ", device.unusable.c_str());
    if (device.usable()) devices.push_back(device);
  }
  register_matmul(context, devices);
  register_rows(context, devices);
  for (const auto& device : devices) bench::register_first_runs(context, path, device.index, who_is(device));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
} catch (const std::exception& error) {
  std::fprintf(stderr, "daybreak_bench: %s\n", error.what());
  return 1;
}

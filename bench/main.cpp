// daybreak_bench [--plugin FILE] [Google Benchmark's options]: every device of the plugin, and the yardsticks
// (measured.h). The plugin is the one named, else that of DAYBREAK_PLUGIN, else the one beside this program.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "first_run.h"
#include "measured.h"
#include "ratios.h"

namespace {

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

}  // namespace

int main(int argc, char** argv) try {
  if (bench::measured_first_run(argc, argv)) return 0;
  bench::Subject subject(plugin_path(argc, argv));
  for (const bench::Case& each : bench::all_cases()) bench::register_case(subject, each);
  bench::register_first_runs(subject);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  bench::RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
} catch (const std::exception& error) {
  std::fprintf(stderr, "daybreak_bench: %s\n", error.what());
  return 1;
}

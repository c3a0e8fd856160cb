// usage: ops_drawn cpu|gpu [--seed N] [--cases N] [--case N] - cases drawn at random (drawn_case.h) on every device of that kind, compared as
//                                                            the op suite compares. --case runs one of them alone.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include "tests/ops/case_check.h"
#include "tests/ops/drawn_case.h"
#include "tests/ops/value_maker.h"

namespace {

struct Settings {
  std::string devices;
  uint64_t cases = 2000;
  std::optional<uint64_t> only;
};

std::optional<Settings> read(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) return std::nullopt;
  Settings settings{.devices = argv[1]};
  for (int i = 2; i < argc; i += 2) {
    const std::string name = argv[i];
    char* end = nullptr;
    const uint64_t number = std::strtoull(argv[i + 1], &end, 0);
    if (*end != '\0') return std::nullopt;
    if (name == "--seed") setenv("DAYBREAK_TEST_SEED", argv[i + 1], 1);  // which also decides the elements
    else if (name == "--cases") settings.cases = number;
    else if (name == "--case") settings.only = number;
    else return std::nullopt;
  }
  return settings;
}

int run(const Settings& settings) {
  const ops::DeviceList list(settings.devices.c_str());
  if (const int code = list.exit_code_without_device()) return code;
  const uint64_t seed = ops::suite_seed(), first = settings.only.value_or(0), end = settings.only ? first + 1 : settings.cases;
  std::printf("seed: %llu\n", static_cast<unsigned long long>(seed));
  const auto start = std::chrono::steady_clock::now();
  std::map<std::string_view, int> by_row;
  int failed = 0;
  for (uint64_t number = first; number < end; ++number) {
    const ops::DrawnCase drawn = ops::draw_case(seed, number);
    ++by_row[drawn.row->id];
    for (const daybreak::DeviceInfo& device : list.devices()) {
      const ops::Outcome outcome = ops::check_case(list, device, *drawn.row, drawn.test);
      if (outcome.problem.empty()) continue;
      ++failed;
      std::printf("%s\n  again: ops_drawn %s --seed %llu --case %llu\n", outcome.problem.c_str(), settings.devices.c_str(),
                  static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number));
    }
  }
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  std::printf("%llu cases of %zu rows, %d failed, %.1f s\n", static_cast<unsigned long long>(end - first), by_row.size(), failed, passed.count());
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
  const auto settings = read(argc, argv);
  if (!settings) return std::fputs("usage: ops_drawn cpu|gpu [--seed N] [--cases N] [--case N]\n", stderr), EXIT_FAILURE;
  try {
    return run(*settings);
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "ops_drawn: %s\n", e.what()), EXIT_FAILURE;
  }
}

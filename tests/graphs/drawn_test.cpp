// usage: graphs_drawn cpu|gpu|fast [--seed N] [--cases N] [--case N] - random graphs (drawn_graph.h), each compiled with and without fusion; all
//                                                               outputs must agree as far as roundings let them. --case runs one alone.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "tests/graphs/drawn_graph.h"

namespace {

using namespace graphs;

struct Settings {
  std::string kind;
  uint64_t seed = 1;
  std::optional<uint64_t> cases, only;
} settings;

Dims extents_of(const std::vector<int64_t>& dims, int64_t open) {
  Dims result;
  for (int64_t d : dims) result.push_back(d == kOpen ? open : d);
  return result;
}

Floats numbers_of(const DrawnGraph::Input& input, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Floats numbers(count);
  for (float& x : numbers) x = input.whole ? static_cast<float>(random() % 7) - 3.0f : static_cast<float>(random() % 2001) / 1000.0f - 1.0f;
  return numbers;
}

std::vector<Floats> results_of(DrawnGraph& graph, const daybreak::Executable& exec, int64_t open) {
  daybreak::Run run(exec);
  std::vector<Floats> inputs, outputs;
  for (size_t i = 0; i < graph.inputs().size(); ++i) {
    const Dims dims = extents_of(graph.inputs()[i].dims, open);
    inputs.push_back(numbers_of(graph.inputs()[i], static_cast<size_t>(dims.product()), i));
    run.bind_input(static_cast<uint32_t>(i), daybreak::View(std::span(inputs.back()), dims));
  }
  run.run();
  for (uint32_t i = 0; i < graph.outputs().size(); ++i) outputs.push_back(run.read<float>(i));
  return outputs;
}

void require_alike(const DrawnValue& output, const Floats& actual, const Floats& expected) {
  require(actual.size() == expected.size(), "{} has {} elements, {} without fusion", output.name, actual.size(), expected.size());
  const double allowed = 2 * output.error;
  for (size_t i = 0; i < actual.size(); ++i) {
    const bool same = actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i]));
    require(same || std::abs(static_cast<double>(actual[i]) - static_cast<double>(expected[i])) <= allowed, "{}[{}] is {}, {} without fusion; {} allowed",
            output.name, i, actual[i], expected[i], allowed);
  }
}

void check(uint64_t number) {
  DrawnGraph graph(settings.seed * 1000003 + number);
  try {
    auto plain = prepare(graph.builder(), unfused()), fused = prepare(graph.builder());
    for (const int64_t open : graph.extents()) {
      const auto expected = results_of(graph, plain, open), actual = results_of(graph, fused, open);
      for (size_t i = 0; i < expected.size(); ++i) require_alike(graph.outputs()[i], actual[i], expected[i]);
    }
  } catch (const std::exception& e) {
    throw ops::Failure(std::format("{}\n  again: graphs_drawn {} --seed {} --case {}\n{}", e.what(), settings.kind, settings.seed, number,
                                   graph.text()));
  }
}

void test_drawn_graphs() {
  const uint64_t first = settings.only.value_or(0), count = settings.only ? 1 : settings.cases.value_or(on_gpu() ? 100 : 1500);
  size_t failed = 0;
  for (uint64_t number = first; number < first + count; ++number) {
    try {
      check(number);
    } catch (const std::exception& e) {
      ++failed;
      std::printf("%s\n", e.what());
    }
  }
  require(failed == 0, "{} of {} graphs differ", failed, count);
}

bool read(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) return false;
  settings.kind = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string name = argv[i];
    char* end = nullptr;
    const uint64_t number = std::strtoull(argv[i + 1], &end, 0);
    if (*end != '\0') return false;
    if (name == "--seed") settings.seed = number;
    else if (name == "--cases") settings.cases = number;
    else if (name == "--case") settings.only = number;
    else return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (!read(argc, argv)) return std::fputs("usage: graphs_drawn cpu|gpu|fast [--seed N] [--cases N] [--case N]\n", stderr), EXIT_FAILURE;
  return run_tests(argc, argv, "drawn_test.cpp", {GRAPH_TEST(test_drawn_graphs)});
}

// Ops that stand for others (plugin/graph/composites.h): every case of tests/golden/composites.py, as a graph of
// that node alone, against NumPy; on GPUs without help of the host.
#include <cmath>

#include "tests/graphs/golden_node.h"
#include "tests/ops/value_maker.h"

namespace {

using namespace graphs;
using dbk::HostTensor;
using dbk::test::GoldenCase;

// Steps of a composite round one after another, each within the tolerance of its row: up to 16 epsilons in all, of the largest number on
// the way, which a case states.
constexpr double kSteps = 16 * 0x1p-23;

// Nodes that a GPU leaves to the host.
std::string on_host(const GoldenNode& node) {
  std::string names;
  for (const auto& row : report(node.exec(), "placement").at("nodes"))
    if (row.at("where") == "host") names += row.dump() + " ";
  return names;
}

void check(const GoldenCase& c) {
  const std::string where = std::format("{} of line {}", c.op, c.line);
  GoldenNode node(c, "composite");
  const std::vector<HostTensor> outputs = node.run();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const HostTensor expected = materialize(c.outputs[i], DBK_F32);
    require(outputs[i].type == expected.type, "{}: output {} has another type", where, i);
    const std::vector<double> actual = ops::numbers(outputs[i]), wanted = ops::numbers(expected);
    for (size_t e = 0; e < actual.size(); ++e)
      require(std::fabs(actual[e] - wanted[e]) <= kSteps * c.scale,
              "{}: output {} [{}] is {}, not {}", where, i, e, actual[e], wanted[e]);
  }
  if (on_gpu()) require(on_host(node).empty(), "{}: {} is on the host", where, on_host(node));
}

void every_case_gives_what_numpy_gives() {
  const std::vector<GoldenCase> cases = dbk::test::read_cases(DAYBREAK_GOLDEN_COMPOSITES);
  require(!cases.empty(), "there are no cases");
  for (const GoldenCase& c : cases) check(c);
}

void unknown_activations_are_refused() {
  GraphBuilder graph(20);
  const Value a = graph.input("a", DBK_F32, {2, 2});
  graph.output(graph.node(daybreak::Op("FusedGemm").in("com.microsoft").named("product"), {a, a}, {{"activation", "Swoosh"}}), "y");
  require_failure(DBK_UNIMPLEMENTED, {"product", "activation is 'Swoosh'"}, [&] { compile(graph); });
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "composites_test.cpp", {GRAPH_TEST(every_case_gives_what_numpy_gives), GRAPH_TEST(unknown_activations_are_refused)});
}

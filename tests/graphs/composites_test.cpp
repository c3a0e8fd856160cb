// Ops that stand for others (plugin/graph/composites.h): every case of tests/golden/composites.py, as a graph of
// that node alone, against NumPy; on GPUs without help of the host.
#include <cmath>

#include "tests/graphs/graph_test.h"
#include "tests/host_ops/golden_case.h"
#include "tests/ops/guarded_tensor.h"
#include "tests/ops/value_maker.h"

namespace {

using namespace graphs;
using dbk::HostTensor;
using dbk::test::GoldenCase;

// Steps of a composite round one after another, each within the tolerance of its row: up to 16 epsilons in all, of the largest number on
// the way, which a case states.
constexpr double kSteps = 16 * 0x1p-23;

daybreak::Attr attr_of(const dbk::Attribute& attribute) {
  const auto convert = [&](const auto& value) -> daybreak::Attr {
    using T = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, double> || std::is_same_v<T, std::string> ||
                  std::is_same_v<T, std::vector<int64_t>> || std::is_same_v<T, std::vector<double>>)
      return {attribute.name, value};
    else
      throw ops::Failure("attribute " + attribute.name + " has a type that no composite has");
  };
  return std::visit(convert, attribute.value);
}

class NodeOfCase {
 public:
  explicit NodeOfCase(const GoldenCase& c) {
    GraphBuilder graph(20);
    std::vector<Value> operands;
    for (const dbk::test::GoldenTensor& t : c.inputs) operands.push_back(add_operand(graph, t));
    std::vector<daybreak::Attr> attrs;
    for (const dbk::Attribute& a : c.attrs.items()) attrs.push_back(attr_of(a));
    const size_t name = c.op.rfind('.') + 1;  // 0 where ONNX's own domain is left out
    const std::string domain = name == 0 ? "" : c.op.substr(0, name - 1);
    const auto results = graph.nodes(daybreak::Op(c.op.substr(name)).in(domain, c.opset).named("composite"), operands, attrs,
                                     std::vector<bool>(c.outputs.size(), true));
    for (size_t i = 0; i < results.size(); ++i) graph.output(results[i], "y" + std::to_string(i));
    exec_ = prepare(graph);
  }

  std::vector<HostTensor> run() {
    daybreak::Run run(exec_);
    for (size_t i = 0; i < sources_.size(); ++i) run.bind_input(i, sources_[i].view(), DBK_COPY);
    run.run();
    std::vector<HostTensor> outputs;
    for (uint32_t i = 0; i < exec_.count(DBK_OUTPUT); ++i) {
      const daybreak::Dims dims = run.shape(DBK_OUTPUT, i).dims;
      const dbk::TensorType type{exec_.io(DBK_OUTPUT, i).dtype, dbk::Shape(std::span(dims.data(), dims.size()))};
      HostTensor& output = outputs.emplace_back(HostTensor{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))});
      run.read_bytes(i, output.bytes);
    }
    return outputs;
  }

  // Nodes that a GPU leaves to the host.
  std::string on_host() const {
    std::string names;
    for (const auto& node : report(exec_, "placement").at("nodes"))
      if (node.at("where") == "host") names += node.dump() + " ";
    return names;
  }

 private:
  Value add_operand(GraphBuilder& graph, const dbk::test::GoldenTensor& t) {
    if (t.absent) return daybreak::absent;
    const HostTensor tensor = materialize(t, DBK_F32);
    sources_.emplace_back(tensor, ops::Layout::Dense);
    return graph.input("x" + std::to_string(sources_.size()), tensor.type.dtype, Dims(std::span<const int64_t>(tensor.type.shape)));
  }

  std::vector<ops::GuardedTensor> sources_;
  daybreak::Executable exec_;
};

void check(const GoldenCase& c) {
  const std::string where = std::format("{} of line {}", c.op, c.line);
  NodeOfCase node(c);
  const std::vector<HostTensor> outputs = node.run();
  for (size_t i = 0; i < outputs.size(); ++i) {
    const HostTensor expected = materialize(c.outputs[i], DBK_F32);
    require(outputs[i].type == expected.type, "{}: output {} has another type", where, i);
    const std::vector<double> actual = ops::numbers(outputs[i]), wanted = ops::numbers(expected);
    for (size_t e = 0; e < actual.size(); ++e)
      require(std::fabs(actual[e] - wanted[e]) <= kSteps * c.scale,
              "{}: output {} [{}] is {}, not {}", where, i, e, actual[e], wanted[e]);
  }
  if (on_gpu()) require(node.on_host().empty(), "{}: {} is on the host", where, node.on_host());
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

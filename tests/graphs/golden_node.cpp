#include "tests/graphs/golden_node.h"

#include "tests/ops/node_graph.h"

namespace graphs {

using dbk::HostTensor;

GoldenNode::GoldenNode(const dbk::test::GoldenCase& c, std::string_view name) {
  const size_t dot = c.op.rfind('.') + 1;  // 0 where ONNX's own domain is left out
  const std::string domain = dot == 0 ? "" : c.op.substr(0, dot - 1);
  GraphBuilder graph(20);
  graph.opset(domain, c.opset);
  std::vector<Value> operands;
  for (const dbk::test::GoldenTensor& t : c.inputs) operands.push_back(add_operand(graph, t));
  std::vector<daybreak::Attr> attrs;
  for (const dbk::Attribute& a : c.attrs.items()) attrs.push_back(ops::attr_of(graph, a));
  const std::vector<bool> wanted(c.fails ? 1 : c.outputs.size(), true);
  const auto results = graph.nodes(daybreak::Op(c.op.substr(dot)).in(domain).named(name), operands, attrs, wanted);
  for (size_t i = 0; i < results.size(); ++i) graph.output(results[i], "y" + std::to_string(i));
  exec_ = prepare(graph, daybreak::Options().set("internal_ops", true));
}

Value GoldenNode::add_operand(GraphBuilder& graph, const dbk::test::GoldenTensor& t) {
  if (t.absent) return daybreak::absent;
  const HostTensor tensor = materialize(t, DBK_F32);
  sources_.emplace_back(tensor, ops::Layout::Dense);
  return graph.input("x" + std::to_string(sources_.size()), tensor.type.dtype, Dims(std::span<const int64_t>(tensor.type.shape)));
}

void GoldenNode::bind(daybreak::Run& run) const {
  for (size_t i = 0; i < sources_.size(); ++i) run.bind_input(i, sources_[i].view(), DBK_COPY);
}

std::vector<HostTensor> GoldenNode::run() {
  daybreak::Run run(exec_);
  bind(run);
  run.run();
  std::vector<HostTensor> outputs;
  for (uint32_t i = 0; i < exec_.count(DBK_OUTPUT); ++i) {
    const Dims dims = run.shape(DBK_OUTPUT, i).dims;
    const dbk::TensorType type{exec_.io(DBK_OUTPUT, i).dtype, dbk::Shape(std::span(dims.data(), dims.size()))};
    HostTensor& output = outputs.emplace_back(HostTensor{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))});
    run.read_bytes(i, output.bytes);
  }
  return outputs;
}

}  // namespace graphs

#include "plugin/cpu/interpreter.h"

#include "plugin/cpu/control_driver.h"
#include "plugin/graph/control.h"

namespace dbk {

namespace {

constexpr uint32_t kNowhere = UINT32_MAX;

// A dense number for every value that the main block of a body touches: a graph has many more.
std::vector<uint32_t> places(const Graph& body, uint32_t& count) {
  std::vector<uint32_t> place(body.values.size(), kNowhere);
  count = 0;
  const auto add = [&](const std::vector<ValueId>& list) {
    for (ValueId v : list)
      if (v != DBK_NONE && place[v] == kNowhere) place[v] = count++;
  };
  add(body.main().inputs);
  add(body.main().outputs);
  for (const Node& node : body.main().nodes) add(node.inputs), add(node.outputs);
  return place;
}

[[noreturn]] void rethrow_named(Error& e, const Node& node) {
  for (Cause& c : e.causes()) {
    c.message = describe(node) + ": " + c.message;
    if (c.node == DBK_NONE) c.node = node.table_index;
  }
  throw std::move(e);
}

}  // namespace

void Interpreter::check_cancelled() const {
  if (cancelled_ && *cancelled_) fail(DBK_CANCELLED, "the run was cancelled");
}

std::vector<LateValue> Interpreter::run_body(const Graph& body, std::span<const LateValue> inputs) {
  uint32_t count = 0;
  const std::vector<uint32_t> place = places(body, count);
  std::vector<LateValue> values(count);
  for (ValueId v = 0; v < body.values.size(); ++v)
    if (place[v] != kNowhere && body.values[v].origin != DBK_ORIGIN_COMPUTED)
      values[place[v]].tensor = {{body.values[v].dtype, Shape(body.values[v].dims)}, const_cast<std::byte*>(weights_[v].data)};
  for (size_t i = 0; i < inputs.size(); ++i) values[place[body.main().inputs[i]]] = inputs[i];
  for (const Node& node : body.main().nodes) {
    check_cancelled();
    try {
      run_node(body, node, values, place);
    } catch (Error& e) {
      rethrow_named(e, node);
    }
  }
  std::vector<LateValue> outputs;
  for (ValueId v : body.main().outputs) outputs.push_back(values[place[v]]);
  return outputs;
}

void Interpreter::run_node(const Graph& graph, const Node& node, std::vector<LateValue>& values, const std::vector<uint32_t>& place) {
  std::vector<Tensor> inputs(node.inputs.size());
  std::vector<LateValue> results(node.outputs.size());
  std::vector<bool> wanted;
  for (size_t i = 0; i < inputs.size(); ++i)
    if (node.inputs[i] != DBK_NONE) inputs[i] = values[place[node.inputs[i]]].tensor;
  for (ValueId v : node.outputs) wanted.push_back(v != DBK_NONE);
  if (control_of(node) != Control::None) run_control(graph, node, inputs, wanted, results);
  else compute_late(node, inputs, wanted, results, room_);
  for (size_t i = 0; i < results.size(); ++i)
    if (wanted[i]) values[place[node.outputs[i]]] = std::move(results[i]);
}

void Interpreter::run_control(const Graph& graph, const Node& node, std::span<const Tensor> inputs, const std::vector<bool>& wanted,
                              std::span<LateValue> results) {
  std::vector<LateValue> outputs;
  const auto run = [&](size_t body, std::span<const LateValue> values) -> std::span<const LateValue> {
    check_cancelled();
    return outputs = run_body(*graph.bodies[bodies_of(node)[body]], values);
  };
  ControlDriver driver(graph, node, run, room_);
  driver.run(inputs, wanted, results);
}

}  // namespace dbk

#include "plugin/graph/normalize.h"

#include "plugin/graph/composites.h"
#include "plugin/graph/control.h"
#include "plugin/graph/schema.h"

namespace dbk {

namespace {

// Turns the output of a Constant node into a constant of the graph.
void absorb_constant(Graph& graph, const Node& node) {
  std::vector<TensorType> types(1);
  Infer infer({&node.attrs, node.version}, {}, types);
  node.op->host->infer(infer);
  auto tensor = std::make_shared<HostTensor>(HostTensor{types[0], std::vector<std::byte>(types[0].bytes())});
  std::vector<Tensor> outputs{tensor->view()};
  Compute compute({&node.attrs, node.version}, {}, outputs);
  node.op->host->compute(compute);
  graph.values[node.outputs[0]].become_constant(std::move(tensor));
  graph.rewrites.push_back({"constant", DBK_NONE, "", {node.table_index}});
}

bool variadic(const Node& node) { return node.domain.empty() && (node.op_name == "Max" || node.op_name == "Min" || node.op_name == "Sum"); }

Node identity_of(const Node& node) {
  Node copy = node;
  copy.op = find_op("", "Identity");
  copy.op_name = "Identity";
  copy.schema = find_schema("", "Identity", node.opset);
  copy.version = copy.schema->since;
  copy.attrs = {};
  copy.inputs.resize(1);
  copy.outputs.resize(1);
  return copy;
}

// Dropout of which nothing but the operand itself is left: no training, and nobody wants the mask.
bool passes_through(const Graph& graph, const Node& node) {
  if (node.op->id != "dropout" || (node.outputs.size() > 1 && node.outputs[1] != DBK_NONE)) return false;
  if (node.inputs.size() < 3 || node.inputs[2] == DBK_NONE) return true;
  const Value& training = graph.values[node.inputs[2]];
  return training.origin == DBK_ORIGIN_CONST && training.constant && training.constant->type.count() == 1 &&
         !*training.constant->view().as<Bool>();
}

// Nodes that draw without a seed get one each, by their place in the graph: they repeat from run to run, and differ from one another.
void give_seed(Node& node) {
  if (!draws(node) || node.attrs.has("seed")) return;
  const auto seed = static_cast<int64_t>(node.table_index) + 1;
  if (node.op_name == "Dropout") node.attrs.set("seed", seed);
  else node.attrs.set("seed", static_cast<double>(seed));
}

// op(a, b, c) -> t = op(a, b); op(t, c)
void chain(Graph& graph, const Node& node, std::vector<Node>& out) {
  if (node.inputs.size() == 1) {
    out.push_back(identity_of(node));
    return;
  }
  ValueId left = node.inputs[0];
  for (size_t i = 1; i < node.inputs.size(); ++i) {
    Node pair = node;
    pair.inputs = {left, node.inputs[i]};
    if (i + 1 < node.inputs.size()) {
      left = static_cast<ValueId>(graph.values.size());
      graph.values.emplace_back();
      pair.outputs = {left};
    }
    out.push_back(std::move(pair));
  }
}

[[noreturn]] void rethrow_named(Error& e, const Node& node) {
  for (Cause& c : e.causes()) {
    c.message = describe(node) + ": " + c.message;
    c.node = node.table_index;
  }
  throw std::move(e);
}

}  // namespace

void normalize(Graph& graph) {
  for (Block& block : graph.blocks) {
    std::vector<Node> nodes;
    for (Node& node : block.nodes) {
      try {
        if (node.op && node.op->family == "constant") absorb_constant(graph, node);
        else if (node.op && variadic(node)) chain(graph, node, nodes);
        else if (node.op && passes_through(graph, node)) nodes.push_back(identity_of(node));
        else if (const Composite* composite = find_composite(node.domain, node.op_name)) expand(graph, node, *composite, nodes);
        else {
          give_seed(node);
          nodes.push_back(std::move(node));
        }
      } catch (Error& e) {
        rethrow_named(e, node);
      }
    }
    block.nodes = std::move(nodes);
  }
  separate_bodies(graph);
  inline_decided_branches(graph);
}

}  // namespace dbk

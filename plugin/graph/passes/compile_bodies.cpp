// Weights are found by value id, in the graph and in all bodies. So a value that a pass adds to a body gets an id of its own in the
// graph around it, too, and the next body begins behind it.
#include "plugin/graph/passes/compile_bodies.h"

#include <algorithm>

#include "plugin/graph/control.h"
#include "plugin/graph/extent_bodies.h"

namespace dbk {

namespace {

// The types of a body's inputs as inference found them; nothing about them may be different in a run but extents.
InferOptions options_for(const Graph& body, const Types& types, const InferOptions& outer, std::vector<Tensor>& values) {
  InferOptions options;
  options.extents = outer.extents;
  options.body = true;
  const std::vector<ValueId>& inputs = body.main().inputs;
  values.resize(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    options.body_inputs.push_back(types[inputs[i]]);
    options.body_dtypes.push_back(types.dtypes[inputs[i]]);
    options.body_open.push_back(types.open[inputs[i]]);
    if (types.known[inputs[i]]) values[i] = types.known[inputs[i]]->view();
    options.input_values.push_back(types.known[inputs[i]] ? &values[i] : nullptr);
  }
  return options;
}

// Inputs have the ranks and extents that are known outside.
void declare_inputs(Graph& body, std::span<const Extents::KnownDims> known) {
  for (size_t i = 0; i < known.size(); ++i) {
    Value& value = body.values[body.main().inputs[i]];
    if (value.known_rank || !known[i]) continue;
    value.known_rank = true;
    value.dims = *known[i];
  }
}

void take_over(Graph& graph, Graph& body) {
  for (size_t v = graph.values.size(); v < body.values.size(); ++v)
    graph.values.push_back(is_weight(body.values[v]) ? body.values[v] : Value{});
  std::ranges::move(body.rewrites, std::back_inserter(graph.rewrites));
  std::ranges::move(body.misses, std::back_inserter(graph.misses));
  body.rewrites.clear();
  body.misses.clear();
}

}  // namespace

bool compile_bodies(Graph& graph, const Types& types, const Extents& extents, const InferOptions& options, const CompileBody& compile) {
  bool changed = false;
  for (const auto& [n, inner] : types.bodies) {
    const Node& node = graph.main().nodes[n];
    const std::vector<uint32_t> blocks = bodies_of(node);
    for (size_t b = 0; b < blocks.size(); ++b) {
      const auto late = [&](bool is) { return is; };
      if (!inner[b] || !inner[b]->complete || std::ranges::any_of(inner[b]->late, late)) continue;
      auto body = std::make_shared<Graph>(*graph.bodies[blocks[b]]);
      body->precision = graph.precision;
      for (size_t v = body->values.size(); v < graph.values.size(); ++v) body->values.push_back(graph.values[v]);
      declare_inputs(*body, body_extents(graph, node, b, *inner[b], extents).inputs);
      std::vector<Tensor> values;
      const InferOptions given = options_for(*body, *inner[b], options, values);
      Types body_types = infer(*body, given);
      compile(*body, body_types, given);
      changed = changed || !body->rewrites.empty() || body->values.size() > graph.values.size();
      take_over(graph, *body);
      graph.bodies[blocks[b]] = std::move(body);
    }
  }
  return changed;
}

}  // namespace dbk

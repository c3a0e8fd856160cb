#include "plugin/graph/extent_bodies.h"

#include <algorithm>

#include "plugin/graph/control.h"
#include "plugin/graph/extent_rules.h"

namespace dbk {

namespace {

using KnownDims = Extents::KnownDims;

KnownDims known(const Extents& extents, ValueId v) { return v == DBK_NONE ? std::nullopt : extents.known(v); }

// The rank alone.
KnownDims opened(KnownDims dims) {
  if (dims) std::ranges::fill(*dims, DBK_DIM_UNKNOWN);
  return dims;
}

KnownDims without_axis(KnownDims dims, int64_t axis) {
  if (dims) dims->erase(dims->begin() + normalize_axis(axis, static_cast<uint32_t>(dims->size()), "scan input axis"));
  return dims;
}

KnownDims with_axis(KnownDims dims, int64_t axis) {
  if (dims) dims->insert(dims->begin() + normalize_axis(axis, static_cast<uint32_t>(dims->size() + 1), "scan output axis"), DBK_DIM_UNKNOWN);
  return dims;
}

// Where the states of a node are among the inputs of the node, and among inputs and outputs of its body.
struct States {
  size_t count = 0, first_operand = 0, first_input = 0, first_output = 0;
};

States states_of(const Node& node) {
  const size_t formals = node.inputs.size() - node.captures;
  switch (control_of(node)) {
    case Control::Loop: return {formals - 2, 2, 2, 1};
    case Control::Scan: {
      const ScanForm form = scan_form(node, node.outputs.size());
      return {form.states, form.first, 0, 0};
    }
    default: return {};
  }
}

// Formal inputs, states as they begin.
std::vector<KnownDims> formals_of(const Node& node, const States& states, const Extents& extents) {
  std::vector<KnownDims> formals;
  if (control_of(node) == Control::Loop) formals.assign(2, std::vector<int64_t>{});  // number and condition
  for (size_t i = 0; i < states.count; ++i) formals.push_back(known(extents, node.inputs[states.first_operand + i]));
  if (control_of(node) != Control::Scan) return formals;
  const ScanForm form = scan_form(node, node.outputs.size());
  if (form.batched) return std::vector<KnownDims>(form.states + form.scans);
  for (size_t i = 0; i < form.scans; ++i) formals.push_back(without_axis(known(extents, node.inputs[form.states + i]), form.axes[i]));
  return formals;
}

// Whether the body gives back of each state what was taken for granted.
bool steady(const BodyExtents& body, const States& states) {
  for (size_t i = 0; i < states.count; ++i) {
    const KnownDims &before = body.inputs[states.first_input + i], &after = body.outputs[states.first_output + i];
    if (!before) continue;
    if (!after || after->size() != before->size()) return false;
    for (size_t d = 0; d < before->size(); ++d)
      if ((*before)[d] != DBK_DIM_UNKNOWN && (*before)[d] != (*after)[d]) return false;
  }
  return true;
}

void evaluate(const Graph& body, const Types& types, BodyExtents& result) {
  const Extents inner(body, types, result.inputs);
  result.outputs.clear();
  for (ValueId v : body.main().outputs) result.outputs.push_back(inner.known(v));
}

bool has_bodies(const Graph& graph) {
  return std::ranges::any_of(graph.main().nodes, [](const Node& node) { return control_of(node) != Control::None; });
}

}  // namespace

// A state that the body, given its extents, gives back with them has them in every iteration; else perhaps its rank. Bodies with bodies
// are looked at once: tries within tries would double with every level.
BodyExtents body_extents(const Graph& graph, const Node& node, size_t body, const Types& types, const Extents& extents) {
  const Graph& inside = *graph.bodies[bodies_of(node)[body]];
  const States states = states_of(node);
  BodyExtents result{formals_of(node, states, extents), {}};
  for (size_t i = node.inputs.size() - node.captures; i < node.inputs.size(); ++i) result.inputs.push_back(extents.known(node.inputs[i]));
  const std::span<KnownDims> begin = std::span(result.inputs).subspan(states.first_input, states.count);
  if (!has_bodies(inside)) {
    evaluate(inside, types, result);
    if (steady(result, states)) return result;
  }
  for (KnownDims& state : begin) state = opened(state);
  evaluate(inside, types, result);
  if (steady(result, states)) return result;
  for (KnownDims& state : begin) state.reset();
  for (KnownDims& output : result.outputs) output.reset();
  return result;
}

void ExtentRules::visit_bodies(const Node& node, uint32_t index) {
  const auto found = types_.bodies.find(index);
  if (found == types_.bodies.end() || std::ranges::find(found->second, nullptr) != found->second.end()) return;
  const auto inside = [&](size_t body) { return body_extents(graph_, node, body, *found->second[body], out_); };
  switch (control_of(node)) {
    case Control::If: return branches(node, inside(0).outputs, inside(1).outputs);
    case Control::Loop:
    case Control::Scan: return iterations(node, inside(0));
    case Control::None: return;
  }
}

void ExtentRules::branches(const Node& node, std::span<const KnownDims> yes, std::span<const KnownDims> no) {
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (!yes[i] || !no[i] || yes[i]->size() != no[i]->size()) continue;
    std::vector<int64_t> dims = *yes[i];
    for (size_t d = 0; d < dims.size(); ++d)
      if (dims[d] != (*no[i])[d]) dims[d] = DBK_DIM_UNKNOWN;
    set_known(node.outputs[i], dims);
  }
}

// States, which without an iteration end as they begin; then slices behind an axis of their own.
void ExtentRules::iterations(const Node& node, const BodyExtents& body) {
  const States states = states_of(node);
  const bool scan = control_of(node) == Control::Scan;
  const ScanForm form = scan ? scan_form(node, node.outputs.size()) : ScanForm{};
  if (form.batched) return;
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    if (i < states.count) set_known(node.outputs[i], body.inputs[states.first_input + i]);
    else set_known(node.outputs[i], with_axis(body.outputs[states.first_output + i], scan ? form.out_axes[i - states.count] : 0));
  }
}

void ExtentRules::set_known(ValueId v, const KnownDims& dims) {
  if (v == DBK_NONE || !dims || types_[v].dtype == DBK_DTYPE_NONE || types_[v].shape.rank() != dims->size()) return;
  out_.ranked_[v] = true;
  for (int64_t d : *dims) out_.dims_[v].push_back(d == DBK_DIM_UNKNOWN ? table_.unknown() : table_.constant(d));
}

}  // namespace dbk

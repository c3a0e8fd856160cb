#include "plugin/graph/passes/element_region.h"

#include <algorithm>

namespace dbk {

namespace {

constexpr DTypeSet kRegisters = F32 | F16 | I32 | BOOL;

bool in_registers(const Rewriter& r, ValueId v) { return v != DBK_NONE && r.typed(v) && contains(kRegisters, r.type(v).dtype); }

bool casts(DType from, DType to) {
  return from == DBK_F16 ? contains(F32 | F16, to) : contains(kRegisters, to) && !(from == DBK_I32 && to == DBK_F16);
}

// f16 in registers is not rounded: what jumps from one value to another must not see it.
bool jumps(const Node& node) {
  constexpr std::string_view kJumps[] = {"Ceil", "Floor", "Mod", "Round", "Shrink", "Sign", "ThresholdedRelu"};
  return node.op->family == "compare" || node.op->family == "predicate" || std::ranges::find(kJumps, node.op_name) != std::end(kJumps);
}

// An op that is a function of its elements, with the number of operands that its kernel has.
bool is_function(const Node& node) {
  const std::string_view family = node.op->family;
  if (family == "binary" || family == "compare") return node.inputs.size() == 2;  // Mean has any number
  return family == "unary" || family == "predicate" || family == "clip";
}

}  // namespace

bool is_element_step(const Rewriter& r, const Node& node) {
  if (!node.op || node.outputs.size() != 1 || node.inputs.empty() || node.inputs.size() > Expression::kMaxInputs) return false;
  const std::string_view family = node.op->family;
  const ValueId out = node.outputs[0];
  const auto readable = [&](ValueId v) { return v == DBK_NONE ? family == "clip" : in_registers(r, v) && r.rank(v) <= r.rank(out); };
  if (!std::ranges::all_of(node.inputs, readable)) return false;
  if (!in_registers(r, out) || r.types().known[out] || r.rank(out) > 8) return false;
  const DType main = r.type(node.inputs[node.op->host->main_input]).dtype;
  if (family == "cast") return casts(main, r.type(out).dtype) && (r.options().has_f16 || (main == DBK_F16) == (r.type(out).dtype == DBK_F16));
  if (family == "where") return true;
  if (!is_function(node) || (main == DBK_F16 && jumps(node))) return false;
  const bool same = std::ranges::all_of(node.inputs, [&](ValueId v) { return v == DBK_NONE || r.type(v).dtype == main; });
  const bool looks_for_zeros = node.op->id == "mod" || (node.op->id == "div" && main == DBK_I32);  // which takes a program of its own
  return same && !looks_for_zeros && contains(node.op->gpu_dtypes, main);
}

bool ElementRegion::contains(const Node* node) const { return std::ranges::find(nodes_, node) != nodes_.end(); }

bool ElementRegion::rounds_inside() const {
  return std::ranges::any_of(nodes_, [&](const Node* node) {
    return node != nodes_.back() && node->op->family == "cast" && r_->type(node->inputs[0]).dtype == DBK_F32 &&
           r_->type(node->outputs[0]).dtype == DBK_F16;
  });
}

bool ElementRegion::closed() const {
  for (const Node* node : nodes_) {
    if (node == nodes_.back()) continue;
    const ValueId v = node->outputs[0];
    if (r_->visible(v) || !std::ranges::all_of(r_->readers(v), [&](const Node* reader) { return contains(reader); })) return false;
  }
  return true;
}

std::vector<ValueId> ElementRegion::operands(size_t first) const {
  std::vector<ValueId> operands;
  for (const Node* node : std::span(nodes_).subspan(first))
    for (ValueId v : node->inputs) {
      const bool listed = std::ranges::find(operands, v) != operands.end();
      if (v != DBK_NONE && !listed && !contains(r_->producer(v))) operands.push_back(v);
    }
  return operands;
}

const Node* ElementRegion::next_reader() const {
  const Node* first = nullptr;
  for (const Node* node : nodes_)
    for (const Node* reader : r_->readers(node->outputs[0]))
      if (!contains(reader) && (!first || r_->before(*reader, *first))) first = reader;
  return first;
}

std::shared_ptr<const Expression> expression_of(std::span<const Node* const> nodes, const std::vector<ValueId>& operands) {
  auto e = std::make_shared<Expression>();
  e->operands = static_cast<uint32_t>(operands.size());
  std::vector<ValueId> values = operands;
  const auto place_of = [&](ValueId v) {
    if (v == DBK_NONE) return Expression::kAbsent;
    return static_cast<uint32_t>(std::ranges::find(values, v) - values.begin());
  };
  for (const Node* node : nodes) {
    Expression::Step step{node->op, node->attrs, node->version, {}, node->name};
    for (ValueId v : node->inputs) step.inputs.push_back(place_of(v));
    e->steps.push_back(std::move(step));
    values.push_back(node->outputs[0]);
  }
  return e;
}

Node make_fused(std::string_view id, std::vector<ValueId> inputs, std::vector<ValueId> outputs, Attributes attrs) {
  Node node;
  node.op = &fused_op(id);
  node.domain = node.op->domain;
  node.op_name = node.op->name;
  node.opset = node.version = 1;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attrs = std::move(attrs);
  return node;
}

}  // namespace dbk

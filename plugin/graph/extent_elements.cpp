// Whole numbers that shapes are computed with: Shape -> Gather -> Unsqueeze -> Concat -> Reshape and the like, element
// by element.
#include <algorithm>

#include "plugin/graph/extent_rules.h"

namespace dbk {

void ExtentRules::evaluate(const Node& node) {
  if (!node.domain.empty() || node.outputs.empty() || !ranked(node.outputs[0]) || node.inputs.empty()) return;
  const std::string_view op = node.op_name;
  const ValueId in = node.inputs[0], out = node.outputs[0];
  if (op == "Shape") {
    const Dims& all = dims(in);
    const auto rank = static_cast<int64_t>(all.size());
    const auto bound = [&](int64_t b) { return std::clamp<int64_t>(b < 0 ? b + rank : b, 0, rank); };
    const int64_t first = bound(node.attrs.integer_or("start", 0)), last = bound(node.attrs.integer_or("end", rank));
    out_.elements_[out] = Dims(all.begin() + first, all.begin() + std::max(first, last));
  } else if (op == "Size") {
    out_.elements_[out] = Dims{table_.product(dims(in))};
  } else if (op == "ReduceProd" && elements(in) && types_[out].count() == 1) {
    out_.elements_[out] = Dims{table_.product(*elements(in))};
  } else if (op == "ConstantOfShape") {
    const HostTensor* value = node.attrs.has("value") ? &node.attrs.tensor("value") : nullptr;
    if (!integers(in) || types_[out].dtype != DBK_I64 || !value || types_[out].count() > 64) return;
    out_.elements_[out] = Dims(static_cast<size_t>(types_[out].count()), table_.constant(integer_at(value->view(), 0)));
  } else if (op == "Identity" || op == "Reshape" || op == "Squeeze" || op == "Unsqueeze" || op == "Flatten" ||
             op == "Cast")
    pass_on(node);
  else if (op == "Add" || op == "Mul" || op == "Sub" || op == "Div")
    arithmetic(node);
  else if (op == "Gather")
    pick(node);
  else if (op == "Concat")
    join(node);
  else if (op == "Slice")
    cut(node);
  else if (op == "Equal")
    compare_equal(node);
  else if (op == "Where")
    choose(node);
}

// The same numbers under another shape or in another integer type that holds all of them.
void ExtentRules::pass_on(const Node& node) {
  const DType to = types_[node.outputs[0]].dtype;
  const bool exact = to == types_[node.inputs[0]].dtype || to == DBK_I64;
  if (exact) out_.elements_[node.outputs[0]] = out_.elements_[node.inputs[0]];
}

void ExtentRules::arithmetic(const Node& node) {
  const Dims *a = elements(node.inputs[0]), *b = elements(node.inputs[1]);
  if (!a || !b || a->empty() || b->empty() || (a->size() != b->size() && a->size() != 1 && b->size() != 1)) return;
  if (types_[node.outputs[0]].shape.rank() > 1) return;
  Dims result;
  for (size_t i = 0; i < std::max(a->size(), b->size()); ++i) {
    const Extent x = (*a)[a->size() == 1 ? 0 : i], y = (*b)[b->size() == 1 ? 0 : i];
    const auto divisor = table_.value_of(y);
    if (node.op_name == "Add")
      result.push_back(table_.sum({x, y}));
    else if (node.op_name == "Mul")
      result.push_back(table_.product({x, y}));
    else if (node.op_name == "Sub" && divisor && *divisor != INT64_MIN)
      result.push_back(table_.sum({x, table_.constant(-*divisor)}));
    else if (node.op_name == "Div" && divisor && *divisor > 0)
      result.push_back(table_.quotient(x, y));
    else
      result.push_back(table_.unknown(true));
  }
  out_.elements_[node.outputs[0]] = std::move(result);
}

// Gather from a vector.
void ExtentRules::pick(const Node& node) {
  const Dims* from = elements(node.inputs[0]);
  const auto indices = integers(node.inputs[1]);
  if (!from || !indices || types_[node.inputs[0]].shape.rank() != 1) return;
  Dims result;
  for (int64_t index : *indices) {
    const int64_t at = index < 0 ? index + static_cast<int64_t>(from->size()) : index;
    if (at < 0 || at >= static_cast<int64_t>(from->size())) return;
    result.push_back((*from)[static_cast<size_t>(at)]);
  }
  out_.elements_[node.outputs[0]] = std::move(result);
}

// Concat of vectors.
void ExtentRules::join(const Node& node) {
  Dims result;
  for (ValueId v : node.inputs) {
    const Dims* part = elements(v);
    if (!part || types_[v].shape.rank() != 1) return;
    result.insert(result.end(), part->begin(), part->end());
  }
  out_.elements_[node.outputs[0]] = std::move(result);
}

// Slice of a vector, with steps of 1.
void ExtentRules::cut(const Node& node) {
  const Dims* from = elements(node.inputs[0]);
  if (!from || node.inputs.size() < 3 || types_[node.inputs[0]].shape.rank() != 1) return;
  const auto starts = integers(node.inputs[1]), ends = integers(node.inputs[2]);
  const bool stepped = node.inputs.size() > 4 && node.inputs[4] != DBK_NONE;
  const auto steps = stepped ? integers(node.inputs[4]) : std::vector<int64_t>{1};
  if (!starts || !ends || !steps || starts->size() != 1 || ends->size() != 1 || *steps != std::vector<int64_t>{1})
    return;
  const auto size = static_cast<int64_t>(from->size());
  const auto bound = [&](int64_t b) { return std::clamp<int64_t>(b < 0 ? b + size : b, 0, size); };
  const int64_t first = bound(starts->front()), last = std::max(first, bound(ends->front()));
  out_.elements_[node.outputs[0]] = Dims(from->begin() + first, from->begin() + last);
}

// Exporters ask whether an extent is -1.
void ExtentRules::compare_equal(const Node& node) {
  const Dims *a = elements(node.inputs[0]), *b = elements(node.inputs[1]);
  if (!a || !b || a->empty() || b->empty() || (a->size() != b->size() && a->size() != 1 && b->size() != 1)) return;
  Dims result;
  for (size_t i = 0; i < std::max(a->size(), b->size()); ++i) {
    const Extent x = (*a)[a->size() == 1 ? 0 : i], y = (*b)[b->size() == 1 ? 0 : i];
    const auto most_x = table_.at_most(x), most_y = table_.at_most(y);
    const bool differ = (most_x && *most_x < table_.at_least(y)) || (most_y && *most_y < table_.at_least(x));
    if (x != y && !differ) return;
    result.push_back(table_.constant(x == y));
  }
  out_.elements_[node.outputs[0]] = std::move(result);
}

// Where between vectors, by answers that are known.
void ExtentRules::choose(const Node& node) {
  const auto answers = integers(node.inputs[0]);
  const Dims *yes = elements(node.inputs[1]), *no = elements(node.inputs[2]);
  if (!answers || !yes || !no || types_[node.outputs[0]].shape.rank() > 1) return;
  const size_t count = static_cast<size_t>(types_[node.outputs[0]].count());
  const auto fits = [&](size_t size) { return size == count || size == 1; };
  if (!fits(answers->size()) || !fits(yes->size()) || !fits(no->size())) return;
  Dims result;
  for (size_t i = 0; i < count; ++i) {
    const Dims& chosen = (*answers)[answers->size() == 1 ? 0 : i] ? *yes : *no;
    result.push_back(chosen[chosen.size() == 1 ? 0 : i]);
  }
  out_.elements_[node.outputs[0]] = std::move(result);
}

}  // namespace dbk

// Rules for the shapes of results.
#include <algorithm>

#include "plugin/graph/extent_rules.h"

namespace dbk {

bool ExtentRules::broadcast_all(const Node& node) {
  Dims result;
  for (ValueId v : node.inputs)
    if (v != DBK_NONE) result = broadcast(result, dims(v));
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::like_first(const Node& node) { return set(node.outputs[0], dims(node.inputs[0])); }

// The normalised result, and the sum.
bool ExtentRules::residual_norm(const Node& node) {
  if (node.outputs.size() > 3 && ranked(node.outputs[3])) set(node.outputs[3], dims(node.inputs[0]));
  return like_first(node);
}

// Both operands as they are.
bool ExtentRules::rotary_heads(const Node& node) {
  if (node.outputs.size() > 1 && ranked(node.outputs[1])) set(node.outputs[1], dims(node.inputs[1]));
  return like_first(node);
}

// [batch..., rows, columns]; empty for vectors.
ExtentRules::Dims ExtentRules::product_dims(const Node& node) {
  const auto in_order = [&](const Dims& given, const char* order) {
    if (!node.attrs.has(order)) return given;
    Dims result;
    for (int64_t axis : node.attrs.integers(order)) result.push_back(given[static_cast<size_t>(axis)]);
    return result;
  };
  const Dims a = in_order(dims(node.inputs[0]), "permA"), b = in_order(dims(node.inputs[1]), "permB");
  if (a.size() < 2 || b.size() < 2) return {};
  Dims result = broadcast(Dims(a.begin(), a.end() - 2), Dims(b.begin(), b.end() - 2));
  result.push_back(a[a.size() - 2]);
  result.push_back(b.back());
  return result;
}

bool ExtentRules::matmul(const Node& node) {
  const auto is_set = [&](const char* name) { return node.attrs.integer_or(name, 0) != 0; };
  if (std::ranges::any_of(std::initializer_list<const char*>{"transA", "transB", "transBatchA", "transBatchB"}, is_set)) return false;
  return set(node.outputs[0], product_dims(node));
}

bool ExtentRules::split_matmul(const Node& node) {
  Dims result = product_dims(node);
  if (result.empty()) return false;
  const std::vector<int64_t>& widths = node.attrs.integers("widths");
  for (size_t i = 0; i < node.outputs.size(); ++i) {
    result.back() = table_.constant(widths[i]);
    set(node.outputs[i], result);
  }
  return true;
}

bool ExtentRules::gemm(const Node& node) {
  const Dims &a = dims(node.inputs[0]), &b = dims(node.inputs[1]);
  return set(node.outputs[0],
             {a[node.attrs.integer_or("transA", 0) ? 1 : 0], b[node.attrs.integer_or("transB", 0) ? 0 : 1]});
}

bool ExtentRules::transpose(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  Dims result(from.rbegin(), from.rend());
  if (node.attrs.has("perm"))
    for (size_t i = 0; i < from.size(); ++i) result[i] = from[static_cast<size_t>(node.attrs.integers("perm")[i])];
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::reduce(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  const auto axes = axes_of(node, 1, from.size());
  if (!axes || (axes->empty() && node.attrs.integer_or("noop_with_empty_axes", 0))) return axes && like_first(node);
  const bool keep = node.attrs.integer_or("keepdims", 1) != 0;
  Dims result;
  for (size_t i = 0; i < from.size(); ++i) {
    const bool reduced = axes->empty() || std::ranges::find(*axes, static_cast<int64_t>(i)) != axes->end();
    if (!reduced)
      result.push_back(from[i]);
    else if (keep)
      result.push_back(table_.constant(1));
  }
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::concat(const Node& node) {
  Dims result = dims(node.inputs[0]), joined;
  const auto axis =
      static_cast<size_t>(normalize_axis(node.attrs.integer("axis"), static_cast<uint32_t>(result.size())));
  for (ValueId v : node.inputs) joined.push_back(dims(v)[axis]);
  result[axis] = table_.sum(joined);
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::gather(const Node& node) {
  const Dims &data = dims(node.inputs[0]), &indices = dims(node.inputs[1]);
  const auto axis =
      static_cast<ptrdiff_t>(normalize_axis(node.attrs.integer("axis"), static_cast<uint32_t>(data.size())));
  Dims result(data.begin(), data.begin() + axis);
  result.insert(result.end(), indices.begin(), indices.end());
  result.insert(result.end(), data.begin() + axis + 1, data.end());
  return set(node.outputs[0], std::move(result));
}

// Batches and places from the indices, what each index tuple leaves from the data.
bool ExtentRules::gather_nd(const Node& node) {
  const Dims &data = dims(node.inputs[0]), &indices = dims(node.inputs[1]);
  const auto length = indices.empty() ? std::nullopt : table_.value_of(indices.back());
  const int64_t used = length ? node.attrs.integer_or("batch_dims", 0) + *length : -1;
  if (used < 0 || used > static_cast<int64_t>(data.size())) return false;
  Dims result(indices.begin(), indices.end() - 1);
  result.insert(result.end(), data.begin() + used, data.end());
  return set(node.outputs[0], std::move(result));
}

// From 0 on, with steps of 1: as many as the limit says.
bool ExtentRules::range(const Node& node) {
  const auto start = integers(node.inputs[0]), step = integers(node.inputs[2]);
  const Dims* limit = elements(node.inputs[1]);
  const bool counts = start == std::vector<int64_t>{0} && step == std::vector<int64_t>{1} && limit && limit->size() == 1;
  return counts && table_.at_least(limit->front()) >= 0 && set(node.outputs[0], *limit);
}

// From 0 on, with steps of 1: the lesser of extent and end. Other axes than those that are cut stay.
bool ExtentRules::slice(const Node& node) {
  Dims result = dims(node.inputs[0]);
  if (node.inputs.size() < 3) return false;  // attributes, before opset 10
  const auto starts = integers(node.inputs[1]);
  const Dims* ends = elements(node.inputs[2]);
  std::optional<std::vector<int64_t>> axes, steps;
  if (node.inputs.size() > 3 && node.inputs[3] != DBK_NONE) axes = integers(node.inputs[3]);
  if (node.inputs.size() > 4 && node.inputs[4] != DBK_NONE) steps = integers(node.inputs[4]);
  if ((node.inputs.size() > 3 && node.inputs[3] != DBK_NONE && !axes)) return false;
  const size_t count = axes ? axes->size() : starts ? starts->size() : result.size();
  const bool unit = node.inputs.size() < 5 || node.inputs[4] == DBK_NONE ||
                    (steps && std::ranges::count(*steps, 1) == static_cast<ptrdiff_t>(steps->size()));
  for (size_t i = 0; i < count; ++i) {
    const size_t axis = axes ? normalize_axis((*axes)[i], static_cast<uint32_t>(result.size())) : i;
    const bool front = unit && starts && (*starts)[i] == 0 && ends && table_.at_least((*ends)[i]) >= 0;
    const auto extent = table_.value_of(result[axis]);
    const auto first = starts ? std::optional((*starts)[i]) : std::nullopt;
    const auto last = ends ? table_.value_of((*ends)[i]) : std::nullopt;
    if (front)
      result[axis] = table_.minimum(result[axis], (*ends)[i]);
    else if (extent && first && last && (unit || steps))
      result[axis] = table_.constant(types_[node.outputs[0]].shape[axis]);
    else
      result[axis] = table_.unknown();
  }
  return set(node.outputs[0], std::move(result));
}

// An element that may be 0 copies the input's extent at its place: the result has the element's where both are the
// same.
bool ExtentRules::reshape(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  const Dims* wanted = elements(node.inputs[1]);
  if (!wanted) return false;
  const bool zeros = node.attrs.integer_or("allowzero", 0) != 0;
  Dims result, known;
  std::optional<size_t> open;
  for (size_t i = 0; i < wanted->size(); ++i) {
    const Extent e = (*wanted)[i];
    const bool same = i < from.size() && from[i] == e;
    if (table_.is(e, -1))
      open = i;
    else if (table_.is(e, 0) && !zeros && i >= from.size())
      return false;
    result.push_back(table_.is(e, 0) && !zeros                  ? from[i]
                     : table_.at_least(e) >= 1 || same || zeros ? e
                                                                : table_.unknown());
    if (table_.at_least(e) < 0 && !table_.is(e, -1)) return false;
    if (open != i) known.push_back(result.back());
  }
  if (open) result[*open] = table_.quotient(table_.product(from), table_.product(known));
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::flatten(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  int64_t axis = node.attrs.integer_or("axis", 1);
  if (axis < 0) axis += static_cast<int64_t>(from.size());
  return set(node.outputs[0], {table_.product(Dims(from.begin(), from.begin() + axis)),
                               table_.product(Dims(from.begin() + axis, from.end()))});
}

bool ExtentRules::squeeze(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  const auto axes = axes_of(node, 1, from.size());
  if (!axes || axes->empty()) return false;  // which axes are 1 may differ between runs
  Dims result;
  for (size_t i = 0; i < from.size(); ++i)
    if (std::ranges::find(*axes, static_cast<int64_t>(i)) == axes->end()) result.push_back(from[i]);
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::unsqueeze(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  const size_t rank = types_[node.outputs[0]].shape.rank();
  const auto axes = axes_of(node, 1, rank);
  if (!axes) return false;
  Dims result;
  for (size_t i = 0, next = 0; i < rank; ++i) {
    const bool added = std::ranges::find(*axes, static_cast<int64_t>(i)) != axes->end();
    if (!added && next >= from.size()) return false;
    result.push_back(added ? table_.constant(1) : from[next++]);
  }
  return set(node.outputs[0], std::move(result));
}

bool ExtentRules::expand(const Node& node) {
  const Dims* wanted = elements(node.inputs[1]);
  return wanted && set(node.outputs[0], broadcast(dims(node.inputs[0]), *wanted));
}

bool ExtentRules::constant_of_shape(const Node& node) {
  const Dims* wanted = elements(node.inputs[0]);
  return wanted && set(node.outputs[0], *wanted);
}

bool ExtentRules::shape(const Node& node) {
  return set(node.outputs[0], {table_.constant(types_[node.outputs[0]].count())});
}

bool ExtentRules::size(const Node& node) { return set(node.outputs[0], {}); }

bool ExtentRules::split(const Node& node) {
  const Dims& from = dims(node.inputs[0]);
  const size_t axis = normalize_axis(node.attrs.integer_or("axis", 0), static_cast<uint32_t>(from.size()));
  const bool constant =
      table_.value_of(from[axis]) && (node.inputs.size() < 2 || node.inputs[1] == DBK_NONE || integers(node.inputs[1]));
  for (ValueId v : node.outputs) {
    if (!ranked(v)) continue;
    Dims result = from;
    result[axis] = constant ? table_.constant(types_[v].shape[axis]) : table_.unknown();
    set(v, std::move(result));
  }
  return true;
}

// Batch and channels; positions where they are constants of the input.
bool ExtentRules::convolution(const Node& node) {
  const Dims &x = dims(node.inputs[0]), &w = dims(node.inputs[1]);
  Dims result{x[0], w[0]};
  const bool constant =
      std::all_of(x.begin() + 2, x.end(), [&](Extent e) { return table_.value_of(e); }) && out_.fixed(node.inputs[1]);
  for (uint32_t i = 2; i < types_[node.outputs[0]].shape.rank(); ++i)
    result.push_back(constant ? table_.constant(types_[node.outputs[0]].shape[i]) : table_.unknown());
  return set(node.outputs[0], std::move(result));
}

}  // namespace dbk

#include "plugin/graph/passes/column_window.h"

#include <algorithm>

namespace dbk {

namespace {

bool is_last_axis(const Rewriter& r, ValueId v, int64_t axis) { return axis == -1 || axis + 1 == static_cast<int64_t>(r.rank(v)); }

std::optional<ColumnWindow> read_split(const Rewriter& r, const Node& split, ValueId part) {
  if (!is_last_axis(r, split.inputs[0], split.attrs.integer("axis"))) return std::nullopt;
  int64_t first = 0;
  for (ValueId v : split.outputs) {
    const auto width = v == DBK_NONE ? std::nullopt : columns_of(r, v);
    if (!width) return std::nullopt;
    if (v == part) return ColumnWindow{split.inputs[0], part, first, *width, &split};
    first += *width;
  }
  return std::nullopt;
}

// A list of Slice that has one number: operand `input`, or an attribute before version 10.
std::optional<int64_t> number_of(const Rewriter& r, const Node& slice, size_t input, const char* name, int64_t otherwise) {
  std::optional<std::vector<int64_t>> list;
  if (slice.attrs.has(name)) list = slice.attrs.integers(name);
  else if (input >= slice.inputs.size() || slice.inputs[input] == DBK_NONE) return otherwise;
  else list = r.integers(slice.inputs[input]);
  return list && list->size() == 1 ? std::optional(list->front()) : std::nullopt;
}

std::optional<ColumnWindow> read_slice(const Rewriter& r, const Node& slice) {
  const auto total = columns_of(r, slice.inputs[0]);
  const auto first = number_of(r, slice, 1, "starts", 0), last = number_of(r, slice, 2, "ends", 0), axis = number_of(r, slice, 3, "axes", 0),
             step = number_of(r, slice, 4, "steps", 1);
  if (!total || !first || !last || !axis || step != 1 || !is_last_axis(r, slice.inputs[0], *axis)) return std::nullopt;
  const auto inside = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + *total : at, 0, *total); };
  return ColumnWindow{slice.inputs[0], slice.outputs[0], inside(*first), std::max<int64_t>(inside(*last) - inside(*first), 0), &slice};
}

}  // namespace

std::optional<int64_t> columns_of(const Rewriter& r, ValueId v) {
  if (!r.typed(v) || r.rank(v) == 0) return std::nullopt;
  return r.extents().constant(r.extents().dim(v, r.rank(v) - 1));
}

std::optional<ColumnWindow> read_window(const Rewriter& r, ValueId part) {
  const Node* node = r.producer(part);
  if (is_op(node, "Split") && r.typed(node->inputs[0])) return read_split(r, *node, part);
  if (is_op(node, "Slice") && r.typed(node->inputs[0])) return read_slice(r, *node);
  return std::nullopt;
}

}  // namespace dbk

// Queries, keys and values out of one product, as vision transformers are exported: Reshape to [batch, positions, three, heads, size],
// mostly a Transpose that brings the three in front, and for each a Gather, or Split and Squeeze. By columns it is the same: Slice,
// Reshape, Transpose, which other passes know.
#include <algorithm>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// [batch, positions, parts * heads * size] as five axes, in which the parts are number `axis`.
struct Packed {
  const Node *reshape, *transpose;  // transpose: null where the axes stay in order
  int64_t axis, parts, heads, size;
  const Node& last() const { return transpose ? *transpose : *reshape; }
};

std::optional<Packed> read_packed(const Rewriter& r, const Node& node) {
  Packed p{&node, nullptr, 2, 0, 0, 0};
  if (r.permutes(&node, {2, 0, 3, 1, 4})) p.transpose = &node, p.reshape = r.producer(node.inputs[0], "Reshape"), p.axis = 0;
  if (!is_op(p.reshape, "Reshape") || !r.typed(p.reshape->inputs[0]) || !r.typed(p.reshape->outputs[0])) return std::nullopt;
  const std::vector<Extent>&from = r.extents().of(p.reshape->inputs[0]), &to = r.extents().of(p.reshape->outputs[0]);
  if (from.size() != 3 || to.size() != 5 || from[0] != to[0] || from[1] != to[1]) return std::nullopt;
  const auto columns = r.extents().constant(from[2]), parts = r.extents().constant(to[2]), heads = r.extents().constant(to[3]),
             size = r.extents().constant(to[4]);
  if (!columns || !parts || !heads || !size || *parts < 2 || *parts * *heads * *size != *columns) return std::nullopt;
  p.parts = *parts, p.heads = *heads, p.size = *size;
  return p;
}

// A part that somebody takes, with what takes it.
struct Taken {
  int64_t part;
  ValueId value;  // [.., heads, size] without the axis of the parts
  std::vector<const Node*> nodes;
};

int64_t in_range(int64_t index, int64_t count) { return index < 0 ? index + count : index; }

std::optional<Taken> read_gather(const Rewriter& r, const Packed& p, const Node& gather) {
  const auto index = r.integers(gather.inputs[1]);
  if (!index || index->size() != 1 || r.rank(gather.inputs[1]) != 0 || in_range(gather.attrs.integer("axis"), 5) != p.axis) return std::nullopt;
  const int64_t part = in_range(index->front(), p.parts);
  return part < 0 || part >= p.parts ? std::nullopt : std::optional(Taken{part, gather.outputs[0], {&gather}});
}

// Parts of one each, and the axis goes behind them.
std::vector<Taken> read_split(const Rewriter& r, const Packed& p, const Node& split) {
  if (in_range(split.attrs.integer("axis"), 5) != p.axis || static_cast<int64_t>(split.outputs.size()) != p.parts) return {};
  std::vector<Taken> list;
  for (ValueId v : split.outputs) {
    const Node* squeeze = v == DBK_NONE ? nullptr : r.sole_reader(v);
    const auto axes = is_op(squeeze, "Squeeze") ? r.axes_of(*squeeze) : std::nullopt;
    if (!axes || axes->size() != 1 || in_range(axes->front(), 5) != p.axis) return {};
    list.push_back({static_cast<int64_t>(list.size()), squeeze->outputs[0], {squeeze}});
  }
  return list;
}

// Everything that is taken; empty where somebody reads the value in another way.
std::vector<Taken> read_taken(const Rewriter& r, const Packed& p) {
  const ValueId whole = p.last().outputs[0];
  std::vector<Taken> all;
  for (const Node* reader : r.readers(whole)) {
    std::vector<Taken> list;
    if (is_op(reader, "Split")) list = read_split(r, p, *reader);
    if (const auto taken = is_op(reader, "Gather") && reader->inputs[0] == whole ? read_gather(r, p, *reader) : std::nullopt) list.push_back(*taken);
    if (list.empty()) return {};
    if (is_op(reader, "Split")) list.front().nodes.insert(list.front().nodes.begin(), reader);
    all.insert(all.end(), list.begin(), list.end());
  }
  return r.visible(whole) ? std::vector<Taken>{} : all;
}

void unpack(Rewriter& r, const Packed& p, const std::vector<Taken>& all) {
  const ValueId x = p.reshape->inputs[0];
  const DType dtype = r.type(x).dtype;
  const int64_t columns = p.heads * p.size;
  std::vector<Rewriter::Replacement> list;
  for (const Taken& taken : all) {
    const ValueId part = r.add_value({dtype, {}}), cut = p.transpose ? r.add_value({dtype, {}}) : taken.value;
    const Node& near = *taken.nodes.back();
    r.insert(Rewriter::make("Slice", {x, r.add_integers({taken.part * columns}), r.add_integers({(taken.part + 1) * columns}), r.add_integers({2})}, {part}), near);
    Node reshape = Rewriter::make("Reshape", {part, r.add_integers({0, 0, p.heads, p.size})}, {cut});
    Attributes order;
    order.set("perm", std::vector<int64_t>{0, 2, 1, 3});
    if (p.transpose) r.insert(std::move(reshape), near);
    std::vector<const Node*> absorbed = taken.nodes;
    if (list.empty() && p.transpose) absorbed.insert(absorbed.begin(), p.transpose);
    if (list.empty() && (!p.transpose || r.sole_reader(p.reshape->outputs[0]))) absorbed.insert(absorbed.begin(), p.reshape);
    list.push_back({std::move(absorbed), p.transpose ? Rewriter::make("Transpose", {cut}, {taken.value}, std::move(order)) : std::move(reshape)});
  }
  r.replace_all(std::move(list));
}

}  // namespace

void unpack_heads(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    const auto packed = is_op(node, "Transpose") || is_op(node, "Reshape") ? read_packed(r, *node) : std::nullopt;
    if (!packed) continue;
    if (const std::vector<Taken> all = read_taken(r, *packed); !all.empty()) unpack(r, *packed, all);
  }
}

}  // namespace dbk

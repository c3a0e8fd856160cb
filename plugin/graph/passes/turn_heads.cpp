// Heads that are turned by their positions in an axis of their own, or only some of whose columns are: they are turned where they lie, side by
// side, in front of the Transpose that brings them into that axis. What reads heads side by side then needs no Transpose.
#include <algorithm>

#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/rotation.h"

namespace dbk {

namespace {

using Layout = Rotation::Layout;

// [b, s, heads * size] that a Reshape cuts into [b, s, heads, size]; or what is there, without its heads.
ValueId side_by_side(Rewriter& r, RotationWriter& writer, const Rotation& t, ValueId cut, std::vector<const Node*>& absorbed) {
  const Node* reshape = r.producer(cut, "Reshape");
  if (reshape && r.typed(reshape->inputs[0]) && r.typed(cut)) {
    const std::vector<Extent>&from = r.extents().of(reshape->inputs[0]), &to = r.extents().of(cut);
    if (from.size() == 3 && from[0] == to[0] && from[1] == to[1] && r.extents().is(from[2], t.heads * t.size)) {
      std::vector<const Node*> more = absorbed;
      more.insert(more.begin(), reshape);
      if (is_closed(r, more, t.result)) absorbed = std::move(more);
      return reshape->inputs[0];
    }
  }
  return writer.insert("Reshape", {cut, r.add_integers({0, 0, t.heads * t.size})}, {}, *t.nodes.front());
}

// Turned side by side, cut and, behind `swap`, transposed again.
void turn_rows(Rewriter& r, RotationWriter& writer, Rotation t, const Node* swap) {
  std::vector<const Node*> absorbed = t.nodes;
  if (swap) absorbed.insert(absorbed.begin(), swap);
  const ValueId rows = side_by_side(r, writer, t, swap ? swap->inputs[0] : t.x, absorbed);
  const DType dtype = r.type(t.x).dtype;
  const ValueId turned = r.add_value({dtype, {}}), cut = swap ? r.add_value({dtype, {}}) : t.result;
  const Node& near = *t.nodes.back();
  t.layout = Layout::SideBySide;
  r.insert(writer.node(t, {rows}, {turned}), near);
  Node reshape = Rewriter::make("Reshape", {turned, r.add_integers({0, 0, t.heads, t.size})}, {cut});
  if (!swap) return void(r.replace(std::move(absorbed), std::move(reshape)));
  r.insert(std::move(reshape), near);
  Attributes order;
  order.set("perm", std::vector<int64_t>{0, 2, 1, 3});
  r.replace(std::move(absorbed), Rewriter::make("Transpose", {cut}, {t.result}, std::move(order)));
}

void visit(Rewriter& r, RotationWriter& writer, const Node& node) {
  const auto t = read_rotation(r, node);
  if (!t) return r.miss(node, "heads and tables are not known to be those of [batch, heads, tokens, size]");
  if (t->layout == Layout::SideBySide) return;
  const bool part = t->nodes.size() > 1;
  if (part && !is_closed(r, t->nodes, t->result)) return r.miss(node, "somebody else reads a part of the heads, of which some columns are turned");
  const Node* swap = r.producer(t->x);
  std::vector<const Node*> whole = t->nodes;
  if (t->layout == Layout::HeadsFirst && r.permutes(swap, {0, 2, 1, 3})) {
    whole.insert(whole.begin(), swap);
    if (is_closed(r, whole, t->result)) return turn_rows(r, writer, *t, swap);
    r.miss(node, "heads are also read before they are turned");
  }
  const Node* reader = r.sole_reader(t->result);
  if (t->layout == Layout::TokensFirst && (part || r.permutes(reader, {0, 2, 1, 3}) || r.permutes(reader, {0, 2, 3, 1}))) return turn_rows(r, writer, *t, nullptr);
  if (part) r.replace(t->nodes, writer.node(*t, {t->x}, {t->result}));
}

}  // namespace

void turn_heads(Rewriter& r) {
  RotationWriter writer(r);
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); is_rotation(node)) visit(r, writer, *node);
}

}  // namespace dbk

#include "plugin/graph/passes/rotation.h"

#include <algorithm>

#include "plugin/graph/passes/column_window.h"

namespace dbk {

namespace {

using Layout = Rotation::Layout;

bool has(const Node& node, size_t i) { return i < node.inputs.size() && node.inputs[i] != DBK_NONE; }

bool set_heads(const Rewriter& r, Rotation& t) {
  const auto extent = [&](int64_t axis) { return r.extents().constant(r.extents().dim(t.x, axis)); };
  const auto heads = extent(t.layout == Layout::HeadsFirst ? 1 : 2), size = extent(3);
  if (!heads || !size || *heads < 1 || *size < 2) return false;
  t.heads = *heads, t.size = *size;
  return true;
}

// The rest of x, which goes on behind what is turned: x[.., width:]. Both are joined again.
bool read_part(const Rewriter& r, Rotation& t) {
  const auto first = read_window(r, t.x);
  const Node* join = r.sole_reader(t.result);
  if (!first || first->first != 0 || !is_op(join, "Concat") || join->inputs.size() != 2 || join->inputs[0] != t.result) return false;
  const auto rest = read_window(r, join->inputs[1]);
  const auto all = columns_of(r, first->whole);
  const int64_t axis = join->attrs.integer("axis");
  if (!rest || !all || rest->whole != first->whole || rest->first != first->width || rest->first + rest->width != *all || (axis != -1 && axis != 3)) return false;
  t.x = first->whole, t.result = join->outputs[0];
  std::vector<const Node*> nodes{first->node};
  if (rest->node != first->node) nodes.push_back(rest->node);
  nodes.insert(nodes.end(), {t.nodes.front(), join});
  t.nodes = std::move(nodes);
  return true;
}

// Tables of ai.daybreak.Rotary, which broadcast to x: with one row for all heads, whichever axis has those. Where both axes may, it is all
// the same.
bool read_tables(const Rewriter& r, Rotation& t) {
  if (!r.typed(t.cosine) || !r.typed(t.sine) || !r.extents().same_shape(t.cosine, t.sine)) return false;
  const uint32_t rank = r.rank(t.cosine);
  if (rank == 0 || rank > 4 || !r.extents().is(r.extents().dim(t.cosine, -1), t.width)) return false;
  const auto is_one = [&](int64_t axis) { return static_cast<int64_t>(rank) >= -axis && r.extents().is(r.extents().dim(t.cosine, axis), 1); };
  if (rank < 3 || is_one(-3))
    t.layout = Layout::HeadsFirst, t.squeezed = rank < 3 ? 0 : -3;
  else if (is_one(-2))
    t.layout = Layout::TokensFirst, t.squeezed = -2;
  else
    return false;
  return true;
}

bool read_written(const Rewriter& r, const Node& node, Rotation& t) {
  t.cosine = node.inputs[1], t.sine = node.inputs[2], t.whole_rows = true;
  const auto width = columns_of(r, t.x);
  if (!width || *width == 0 || r.rank(t.x) != 4) return false;
  t.width = *width;
  read_part(r, t);
  return r.typed(t.x) && read_tables(r, t) && set_heads(r, t);
}

bool read_embedding(const Rewriter& r, const Node& node, bool microsoft, Rotation& t) {
  t.cosine = node.inputs[microsoft ? 2 : 1], t.sine = node.inputs[microsoft ? 3 : 2];
  const size_t positions = microsoft ? 1 : 3;
  if (has(node, positions)) t.positions = node.inputs[positions];
  if (!r.typed(t.x) || !r.typed(t.cosine) || (r.rank(t.x) != 3 && r.rank(t.x) != 4)) return false;
  const auto half = columns_of(r, t.cosine), columns = columns_of(r, t.x);
  if (!half || !columns || *half < 1 || *columns < 2) return false;
  t.width = 2 * *half;
  if (r.rank(t.x) == 4) return set_heads(r, t);
  t.layout = Layout::SideBySide;
  t.heads = node.attrs.integer_or("num_heads", 0);
  if (t.heads == 0) t.heads = *columns / t.width;
  t.size = t.heads > 0 ? *columns / t.heads : 0;
  return t.size >= t.width;
}

void read_own(const Rewriter& r, const Node& node, Rotation& t) {
  t.cosine = node.inputs[2], t.sine = node.inputs[3];
  if (has(node, 4)) t.positions = node.inputs[4];
  t.whole_rows = node.attrs.integer("whole_rows") != 0;
  t.heads = node.attrs.integer("num_heads");
  if (t.heads > 0) t.layout = Layout::SideBySide;
  t.size = columns_of(r, t.x).value_or(0) / std::max<int64_t>(t.heads, 1);
  t.width = node.attrs.integer("rotary_embedding_dim");
  if (t.width == 0) t.width = t.size;
}

}  // namespace

bool is_rotation(const Node* node) {
  if (!node || !node->op || !has(*node, 0)) return false;
  const std::string_view id = node->op->id;
  return id == "rotary" || id == "rotary_embedding" || id == "microsoft_rotary_embedding" || (id == "rotary_heads" && !has(*node, 1));
}

std::optional<Rotation> read_rotation(const Rewriter& r, const Node& node) {
  Rotation t{.x = node.inputs[0], .result = node.outputs[0], .interleaved = node.attrs.integer_or("interleaved", 0) != 0, .nodes = {&node}};
  const std::string_view id = node.op->id;
  if (!r.typed(t.x) || !r.typed(t.result)) return std::nullopt;
  if (id == "rotary_heads") return read_own(r, node, t), t;
  const bool read = id == "rotary" ? read_written(r, node, t) : read_embedding(r, node, id == "microsoft_rotary_embedding", t);
  return read ? std::optional(std::move(t)) : std::nullopt;
}

bool is_closed(const Rewriter& r, const std::vector<const Node*>& nodes, ValueId result) {
  const auto inside = [&](const Node* reader) { return std::ranges::find(nodes, reader) != nodes.end(); };
  for (const Node* node : nodes)
    for (ValueId v : node->outputs)
      if (v != DBK_NONE && v != result && (r.visible(v) || !std::ranges::all_of(r.readers(v), inside))) return false;
  return true;
}

ValueId RotationWriter::insert(std::string_view op, std::vector<ValueId> inputs, Attributes attrs, const Node& near) {
  const ValueId out = r_.add_value({r_.type(inputs[0]).dtype, {}});
  r_.insert(Rewriter::make(op, std::move(inputs), {out}, std::move(attrs)), near);
  return out;
}

ValueId RotationWriter::table(const Rotation& rotation, ValueId given) {
  if (rotation.squeezed == 0) return given;
  ValueId& made = squeezed_.try_emplace({given, rotation.squeezed}, DBK_NONE).first->second;
  if (made == DBK_NONE) made = insert("Squeeze", {given, r_.add_integers({rotation.squeezed})}, {}, *rotation.nodes.back());
  return made;
}

Node RotationWriter::node(const Rotation& rotation, std::vector<ValueId> operands, std::vector<ValueId> results, int64_t kv_heads) {
  Attributes attrs;
  const bool side_by_side = rotation.layout != Layout::HeadsFirst;
  attrs.set("num_heads", side_by_side ? rotation.heads : 0);
  attrs.set("kv_num_heads", side_by_side ? kv_heads : 0);
  attrs.set("rotary_embedding_dim", rotation.width == rotation.size ? 0 : rotation.width);
  attrs.set("interleaved", int64_t{rotation.interleaved});
  attrs.set("whole_rows", int64_t{rotation.whole_rows});
  operands.resize(2, DBK_NONE);
  operands.insert(operands.end(), {table(rotation, rotation.cosine), table(rotation, rotation.sine)});
  if (rotation.positions != DBK_NONE) operands.push_back(rotation.positions);
  return Rewriter::make("RotaryHeads", std::move(operands), std::move(results), std::move(attrs), "ai.daybreak");
}

}  // namespace dbk

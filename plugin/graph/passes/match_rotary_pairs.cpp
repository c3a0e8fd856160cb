// Rotary position embedding written out for the two parts of x, with tables of half its width: (x1 cos - x2 sin, x2 cos + x1 sin), joined as
// halves or as neighbours. One node ai.daybreak.Rotary, whose tables are made whole: that is small work, once for all that
// turn by them, and none where they are weights.
#include <map>

#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/rotary_parts.h"

namespace dbk {

namespace {

struct Pairs {
  ValueId x = DBK_NONE, x1 = DBK_NONE, x2 = DBK_NONE, cos = DBK_NONE, sin = DBK_NONE;
  bool interleaved = false;
  std::vector<const Node*> nodes;  // in order
};

bool multiplies(const Node& mul, ValueId a, ValueId b) {
  return (mul.inputs[0] == a && mul.inputs[1] == b) || (mul.inputs[0] == b && mul.inputs[1] == a);
}

// x1 cos - x2 sin, from its Sub; the factors of each product in either order.
bool read_first(const Rewriter& r, const Node& sub, Pairs& p) {
  const Node *straight = r.producer(sub.inputs[0], "Mul"), *turned = r.producer(sub.inputs[1], "Mul");
  if (!straight || !turned) return false;
  for (size_t i : {0u, 1u})
    for (size_t k : {0u, 1u}) {
      const auto first = read_part(r, straight->inputs[i]), second = read_part(r, turned->inputs[k]);
      if (!first || !second || !is_pair(r, *first, *second, p.interleaved)) continue;
      p.x = first->x, p.x1 = straight->inputs[i], p.x2 = turned->inputs[k];
      p.cos = straight->inputs[1 - i], p.sin = turned->inputs[1 - k];
      p.nodes = {first->node};
      if (second->node != first->node) p.nodes.push_back(second->node);
      p.nodes.insert(p.nodes.end(), {straight, turned, &sub});
      return true;
    }
  return false;
}

// x2 cos + x1 sin, from its Add.
bool read_second(const Rewriter& r, const Node& add, Pairs& p) {
  const Node *a = r.producer(add.inputs[0], "Mul"), *b = r.producer(add.inputs[1], "Mul");
  if (!a || !b) return false;
  const bool fits = (multiplies(*a, p.x2, p.cos) && multiplies(*b, p.x1, p.sin)) || (multiplies(*b, p.x2, p.cos) && multiplies(*a, p.x1, p.sin));
  if (fits) p.nodes.insert(p.nodes.end(), {a, b, &add});
  return fits;
}

// The parts joined again: Concat, or Unsqueeze, Concat and Reshape.
std::optional<Pairs> read_pairs(const Rewriter& r, const Node& join) {
  if (join.inputs.size() != 2 || !r.typed(join.outputs[0]) || !is_last_axis(r, join.attrs.integer("axis"), join.outputs[0])) return std::nullopt;
  Pairs p;
  std::vector<const Node*> unsqueezes;
  ValueId first = without_last_axis(r, join.inputs[0], unsqueezes), second = without_last_axis(r, join.inputs[1], unsqueezes);
  p.interleaved = first != DBK_NONE && second != DBK_NONE;
  const Node* reshape = p.interleaved ? r.sole_reader(join.outputs[0]) : nullptr;
  if (p.interleaved && !is_op(reshape, "Reshape")) return std::nullopt;
  if (!p.interleaved) first = join.inputs[0], second = join.inputs[1], unsqueezes.clear();
  const Node *sub = r.producer(first, "Sub"), *add = r.producer(second, "Add");
  if (!sub || !add || !read_first(r, *sub, p) || !read_second(r, *add, p)) return std::nullopt;
  p.nodes.insert(p.nodes.end(), unsqueezes.begin(), unsqueezes.end());
  p.nodes.push_back(&join);
  if (reshape) p.nodes.push_back(reshape);
  return p;
}

// Why the tables do not fit in every run; empty where they do.
std::string misfit(const Rewriter& r, const Pairs& p) {
  const int64_t half = *r.extents().constant(r.extents().dim(p.x, -1)) / 2;
  for (ValueId table : {p.cos, p.sin}) {
    const bool wide = r.typed(table) && r.rank(table) > 0 && r.extents().is(r.extents().dim(table, -1), half);
    if (!wide || !r.extents().broadcasts_to(table, p.x1)) return "cos and sin are not known to have an element for each pair that they turn";
  }
  return r.extents().same_shape(p.nodes.back()->outputs[0], p.x) ? "" : "the result is not known to have the shape of what is turned";
}

// Tables with an element for each of x, by what they are made of.
class WholeTables {
 public:
  explicit WholeTables(Rewriter& r) : r_(r) {}

  ValueId of(ValueId half, bool interleaved, const Node& near) {
    ValueId& whole = made_.try_emplace({half, interleaved}, DBK_NONE).first->second;
    if (whole == DBK_NONE) whole = interleaved ? each_twice(half, near) : insert("Concat", {half, half}, last_axis(), near);
    return whole;
  }

 private:
  static Attributes last_axis() {
    Attributes attrs;
    attrs.set("axis", int64_t{-1});
    return attrs;
  }

  ValueId insert(std::string_view op, std::vector<ValueId> inputs, Attributes attrs, const Node& near) {
    const ValueId out = r_.add_value({r_.type(inputs[0]).dtype, {}});
    r_.insert(Rewriter::make(op, std::move(inputs), {out}, std::move(attrs)), near);
    return out;
  }

  ValueId each_twice(ValueId half, const Node& near) {
    std::vector<int64_t> shape(r_.rank(half), 0);  // as it is
    shape.back() = 2 * *r_.extents().constant(r_.extents().dim(half, -1));
    const ValueId column = insert("Unsqueeze", {half, r_.add_integers({-1})}, {}, near);
    const ValueId pairs = insert("Concat", {column, column}, last_axis(), near);
    return insert("Reshape", {pairs, r_.add_integers(shape)}, {}, near);
  }

  Rewriter& r_;
  std::map<std::pair<ValueId, bool>, ValueId> made_;
};

}  // namespace

void match_rotary_pairs(Rewriter& r) {
  WholeTables tables(r);
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* join = r.at(i);
    if (!is_op(join, "Concat")) continue;
    const auto p = read_pairs(r, *join);
    if (!p || !contains(FLOATS, r.type(p->x).dtype)) continue;
    if (std::string why = misfit(r, *p); !why.empty()) {
      r.miss(*join, std::move(why));
      continue;
    }
    Attributes attrs;
    attrs.set("interleaved", int64_t{p->interleaved});
    const std::vector<ValueId> inputs{p->x, tables.of(p->cos, p->interleaved, *join), tables.of(p->sin, p->interleaved, *join)};
    r.replace(p->nodes, Rewriter::make("Rotary", inputs, p->nodes.back()->outputs, std::move(attrs), "ai.daybreak"));
  }
}

}  // namespace dbk

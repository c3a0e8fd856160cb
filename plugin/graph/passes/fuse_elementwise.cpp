// Chains and small DAGs of element-wise nodes become one Elementwise node: one dispatch, or one walk through memory, for all.
#include "plugin/graph/passes/element_region.h"
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// Work worth less than reading a value again.
bool is_cheap(const Node& node) {
  constexpr std::string_view kCheap[] = {"add", "sub", "mul", "max", "min", "neg", "abs", "relu", "leaky_relu", "where", "cast", "clip"};
  return std::ranges::find(kCheap, node.op->id) != std::end(kCheap) || node.op->family == "compare" || node.op->family == "predicate";
}

// A value that is much smaller than the result would be computed over and over again.
bool repeats_work(const Rewriter& r, const ElementRegion& region) {
  constexpr int64_t kMuchSmaller = 4;
  const int64_t count = r.type(region.last().outputs[0]).count();
  return std::ranges::any_of(region.nodes(), [&](const Node* node) {
    const int64_t own = r.type(node->outputs[0]).count();
    return own > 1 && own * kMuchSmaller <= count && !is_cheap(*node);
  });
}

bool fits(const Rewriter& r, const ElementRegion& region) {
  return region.size() <= ElementRegion::kMaxSteps && region.operands().size() <= ElementRegion::kMaxOperands &&
         !region.rounds_inside() && !repeats_work(r, region);
}

// Makers of operands that nobody else reads come in too.
void grow_up(const Rewriter& r, ElementRegion& region) {
  const auto absorbable = [&](ValueId v) {
    const Node* maker = r.producer(v);
    if (!maker || r.visible(v) || !is_element_step(r, *maker)) return false;
    return std::ranges::all_of(r.readers(v), [&](const Node* reader) { return region.contains(reader); });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (ValueId v : region.operands()) {
      if (!absorbable(v)) continue;
      ElementRegion larger = region;
      larger.add_source(*r.producer(v));
      if (!fits(r, larger)) continue;
      region = larger;
      changed = true;
      break;
    }
  }
}

void fuse_from(Rewriter& r, const Node& first) {
  ElementRegion region(r, first);
  grow_down(region, [&](const ElementRegion& grown) { return is_element_step(r, grown.last()) && fits(r, grown); });
  grow_up(r, region);
  if (region.size() < 2) return;
  const std::vector<ValueId> operands = region.operands();
  Attributes attrs;
  attrs.set("expression", expression_of(region.nodes(), operands));
  r.replace(region.nodes(), make_fused("elementwise", operands, {region.last().outputs[0]}, std::move(attrs)));
}

}  // namespace

void fuse_elementwise(Rewriter& r) {
  for (size_t i = 0, n = r.count(); i < n; ++i)
    if (const Node* node = r.at(i); node && is_element_step(r, *node)) fuse_from(r, *node);
}

}  // namespace dbk

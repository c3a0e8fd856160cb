// Two rotations by the same tables and positions, of queries and keys above all, become one node: one step turns both.
#include <algorithm>
#include <set>

#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/rotation.h"

namespace dbk {

namespace {

using Layout = Rotation::Layout;

// A rotation that no other has joined yet.
struct Waiting {
  Rotation rotation;
  bool crossed = false;  // it stands between two that were joined: what is before it may depend on what is behind it

  const Node& node() const { return *rotation.nodes.back(); }
};

// Whether `node`, or anything it is computed from, reads what `waiting` gives.
bool depends(const Rewriter& r, const Node& node, const Waiting& waiting) {
  const Node& first = waiting.node();
  std::set<const Node*> seen{&node};
  std::vector<const Node*> left{&node};
  while (!left.empty()) {
    const Node* next = left.back();
    left.pop_back();
    for (ValueId v : next->inputs) {
      const Node* above = r.producer(v);
      if (above == &first) return true;
      if (above && (waiting.crossed || !r.before(*above, first)) && seen.insert(above).second) left.push_back(above);
    }
  }
  return false;
}

// Why one node cannot turn both; empty where it can.
std::string misfit(const Rewriter& r, const Waiting& first, const Rotation& second) {
  const auto kind = [&](const Rotation& t) { return std::tuple(r.type(t.x).dtype, t.layout, t.size, t.width, t.squeezed, t.interleaved, t.whole_rows); };
  if (kind(first.rotation) != kind(second)) return "the next rotation by its tables is of other heads or another kind";
  if (depends(r, *second.nodes.back(), first)) return "the next rotation by its tables depends on it";
  return "";
}

class Joining {
 public:
  explicit Joining(Rewriter& r) : r_(r), writer_(r) {}

  void visit(Rotation rotation) {
    const auto first = std::ranges::find_if(waiting_, [&](const Waiting& other) { return other.rotation.same_tables(rotation); });
    if (first == waiting_.end()) return waiting_.push_back({std::move(rotation)});
    if (std::string why = misfit(r_, *first, rotation); !why.empty()) {
      r_.miss(first->node(), std::move(why));
      waiting_.erase(first);
      return waiting_.push_back({std::move(rotation)});
    }
    const Rotation& a = first->rotation;
    r_.replace({&first->node(), rotation.nodes.back()}, writer_.node(a, {a.x, rotation.x}, {a.result, rotation.result}, rotation.heads));
    for (auto between = waiting_.erase(first); between != waiting_.end(); ++between) between->crossed = true;
  }

 private:
  Rewriter& r_;
  RotationWriter writer_;
  std::vector<Waiting> waiting_;  // in order
};

}  // namespace

void join_rotations(Rewriter& r) {
  Joining joining(r);
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    auto rotation = is_rotation(node) ? read_rotation(r, *node) : std::nullopt;
    const bool whole = rotation && rotation->nodes.size() == 1;
    if (whole && rotation->layout != Layout::TokensFirst) joining.visit(*std::move(rotation));
  }
}

}  // namespace dbk

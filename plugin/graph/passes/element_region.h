// A connected set of nodes that becomes one: element-wise nodes, for an epilogue behind a product. A region is legal where no value but
// its last is read, or seen, outside; then no operand of it can depend on it, and every node may be evaluated at the coordinates of
// the last.
#pragma once

#include <set>

#include "host_fallback/expression.h"
#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// Whether the node may be a step of an expression on every device: element-wise, of types that kernels hold in registers, its result not
// needed to tell shapes.
bool is_element_step(const Rewriter& r, const Node& node);

class ElementRegion {
 public:
  static constexpr size_t kMaxOperands = 6;  // with the result 7 of the 8 bindings that every GPU has
  static constexpr size_t kMaxSteps = 16;    // longer ones take compilers long and spare nothing more

  ElementRegion(const Rewriter& r, const Node& first) : r_(&r), nodes_{&first} {}

  const std::vector<const Node*>& nodes() const { return nodes_; }  // the result's is the last
  const Node& last() const { return *nodes_.back(); }
  size_t size() const { return nodes_.size(); }
  bool contains(const Node* node) const;
  bool rounds_inside() const;              // a cast to f16 whose result goes on: kernels round only what they store
  bool closed() const;                     // only the last value is read or seen outside
  // What nodes from `first` on read from outside, each once, in the order of reading.
  std::vector<ValueId> operands(size_t first = 0) const;

  void add(const Node& node) { nodes_.push_back(&node); }             // behind all others
  void add_source(const Node& node) { nodes_.insert(nodes_.begin(), &node); }  // in front of all others
  void cut(size_t size) { nodes_.resize(size); }

  // The first node outside, in the graph's order, that reads a value of the region; null where none does.
  const Node* next_reader() const;

 private:
  const Rewriter* r_;
  std::vector<const Node*> nodes_;  // each after what it reads
};

// Adds readers of the region as long as `fits` agrees, and cuts back to where the region was last closed.
template <class Fits>
void grow_down(ElementRegion& region, Fits&& fits) {
  size_t closed = region.closed() ? region.size() : 1;
  for (const Node* next = region.next_reader(); next; next = region.next_reader()) {
    region.add(*next);
    if (!fits(region)) break;
    if (region.closed()) closed = region.size();
  }
  region.cut(closed);
}

// The expression of `nodes`, over `operands` (values from outside).
std::shared_ptr<const Expression> expression_of(std::span<const Node* const> nodes, const std::vector<ValueId>& operands);

// A node of kernels/fused_ops.inc.
Node make_fused(std::string_view id, std::vector<ValueId> inputs, std::vector<ValueId> outputs, Attributes attrs);

}  // namespace dbk

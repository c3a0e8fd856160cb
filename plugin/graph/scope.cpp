#include "plugin/graph/scope.h"

#include <functional>

namespace dbk {

namespace {

constexpr uint32_t kMaxDepth = 64;  // of bodies within bodies: far over any model, low enough for the stack

class ScopeChecker {
 public:
  ScopeChecker(const Graph& graph, std::vector<Cause>& causes)
      : graph_(graph), causes_(causes), visible_(graph.values.size()), made_(graph.values.size()), used_(graph.blocks.size()) {}

  void run() {
    for (ValueId v = 0; v < graph_.values.size(); ++v) visible_[v] = graph_.values[v].origin != DBK_ORIGIN_COMPUTED;
    used_[0] = true;
    visit(0, 0);
    for (uint32_t b = 0; b < graph_.blocks.size(); ++b)
      if (!used_[b]) add(std::format("block {} '{}' is named by no attribute", b, graph_.blocks[b].name));
  }

 private:
  void add(std::string message, uint32_t node = DBK_NONE, uint32_t value = DBK_NONE) {
    causes_.push_back({DBK_INVALID_ARGUMENT, std::move(message), node, value});
  }

  void make(ValueId v, std::vector<ValueId>& added, const std::string& by, uint32_t node) {
    if (graph_.values[v].origin != DBK_ORIGIN_COMPUTED)
      return add(std::format("{} makes {}, which is a parameter or constant", by, describe(graph_, v)), node, v);
    if (made_[v]) return add(std::format("{} makes {} a second time", by, describe(graph_, v)), node, v);
    made_[v] = true;
    visible_[v] = true;
    added.push_back(v);
  }

  void visit_bodies(const Node& node, uint32_t depth) {
    for (const Attribute& a : node.attrs.items()) {
      if (const auto* one = std::get_if<BlockRef>(&a.value)) enter(one->index, node, depth);
      if (const auto* many = std::get_if<std::vector<BlockRef>>(&a.value))
        for (BlockRef b : *many) enter(b.index, node, depth);
    }
  }

  void enter(uint32_t block, const Node& node, uint32_t depth) {
    if (used_[block]) return add(std::format("{}: block {} is used twice", describe(node), block), node.table_index);
    used_[block] = true;
    if (depth + 1 > kMaxDepth) return add(std::format("{}: bodies nested over {} deep", describe(node), kMaxDepth), node.table_index);
    visit(block, depth + 1);
  }

  void visit(uint32_t index, uint32_t depth) {
    const Block& block = graph_.blocks[index];
    std::vector<ValueId> added;
    for (ValueId v : block.inputs) make(v, added, std::format("block {}", index), DBK_NONE);
    for (const Node& node : block.nodes) {
      for (ValueId v : node.inputs)
        if (v != DBK_NONE && !visible_[v])
          add(std::format("{} uses {} before it is made (or it is not visible there)", describe(node), describe(graph_, v)),
              node.table_index, v);
      visit_bodies(node, depth);
      for (ValueId v : node.outputs)
        if (v != DBK_NONE) make(v, added, describe(node), node.table_index);
    }
    for (ValueId v : block.outputs)
      if (!visible_[v]) add(std::format("output {} of block {} is never made", describe(graph_, v), index), DBK_NONE, v);
    for (ValueId v : added) visible_[v] = false;  // a body's values end with it
  }

  const Graph& graph_;
  std::vector<Cause>& causes_;
  std::vector<bool> visible_, made_, used_;
};

}  // namespace

void check_scopes(const Graph& graph, std::vector<Cause>& causes) { ScopeChecker(graph, causes).run(); }

}  // namespace dbk

#include "plugin/graph/passes/rewriter.h"

#include <algorithm>
#include <utility>

#include "plugin/graph/control.h"
#include "plugin/graph/node_alone.h"

namespace dbk {

namespace {

bool contains_node(std::span<const Node* const> list, const Node* node) {
  return std::ranges::find(list, node) != list.end();
}

}  // namespace

bool is_pure(const Node& node) { return !draws(node) && control_of(node) == Control::None; }

Rewriter::Rewriter(Graph& graph, Types& types, Extents& extents, const PassOptions& options, const char* pass)
    : graph_(graph), types_(types), extents_(extents), options_(options), pass_(pass) {
  producers_.resize(graph.values.size());
  readers_.resize(graph.values.size());
  visible_.resize(graph.values.size());
  for (ValueId v : graph.main().outputs) visible_[v] = true;
  for (size_t b = 1; b < graph.blocks.size(); ++b) {
    for (ValueId v : graph.blocks[b].outputs) visible_[v] = true;
    for (const Node& node : graph.blocks[b].nodes)
      for (ValueId v : node.inputs)
        if (v != DBK_NONE) visible_[v] = true;
  }
  for (size_t i = 0; i < graph.main().nodes.size(); ++i)
    link(nodes_.emplace_back(PassNode{std::move(graph.main().nodes[i]), true, false, i}));
}

void Rewriter::link(const PassNode& node) {
  for (ValueId v : node.outputs)
    if (v != DBK_NONE) producers_[v] = &node;
  for (ValueId v : node.inputs)
    if (v != DBK_NONE && !contains_node(readers_[v], &node)) readers_[v].push_back(&node);
}

void Rewriter::drop(const Node& node) {
  own(node).alive = false;
  changed_ = true;
  for (ValueId v : node.outputs)
    if (v != DBK_NONE && producers_[v] == &node) producers_[v] = nullptr;
  for (ValueId v : node.inputs)
    if (v != DBK_NONE) std::erase(readers_[v], &node);
}

const Node& Rewriter::append(Node made, size_t place) {
  PassNode& node = nodes_.emplace_back(PassNode{std::move(made), true, true, place});
  link(node);
  changed_ = true;
  return node;
}

void Rewriter::finish() {
  const std::vector<const PassNode*> sorted = in_order();
  if (changed_) renumber(sorted);
  std::vector<Node> nodes;
  nodes.reserve(sorted.size());
  for (const PassNode* node : sorted) nodes.push_back(std::move(own(*node)));
  graph_.main().nodes = std::move(nodes);
}

std::vector<const Rewriter::PassNode*> Rewriter::in_order() const {
  std::vector<const PassNode*> order;
  for (const PassNode& node : nodes_)
    if (node.alive) order.push_back(&node);
  if (!changed_) return order;
  std::ranges::stable_sort(order, {}, [](const PassNode* n) { return n->place; });
  std::vector<const PassNode*> sorted;
  std::vector<bool> done(graph_.values.size());
  std::vector<const Node*> stack;
  const auto ready = [&](ValueId v) { return v == DBK_NONE || !producers_[v] || done[v]; };
  const auto emit = [&](const Node* node) {
    for (ValueId v : node->outputs)
      if (v != DBK_NONE) done[v] = true;
    sorted.push_back(static_cast<const PassNode*>(node));
  };
  for (const PassNode* first : order) {
    stack = {first};
    while (!stack.empty()) {
      const Node* node = stack.back();
      const auto missing = std::ranges::find_if_not(node->inputs, ready);
      if (missing != node->inputs.end()) {
        stack.push_back(producers_[*missing]);
        if (stack.size() > nodes_.size()) fail(DBK_INTERNAL, "pass {} made a cycle through {}", pass_, describe(*node));
        continue;
      }
      stack.pop_back();
      const bool before = std::ranges::any_of(node->outputs, [&](ValueId v) { return v != DBK_NONE && done[v]; });
      if (!before) emit(node);
    }
  }
  return sorted;
}

// Nodes that passes make read and give values of known types, and have no bodies.
void Rewriter::renumber(const std::vector<const PassNode*>& sorted) {
  std::vector<bool> late(sorted.size());
  decltype(types_.bodies) bodies;
  for (uint32_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i]->made) continue;
    const auto before = static_cast<uint32_t>(sorted[i]->place);
    late[i] = types_.late_nodes[before];
    if (const auto found = types_.bodies.find(before); found != types_.bodies.end()) bodies.emplace(i, std::move(found->second));
  }
  types_.late_nodes = std::move(late);
  types_.bodies = std::move(bodies);
}

const Node* Rewriter::producer(ValueId v) const { return v == DBK_NONE ? nullptr : producers_[v]; }

const Node* Rewriter::producer(ValueId v, std::string_view op) const {
  const Node* node = producer(v);
  return is_op(node, op) ? node : nullptr;
}

const Node* Rewriter::sole_reader(ValueId v) const {
  return !visible_[v] && readers_[v].size() == 1 ? readers_[v].front() : nullptr;
}

const Node* Rewriter::insert(Node made, const Node& near) {
  made.name = near.name;
  made.table_index = near.table_index;
  made.on_host = near.on_host;
  return &append(std::move(made), own(near).place);
}

std::string Rewriter::reader_elsewhere(std::span<const Replacement> list) const {
  const auto given = [&](ValueId v) {
    return std::ranges::any_of(
        list, [&](const Replacement& x) { return std::ranges::find(x.made.outputs, v) != x.made.outputs.end(); });
  };
  const auto goes = [&](const Node* node) {
    return std::ranges::any_of(list, [&](const Replacement& x) { return contains_node(x.absorbed, node); });
  };
  for (const Replacement& x : list)
    for (ValueId v : x.made.inputs)
      if (v != DBK_NONE && producers_[v] && goes(producers_[v]) && !given(v)) return describe(graph_, v) + " inside is also an operand";
  for (const Replacement& x : list)
    for (const Node* node : x.absorbed)
      for (ValueId v : node->outputs) {
        if (v == DBK_NONE || given(v)) continue;
        if (visible_[v]) return describe(graph_, v) + " inside is also an output";
        for (const Node* reader : readers_[v])
          if (!goes(reader)) return std::format("{} inside is also read by {}", describe(graph_, v), describe(*reader));
      }
  return "";
}

void Rewriter::record(const Node* into, std::span<const Node* const> absorbed) {
  Rewrite& entry = graph_.rewrites.emplace_back();
  entry.pass = pass_;
  if (into) entry.into = into->table_index, entry.op = into->op_name;
  for (const Node* node : absorbed) {
    const bool listed = std::ranges::find(entry.absorbed, node->table_index) != entry.absorbed.end();
    if (node->table_index != entry.into && !listed) entry.absorbed.push_back(node->table_index);
  }
}

Attributes Rewriter::without(const Attributes& attrs, std::string_view ending) {
  Attributes rest;
  for (const Attribute& a : attrs.items())
    if (!a.name.ends_with(ending)) rest.set(a.name, a.value);
  return rest;
}

bool Rewriter::replace_all(std::vector<Replacement> list) {
  if (std::string why = reader_elsewhere(list); !why.empty())
    return miss(*list.back().absorbed.back(), std::move(why)), false;
  std::vector<size_t> places;
  for (Replacement& x : list) {
    const Node& last = *x.absorbed.back();
    x.made.name = last.name;
    x.made.table_index = last.table_index;
    x.made.on_host = std::ranges::any_of(x.absorbed, &Node::on_host);
    places.push_back(own(last).place);
    record(&x.made, x.absorbed);
  }
  for (const Replacement& x : list)
    for (const Node* node : x.absorbed) drop(*node);
  for (size_t i = 0; i < list.size(); ++i) append(std::move(list[i].made), places[i]);
  return true;
}

void Rewriter::set_input(const Node& node, size_t input, ValueId value) {
  PassNode& changed = own(node);
  const ValueId old = std::exchange(changed.inputs[input], value);
  if (std::ranges::find(changed.inputs, old) == changed.inputs.end()) std::erase(readers_[old], &node);
  link(changed);
  changed_ = true;
}

void Rewriter::redirect(ValueId old, ValueId now) {
  for (const Node* reader : std::exchange(readers_[old], {})) {
    PassNode& changed = own(*reader);
    std::ranges::replace(changed.inputs, old, now);
    link(changed);
  }
}

bool Rewriter::bypass(const Node& node, ValueId old, ValueId now) {
  if (visible_[old]) return false;
  remove(node);
  redirect(old, now);
  return true;
}

bool Rewriter::merge(const Node& node, const Node& twin) {
  for (ValueId v : node.outputs)
    if (v != DBK_NONE && visible_[v]) return false;
  record(&twin, std::vector{&node});
  drop(node);
  for (size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i] != DBK_NONE) redirect(node.outputs[i], twin.outputs[i]);
  return true;
}

void Rewriter::remove(const Node& node) {
  record(nullptr, std::vector{&node});
  drop(node);
}

void Rewriter::to_constant(const Node& node) {
  for (ValueId v : node.outputs)
    if (v != DBK_NONE) graph_.values[v].become_constant(types_.known[v]);
  remove(node);
}

void Rewriter::to_prologue(const Node& node) {
  for (ValueId v : node.outputs)
    if (v != DBK_NONE) graph_.values[v].become_weight(kOriginPrepared, types_[v]);
  graph_.prologue.push_back(node);
  drop(node);
}

void Rewriter::miss(const Node& node, std::string reason) {
  graph_.misses.push_back({pass_, node.table_index, std::move(reason)});
}

ProjectionForm Rewriter::choose(ProjectionChoice choice, std::vector<const Node*> nodes) {
  std::ranges::stable_sort(nodes, [&](const Node* a, const Node* b) { return before(*a, *b); });
  const auto known = [&](ValueId v) { return v == DBK_NONE || types_[v].dtype != DBK_DTYPE_NONE; };
  const auto typed = [&](const Node* node) { return std::ranges::all_of(node->inputs, known) && std::ranges::all_of(node->outputs, known); };
  const bool measurable = !nodes.empty() && types_.complete && std::ranges::all_of(nodes, typed);
  const auto alone = [&] { return nodes_alone(graph_, nodes, types_); };
  choice.advice = options_.projections(choice.layer, measurable ? std::function<Graph()>(alone) : nullptr);
  graph_.projections.push_back(std::move(choice));
  return graph_.projections.back().advice.form;
}

const ProjectionChoice* Rewriter::choice_of(ValueId result) const {
  for (const ProjectionChoice& choice : graph_.projections)
    if (std::ranges::find(choice.results, result) != choice.results.end()) return &choice;
  return nullptr;
}

}  // namespace dbk

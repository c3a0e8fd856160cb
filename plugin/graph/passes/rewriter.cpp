#include "plugin/graph/passes/rewriter.h"

#include <algorithm>
#include <utility>

#include "host_fallback/number_cast.h"
#include "plugin/graph/control.h"
#include "plugin/graph/schema.h"

namespace dbk {

namespace {

constexpr DTypeSet kScalars = FLOATS | I32 | I64;

bool contains_node(std::span<const Node* const> list, const Node* node) {
  return std::ranges::find(list, node) != list.end();
}

}  // namespace

bool is_pure(const Node& node) {
  constexpr std::string_view kRandom[] = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
                                          "Bernoulli",    "Multinomial",      "Dropout"};
  return std::ranges::find(kRandom, node.op_name) == std::end(kRandom) && control_of(node) == Control::None;
}

Rewriter::Rewriter(Graph& graph, Types& types, Extents& extents, const char* pass)
    : graph_(graph), types_(types), extents_(extents), pass_(pass) {
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

const HostTensor* Rewriter::constant(ValueId v) const {
  return v == DBK_NONE ? nullptr : graph_.values[v].constant.get();
}

std::optional<double> Rewriter::scalar(ValueId v) const {
  const HostTensor* tensor = constant(v);
  if (!tensor || tensor->type.count() != 1 || !contains(kScalars, tensor->type.dtype)) return std::nullopt;
  double number = 0;
  with_type<kScalars>(tensor->type.dtype, [&]<class T>() { number = number_cast<double>(*tensor->view().as<T>()); });
  return number;
}

std::optional<Rewriter::ScalarOperand> Rewriter::scalar_operand(const Node& node) const {
  const size_t at = scalar(node.inputs[1]) ? 1 : 0;
  const auto number = scalar(node.inputs[at]);
  const ValueId rest = node.inputs[1 - at];
  if (!number || !typed(rest) || rank(node.inputs[at]) > rank(rest)) return std::nullopt;
  return ScalarOperand{at, *number, rest};
}

std::optional<Rewriter::Scaled> Rewriter::scaled(const Node* node) const {
  const bool quotient = is_op(node, "Div");
  if (!quotient && !is_op(node, "Mul")) return std::nullopt;
  const auto operand = scalar_operand(*node);
  if (!operand || operand->number == 0 || (quotient && operand->at == 0)) return std::nullopt;
  return Scaled{operand->rest, quotient ? 1 / operand->number : operand->number};
}

std::optional<std::vector<int64_t>> Rewriter::integers(ValueId v) const {
  const HostTensor* tensor = constant(v);
  if (!tensor || (tensor->type.dtype != DBK_I64 && tensor->type.dtype != DBK_I32)) return std::nullopt;
  return to_integers(tensor->view());
}

ValueId Rewriter::add_value(const TensorType& type) {
  added_values_ = true;
  return append_value(type);
}

ValueId Rewriter::append_value(const TensorType& type) {
  const auto id = static_cast<ValueId>(graph_.values.size());
  graph_.values.emplace_back().dtype = type.dtype;
  types_.types.push_back(type);
  types_.dtypes.push_back(type.dtype);
  types_.known.push_back(nullptr);
  types_.late.push_back(false);
  types_.open.push_back(false);
  extents_.add_value();
  producers_.push_back(nullptr);
  readers_.emplace_back();
  visible_.push_back(false);
  return id;
}

ValueId Rewriter::add_constant(HostTensor tensor) {
  const ValueId id = append_value(tensor.type);
  Value& value = graph_.values[id];
  value.become_constant(std::make_shared<HostTensor>(std::move(tensor)));
  types_.known[id] = value.constant;
  return id;
}

ValueId Rewriter::add_integers(std::span<const int64_t> list) { return add_constant(integer_list(list)); }

ValueId Rewriter::add_scalar(DType dtype, double value, const Shape& shape) {
  HostTensor tensor{{dtype, shape}, std::vector<std::byte>(static_cast<size_t>(byte_size(dtype, 1)))};
  with_type<kScalars>(dtype, [&]<class T>() { *tensor.view().as<T>() = number_cast<T>(value); });
  return add_constant(std::move(tensor));
}

Node Rewriter::make(std::string_view op, std::vector<ValueId> inputs, std::vector<ValueId> outputs, Attributes attrs,
                    std::string_view domain) {
  Node node;
  node.domain = domain;
  node.op_name = op;
  node.op = find_op(domain, op);
  node.opset = newest_opset(domain);
  node.schema = find_schema(domain, op, node.opset);
  if (!node.op || !node.schema) fail(DBK_INTERNAL, "a pass makes {} {}, which this build does not have", domain, op);
  node.version = node.schema->since;
  node.inputs = std::move(inputs);
  node.outputs = std::move(outputs);
  node.attrs = std::move(attrs);
  check_arity(*node.schema, node.inputs, node.outputs);
  check_attributes_and_fill_defaults(*node.schema, node.attrs);
  return node;
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

}  // namespace dbk

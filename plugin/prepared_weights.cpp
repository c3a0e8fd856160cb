#include "plugin/prepared_weights.h"

#include <algorithm>

#include "plugin/cpu/host_kernel.h"
#include "plugin/graph/prologue.h"

namespace dbk {

namespace {

TensorType type_of(const Graph& graph, ValueId v) { return {graph.values[v].dtype, Shape(graph.values[v].dims)}; }

// Revisions only grow, so the newest of what a value is made of changes exactly when any of it does.
std::vector<uint64_t> revisions(const Graph& graph, const Weights& weights) {
  std::vector<uint64_t> newest(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) newest[v] = weights[v].revision;
  for (const Node& node : graph.prologue) {
    uint64_t revision = 1;
    for (ValueId v : node.inputs)
      if (v != DBK_NONE) revision = std::max(revision, newest[v]);
    for (ValueId v : node.outputs)
      if (v != DBK_NONE) newest[v] = revision;
  }
  return newest;
}

}  // namespace

void PreparedWeights::add_to(const Graph& graph, Weights& weights) const {
  const std::vector<uint64_t> newest = revisions(graph, weights);
  for (const auto& [value, result] : kept_)
    if (result.revision == newest[value]) weights[value] = result;
}

void PreparedWeights::update(const Graph& graph, Weights& weights) {
  kept_ = make(graph, weights, prepared_values_read(graph), kept_);
  for (const auto& [value, result] : kept_) weights[value] = result;
}

std::optional<Weight> PreparedWeights::made(const Graph& graph, const Weights& weights, ValueId value) {
  std::vector<bool> has_bytes(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) has_bytes[v] = weights[v].data != nullptr;
  for (const Node& node : graph.prologue) {
    const bool all = std::ranges::all_of(node.inputs, [&](ValueId v) { return v == DBK_NONE || has_bytes[v]; });
    for (ValueId v : node.outputs)
      if (v != DBK_NONE) has_bytes[v] = all;
  }
  if (!has_bytes[value]) return std::nullopt;
  std::vector<bool> wanted(graph.values.size());
  wanted[value] = true;
  return make(graph, weights, wanted, {}).at(value);
}

PreparedWeights::Results PreparedWeights::make(const Graph& graph, const Weights& weights, const std::vector<bool>& wanted, const Results& kept) {
  const std::vector<uint64_t> newest = revisions(graph, weights);
  Results results;
  std::vector<bool> missing(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) {
    if (!wanted[v]) continue;
    const auto before = kept.find(v);
    if (before != kept.end() && before->second.revision == newest[v])
      results[v] = before->second;
    else
      missing[v] = true;
  }
  std::vector<bool> needed(graph.prologue.size());
  std::vector<size_t> last_reader(graph.values.size());
  for (size_t n = graph.prologue.size(); n-- > 0;) {
    const Node& node = graph.prologue[n];
    needed[n] = std::ranges::any_of(node.outputs, [&](ValueId v) { return v != DBK_NONE && missing[v]; });
    if (!needed[n]) continue;
    for (ValueId v : node.inputs) {
      if (v == DBK_NONE || graph.values[v].origin != kOriginPrepared) continue;
      if (!results.contains(v)) missing[v] = true;
      last_reader[v] = std::max(last_reader[v], n);
    }
  }
  for (size_t n = 0; n < graph.prologue.size(); ++n) {
    if (!needed[n]) continue;
    const Node& node = graph.prologue[n];
    evaluate(node, graph, weights, results);
    for (ValueId v : node.outputs)
      if (v != DBK_NONE) results[v].revision = newest[v];
    for (ValueId v : node.inputs)
      if (v != DBK_NONE && !wanted[v] && last_reader[v] == n) results.erase(v);
  }
  std::erase_if(results, [&](const auto& entry) { return !wanted[entry.first]; });
  return results;
}

void PreparedWeights::evaluate(const Node& node, const Graph& graph, const Weights& weights, Results& results) {
  if (node.op->family == "view") {
    const auto made = results.find(node.inputs[0]);
    results[node.outputs[0]] = made != results.end() ? made->second : weights[node.inputs[0]];
    return;
  }
  std::vector<Tensor> inputs(node.inputs.size()), outputs(node.outputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    const auto made = results.find(v);
    inputs[i] = {type_of(graph, v),
                 const_cast<std::byte*>(made != results.end() ? made->second.data : weights[v].data)};
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const ValueId v = node.outputs[i];
    if (v == DBK_NONE) continue;
    const TensorType type = type_of(graph, v);
    const std::shared_ptr<std::byte[]> memory = allocate_bytes(storage_bytes(type), "weight " + describe(graph, v));
    results[v] = {.data = memory.get(), .bytes = static_cast<uint64_t>(type.bytes()), .owner = memory};
    outputs[i] = {type, memory.get()};
  }
  try {
    run_host_kernel(node, inputs, outputs);
  } catch (Error& e) {
    for (Cause& c : e.causes()) {
      c.message = describe(node) + ": " + c.message;
      c.node = node.table_index;
    }
    throw;
  }
}

}  // namespace dbk

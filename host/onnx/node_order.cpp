// Topological order of nodes; see node_order.h.
#include "node_order.h"

#include <algorithm>
#include <format>
#include <numeric>
#include <queue>
#include <unordered_map>

#include "daybreak_error.hpp"
#include "printable.h"

namespace host {
namespace {

using Given = std::function<bool(const std::string&)>;

struct Dependencies {
  std::vector<std::vector<int>> readers;  // of each node's outputs
  std::vector<int> waiting;               // how many outputs of others each node reads
  bool in_order = true;
};

Dependencies dependencies(const Nodes& nodes, const Given& given) {
  std::unordered_map<std::string, int> makers;
  for (int i = 0; i < nodes.size(); ++i) {
    for (const std::string& name : nodes[i].output()) {
      if (!name.empty() && !given(name)) makers.emplace(name, i);
    }
  }
  const auto count = static_cast<std::size_t>(nodes.size());
  Dependencies result{std::vector<std::vector<int>>(count), std::vector<int>(count), true};
  for (int i = 0; i < nodes.size(); ++i) {
    for_each_name_read(nodes[i], [&](const std::string& name) {
      const auto maker = makers.find(name);
      if (maker == makers.end()) return;
      result.readers[static_cast<std::size_t>(maker->second)].push_back(i);
      ++result.waiting[static_cast<std::size_t>(i)];
      result.in_order = result.in_order && maker->second < i;
    });
  }
  return result;
}

[[noreturn]] void refuse_cycle(const Nodes& nodes, const std::vector<int>& waiting) {
  constexpr int most_named = 8;
  std::string names;
  int stuck = 0;
  for (int i = 0; i < nodes.size(); ++i) {
    if (waiting[static_cast<std::size_t>(i)] == 0) continue;
    if (++stuck <= most_named) names += (stuck > 1 ? ", " : "") + describe(i, nodes[i]);
  }
  if (stuck > most_named) names += std::format(" and {} more", stuck - most_named);
  throw daybreak::Error(DBK_INVALID_ARGUMENT, "a cycle: these nodes wait for each other's outputs: " + names);
}

}  // namespace

std::string describe(int index, const onnx::NodeProto& node) {
  const std::string name = node.name().empty() ? std::string() : " " + in_quotes(node.name());
  const std::string shown = in_quotes(node.op_type());
  return std::format("node {}{} ({})", index, name, std::string_view(shown).substr(1, shown.size() - 2));
}

std::vector<int> node_order(const Nodes& nodes, const Given& given) {
  Dependencies graph = dependencies(nodes, given);
  std::vector<int> order(static_cast<std::size_t>(nodes.size()));
  std::iota(order.begin(), order.end(), 0);
  if (graph.in_order) return order;
  order.clear();
  std::priority_queue<int, std::vector<int>, std::greater<>> able;
  for (int i = 0; i < nodes.size(); ++i) {
    if (graph.waiting[static_cast<std::size_t>(i)] == 0) able.push(i);
  }
  while (!able.empty()) {
    const int node = able.top();
    able.pop();
    order.push_back(node);
    for (const int reader : graph.readers[static_cast<std::size_t>(node)]) {
      if (--graph.waiting[static_cast<std::size_t>(reader)] == 0) able.push(reader);
    }
  }
  if (std::cmp_less(order.size(), nodes.size())) refuse_cycle(nodes, graph.waiting);
  return order;
}

}  // namespace host

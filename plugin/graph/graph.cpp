#include "plugin/graph/graph.h"

#include <new>

namespace dbk {

std::shared_ptr<std::byte[]> allocate_bytes(uint64_t bytes) {
  constexpr std::align_val_t kAlignment{64};
  return {static_cast<std::byte*>(operator new[](bytes, kAlignment)), [](std::byte* p) { operator delete[](p, std::align_val_t{64}); }};
}

std::string describe(const Node& node) {
  const std::string type = node.domain.empty() ? node.op_name : node.domain + "." + node.op_name;
  const std::string name = node.name.empty() ? "" : " '" + node.name + "'";
  return std::format("node {}{} ({})", node.table_index, name, type);
}

std::string describe(const Graph& graph, ValueId value) {
  const std::string& name = graph.values[value].name;
  return name.empty() ? std::format("value {}", value) : "'" + name + "'";
}

}  // namespace dbk

#include "plugin/graph/graph.h"

#include <algorithm>
#include <new>

namespace dbk {

std::shared_ptr<std::byte[]> allocate_bytes(uint64_t bytes, std::string_view what) {
  std::shared_ptr<std::byte[]> memory = try_allocate_bytes(bytes);
  if (!memory) no_memory(bytes, what);
  return memory;
}

std::shared_ptr<std::byte[]> try_allocate_bytes(uint64_t bytes) {
  constexpr std::align_val_t kAlignment{64};
  auto* memory = static_cast<std::byte*>(operator new[](bytes, kAlignment, std::nothrow));
  if (!memory) return nullptr;
  return {memory, [](std::byte* p) { operator delete[](p, kAlignment); }};
}

void no_memory(uint64_t bytes, std::string_view what) {
  fail(DBK_OUT_OF_MEMORY, "out of host memory: {} bytes were asked for at once, for {}", bytes, what);
}

void Value::become_weight(uint32_t with_origin, const TensorType& type) {
  origin = with_origin;
  dtype = type.dtype;
  known_rank = true;
  dims.assign(type.shape.begin(), type.shape.end());
}

void Value::become_constant(std::shared_ptr<const HostTensor> tensor) {
  become_weight(DBK_ORIGIN_CONST, tensor->type);
  constant = std::move(tensor);
}

HostTensor integer_list(std::span<const int64_t> list) {
  const auto bytes = std::as_bytes(list);
  return {{DBK_I64, {static_cast<int64_t>(list.size())}}, {bytes.begin(), bytes.end()}};
}

bool draws(const Node& node) {
  constexpr std::string_view kDrawing[] = {"RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike",
                                           "Bernoulli",    "Multinomial",      "Dropout"};
  return node.domain.empty() && std::ranges::find(kDrawing, node.op_name) != std::end(kDrawing);
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

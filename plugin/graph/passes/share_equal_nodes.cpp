// Two nodes are equal where op, version, attributes and operands are; small constants of equal content count as one
// operand.
#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

using Content = std::tuple<DType, std::vector<int64_t>, std::vector<std::byte>>;

Content content_of(const HostTensor& tensor) {
  return {tensor.type.dtype, std::vector<int64_t>(tensor.type.shape.begin(), tensor.type.shape.end()), tensor.bytes};
}

// 0 and -0 differ.
bool same_bits(double a, double b) { return std::bit_cast<uint64_t>(a) == std::bit_cast<uint64_t>(b); }

bool equal(const AttributeValue& a, const AttributeValue& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        using T = std::decay_t<decltype(x)>;
        const T& y = std::get<T>(b);
        if constexpr (std::is_same_v<T, std::shared_ptr<const HostTensor>>)
          return x == y || content_of(*x) == content_of(*y);
        else if constexpr (std::is_same_v<T, double>)
          return same_bits(x, y);
        else if constexpr (std::is_same_v<T, std::vector<double>>)
          return std::ranges::equal(x, y, same_bits);
        else if constexpr (std::is_same_v<T, BlockRef> || std::is_same_v<T, std::vector<BlockRef>>)
          return false;
        else
          return x == y;
      },
      a);
}

bool equal(const Attributes& a, const Attributes& b) {
  if (a.items().size() != b.items().size()) return false;
  return std::ranges::all_of(a.items(), [&](const Attribute& item) {
    const AttributeValue* other = b.find(item.name);
    return other && equal(item.value, *other);
  });
}

bool same_outputs(const Node& a, const Node& b) {
  return std::ranges::equal(
      a.outputs, b.outputs, {}, [](ValueId v) { return v == DBK_NONE; }, [](ValueId v) { return v == DBK_NONE; });
}

// By content, so that every exporter's own copy of "1.0" is the same operand.
std::vector<ValueId> representatives(const Graph& graph) {
  constexpr size_t kMaxBytes = 1024;
  std::map<Content, ValueId> first;
  std::vector<ValueId> same(graph.values.size());
  for (ValueId v = 0; v < graph.values.size(); ++v) {
    const HostTensor* tensor = graph.values[v].constant.get();
    same[v] = tensor && tensor->bytes.size() <= kMaxBytes ? first.try_emplace(content_of(*tensor), v).first->second : v;
  }
  return same;
}

}  // namespace

void share_equal_nodes(Rewriter& r) {
  using Key = std::tuple<std::string, std::string, uint32_t, std::vector<ValueId>>;
  const std::vector<ValueId> same = representatives(r.graph());
  std::multimap<Key, const Node*> seen;
  for (size_t i = 0; i < r.count(); ++i) {
    const Node* node = r.at(i);
    if (!node || !node->op || !is_pure(*node)) continue;
    std::vector<ValueId> operands;
    for (ValueId v : node->inputs) operands.push_back(v == DBK_NONE ? v : same[v]);
    const Key key{node->domain, node->op_name, node->version, std::move(operands)};
    const auto [begin, end] = seen.equal_range(key);
    const auto twin = std::find_if(begin, end, [&](const auto& entry) {
      return equal(entry.second->attrs, node->attrs) && same_outputs(*entry.second, *node);
    });
    if (twin == end)
      seen.emplace(key, node);
    else
      r.merge(*node, *twin->second);
  }
}

}  // namespace dbk

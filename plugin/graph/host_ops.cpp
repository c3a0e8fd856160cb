#include "plugin/graph/host_ops.h"

#include <algorithm>

#include "plugin/graph/composites.h"

namespace dbk {

namespace {

struct OpName {
  std::string_view domain, name;
  bool is(const Node& node) const { return node.op_name == name && node.domain == domain; }
};

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

OpName op_name(std::string_view text) {
  const size_t dot = text.rfind('.');
  OpName result = dot == std::string_view::npos ? OpName{"", text} : OpName{text.substr(0, dot), text.substr(dot + 1)};
  if (result.domain == "ai.onnx") result.domain = "";
  if (!find_op(result.domain, result.name) && !find_composite(result.domain, result.name))
    fail(DBK_INVALID_ARGUMENT, "option 'host_ops': there is no op '{}'", text);
  return result;
}

}  // namespace

void keep_on_host(Graph& graph, std::string_view ops) {
  std::vector<OpName> names;
  while (!trimmed(ops).empty()) {
    const size_t comma = std::min(ops.find(','), ops.size());
    names.push_back(op_name(trimmed(ops.substr(0, comma))));
    ops.remove_prefix(std::min(comma + 1, ops.size()));
  }
  for (Block& block : graph.blocks)
    for (Node& node : block.nodes)
      node.on_host = std::ranges::any_of(names, [&](const OpName& name) { return name.is(node); });
}

}  // namespace dbk

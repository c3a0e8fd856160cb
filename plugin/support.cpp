#include "plugin/support.h"

#include "plugin/graph/control.h"

namespace dbk {

namespace {

void add_missing_ops(const Graph& graph, std::vector<Cause>& causes) {
  for (const Node& node : graph.main().nodes) {
    if (!node.op) causes.push_back({DBK_UNIMPLEMENTED, describe(node) + ": this build has no such op", node.table_index});
    for (uint32_t b : bodies_of(node)) add_missing_ops(*graph.bodies[b], causes);
  }
}

}  // namespace

std::vector<Cause> unsupported(const Graph& graph) {
  std::vector<Cause> causes;
  add_missing_ops(graph, causes);
  for (ValueId v = 0; v < graph.values.size(); ++v) {
    if (graph.values[v].kind != DBK_KIND_TENSOR)
      causes.push_back({DBK_UNIMPLEMENTED, describe(graph, v) + " is not a tensor: sequences and optionals are not supported", DBK_NONE, v});
    if (graph.values[v].dtype == DBK_STRING)
      causes.push_back({DBK_UNIMPLEMENTED, describe(graph, v) + " holds strings: they are not supported", DBK_NONE, v});
  }
  return causes;
}

std::string missing_host_code(const Node& node, const Types& types) {
  const HostOp& host = *node.op->host;
  if (host.main_input >= node.inputs.size() || node.inputs[host.main_input] == DBK_NONE) return "";
  const DType dtype = types.dtypes[node.inputs[host.main_input]];
  if (dtype == DBK_DTYPE_NONE || contains(host.dtypes, dtype)) return "";
  return std::format("no code for {}", to_string(dtype));
}

}  // namespace dbk

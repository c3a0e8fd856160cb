#include "plugin/given_graph.h"

#include "plugin/graph/host_ops.h"
#include "plugin/graph/normalize.h"
#include "plugin/graph/tables.h"

namespace dbk {

Graph given_graph(const dbk_graph& tables, const Options& options) {
  Graph graph = read_tables(tables, options.flag("internal_ops"));
  keep_on_host(graph, options.text("host_ops"));
  normalize(graph);
  return graph;
}

}  // namespace dbk

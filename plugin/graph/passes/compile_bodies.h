// Passes over the bodies of If, Loop and Scan.
#pragma once

#include <functional>

#include "plugin/graph/extents.h"

namespace dbk {

// Rewrites a graph whose types were inferred with these options.
using CompileBody = std::function<void(Graph& body, Types& types, const InferOptions& options)>;

// Calls `compile` on every body whose shapes are known when the graph is compiled, and puts what it makes in its place. Whether anything
// was changed; the graph has to be inferred anew then.
bool compile_bodies(Graph& graph, const Types& types, const Extents& extents, const InferOptions& options, const CompileBody& compile);

}  // namespace dbk

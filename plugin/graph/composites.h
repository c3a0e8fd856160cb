// Ops that are one or several others by another name: normalize writes those instead, so that every device has their code and
// passes see through them. They have a schema (libonnx's or that of kernels/own_schemas.cpp) and no row.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

class Expansion;

struct Composite {
  std::string_view domain, name;
  std::string_view main_op;  // of ONNX, whose kernels and types it has
  uint32_t main_input;       // has the elements that are computed
  void (*expand)(Expansion&);
};

std::span<const Composite> composites();
const Composite* find_composite(std::string_view domain, std::string_view name);  // null where it is none

// Appends the nodes that stand for `node`. Throws INVALID_ARGUMENT or UNIMPLEMENTED for attributes that none stand for.
void expand(Graph& graph, const Node& node, const Composite& composite, std::vector<Node>& out);

}  // namespace dbk

// What the results of a product that is measured are made of.
#pragma once

#include "plugin/graph/graph.h"

namespace dbk {

// Each result is a sum of products of elements of A and B, the node's first two operands.
struct Sums {
  int64_t terms = 0;               // of a sum; 0: results are something else
  int64_t a_step = 1, b_step = 1;  // in elements, from a term's operand to the next term's
  bool alone = false;              // a result is its sum, without an epilogue but for a cast, an addend or a factor
};

// Those of a graph of one product, or of copies of it, for which a kernel is forced.
Sums sums_of(const Graph& graph);

}  // namespace dbk

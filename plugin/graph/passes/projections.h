// Products of one input with several weights, as passes find and join them.
#pragma once

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// x w, or x w + bias.
struct Projection {
  ValueId x = DBK_NONE, weight = DBK_NONE, bias = DBK_NONE;
  const Node *product = nullptr, *add = nullptr;  // add: null without a bias
  ValueId result = DBK_NONE;
};

// The projection whose result is v.
std::optional<Projection> read_projection(const Rewriter& r, ValueId v);
// The projection that begins with a product: with the bias, where that is all that becomes of the product.
std::optional<Projection> projection_from(const Rewriter& r, const Node& product);

int64_t width_of(const Rewriter& r, const Projection& projection);
ProjectionLayer layer_of(const Rewriter& r, const std::vector<Projection>& projections);

// Several projections as one: `product`, then `sum` where one of them has a bias (the others get zeros), and then `value` has all columns
// side by side. What these nodes stand for is listed; nothing is replaced yet, but weights side by side are nodes already.
struct JoinedProjection {
  ValueId value = DBK_NONE;
  Node product;
  std::optional<Node> sum;
  std::vector<const Node*> products, sums;
};
JoinedProjection join(Rewriter& r, const std::vector<Projection>& projections);

}  // namespace dbk

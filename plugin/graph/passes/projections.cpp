#include "plugin/graph/passes/projections.h"

#include <algorithm>
#include <utility>

#include "plugin/graph/passes/element_region.h"

namespace dbk {

namespace {

int64_t depth_of(const Rewriter& r, const Projection& projection) {
  const Shape& shape = r.type(projection.weight).shape;
  return shape[shape.rank() - 2];
}

// Of an Add with one weight of one axis: which operand that is.
std::optional<size_t> bias_operand(const Rewriter& r, const Node* add) {
  if (!is_op(add, "Add")) return std::nullopt;
  const size_t at = r.is_weight(add->inputs[0]) ? 0 : 1;
  return r.is_weight(add->inputs[at]) && r.rank(add->inputs[at]) == 1 ? std::optional(at) : std::nullopt;
}

// One matrix, perhaps with batch axes of 1, which give the product none that x does not have.
bool is_matrix(const Rewriter& r, ValueId weight, ValueId x) {
  const Shape& shape = r.type(weight).shape;
  if (shape.rank() == 2) return true;
  return shape.rank() > 2 && r.typed(x) && shape.rank() <= r.rank(x) && std::all_of(shape.begin(), shape.end() - 2, [](int64_t d) { return d == 1; });
}

std::optional<Projection> checked(const Rewriter& r, const Node* product, const Node* add) {
  if (!is_op(product, "MatMul") || !r.is_weight(product->inputs[1]) || !is_matrix(r, product->inputs[1], product->inputs[0])) return std::nullopt;
  Projection p{product->inputs[0], product->inputs[1], DBK_NONE, product, add, product->outputs[0]};
  if (!add) return p;
  p.bias = add->inputs[*bias_operand(r, add)];
  p.result = add->outputs[0];
  return r.type(p.bias).shape[0] == width_of(r, p) ? std::optional(p) : std::nullopt;
}

// A weight without batch axes.
ValueId as_matrix(Rewriter& r, const Projection& p) {
  const TensorType type = r.type(p.weight);
  if (type.shape.rank() == 2) return p.weight;
  const int64_t rows = depth_of(r, p), columns = width_of(r, p);
  Attributes attrs;
  attrs.set("allowzero", int64_t{1});
  const ValueId matrix = r.add_value({type.dtype, {rows, columns}});
  return r.insert(Rewriter::make("Reshape", {p.weight, r.add_integers({rows, columns})}, {matrix}, std::move(attrs)), *p.product)->outputs[0];
}

// Weights side by side.
ValueId join_weights(Rewriter& r, const std::vector<ValueId>& parts, int64_t axis, const Node& near) {
  TensorType type = r.type(parts.front());
  const auto at = static_cast<size_t>(axis);
  type.shape[at] = 0;
  for (ValueId part : parts) type.shape[at] += r.type(part).shape[at];
  const ValueId joined = r.add_value(type);
  Attributes attrs;
  attrs.set("axis", axis);
  r.insert(Rewriter::make("Concat", parts, {joined}, std::move(attrs)), near);
  return joined;
}

ValueId zeros(Rewriter& r, DType dtype, int64_t count) {
  return r.add_constant({{dtype, {count}}, std::vector<std::byte>(static_cast<size_t>(byte_size(dtype, count)))});
}

// Whether what follows a projection would become part of its product.
bool goes_on(const Rewriter& r, const Projection& p) {
  const Node* reader = r.sole_reader(p.result);
  return reader && is_element_step(r, *reader) && r.extents().same_shape(reader->outputs[0], p.result);
}

}  // namespace

std::optional<Projection> read_projection(const Rewriter& r, ValueId v) {
  const Node* node = r.producer(v);
  const auto bias = bias_operand(r, node);
  if (!bias) return checked(r, node, nullptr);
  const ValueId product = node->inputs[1 - *bias];
  return r.sole_reader(product) == node ? checked(r, r.producer(product), node) : std::nullopt;
}

std::optional<Projection> projection_from(const Rewriter& r, const Node& product) {
  const Node* reader = r.sole_reader(product.outputs[0]);
  if (bias_operand(r, reader))
    if (const auto biased = checked(r, &product, reader)) return biased;
  return checked(r, &product, nullptr);
}

int64_t width_of(const Rewriter& r, const Projection& projection) {
  const Shape& shape = r.type(projection.weight).shape;
  return shape[shape.rank() - 1];
}

ProjectionLayer layer_of(const Rewriter& r, const std::vector<Projection>& projections) {
  const TensorType& x = r.type(projections.front().x);
  ProjectionLayer layer{.dtype = x.dtype, .k = depth_of(r, projections.front())};
  layer.rows = layer.k > 0 ? x.count() / layer.k : 0;
  for (const Projection& p : projections) {
    layer.widths.push_back(width_of(r, p));
    layer.biased = layer.biased || p.add;
    layer.own_ends = layer.own_ends || goes_on(r, p);
  }
  return layer;
}

JoinedProjection join(Rewriter& r, const std::vector<Projection>& projections) {
  const bool biased = std::ranges::any_of(projections, [](const Projection& p) { return p.add != nullptr; });
  const DType dtype = r.type(projections.front().weight).dtype;
  JoinedProjection joined;
  std::vector<ValueId> weights, biases;
  for (const Projection& p : projections) {
    weights.push_back(as_matrix(r, p));
    joined.products.push_back(p.product);
    if (biased) biases.push_back(p.add ? p.bias : zeros(r, dtype, width_of(r, p)));
    if (p.add) joined.sums.push_back(p.add);
  }
  const ValueId weight = join_weights(r, weights, 1, *joined.products.back());
  joined.value = r.add_value({dtype, {}});
  joined.product = Rewriter::make("MatMul", {projections.front().x, weight}, {joined.value});
  if (!biased) return joined;
  const ValueId bias = join_weights(r, biases, 0, *joined.sums.back()), product = std::exchange(joined.value, r.add_value({dtype, {}}));
  joined.sum = Rewriter::make("Add", {product, bias}, {joined.value});
  return joined;
}

}  // namespace dbk

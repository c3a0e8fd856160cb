// Layer normalisation as exporters write it out before opset 17, (x - mean) / sqrt(mean((x - mean)^2) + epsilon) *
// scale + bias over the last axes: one node LayerNormalization. The same without the mean: RMSNormalization. Either may be computed in
// f32 between two casts, as 16-bit models have it.
#include <algorithm>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// Axes of a ReduceMean that keeps them, where they are the last ones: the first of them. A negative number otherwise.
int64_t last_axes(const Rewriter& r, const Node* mean) {
  if (!is_op(mean, "ReduceMean") || mean->attrs.integer_or("keepdims", 1) != 1 || !r.typed(mean->inputs[0])) return -1;
  auto axes = r.axes_of(*mean);
  if (!axes || axes->empty()) return -1;
  const auto rank = static_cast<int64_t>(r.rank(mean->inputs[0]));
  for (int64_t& axis : *axes) axis += axis < 0 ? rank : 0;
  std::ranges::sort(*axes);
  for (size_t i = 0; i < axes->size(); ++i)
    if ((*axes)[i] != rank - static_cast<int64_t>(axes->size() - i)) return -1;
  return axes->front();
}

// Whether `v` is a number per normalised element, or one for all: fixed extents, with no axes before `axis`.
bool covers(const Rewriter& r, ValueId v, ValueId x, int64_t axis) {
  if (!r.typed(v) || !r.extents().fixed(v) || r.type(v).dtype != r.type(x).dtype || r.rank(v) > r.rank(x) - axis)
    return false;
  if (r.type(v).count() == 1) return true;
  const std::vector<Extent>&from = r.extents().of(v), &to = r.extents().of(x);
  return r.rank(v) == r.rank(x) - axis && std::equal(from.begin(), from.end(), to.begin() + axis);
}

struct Norm {
  ValueId x = DBK_NONE, scale = DBK_NONE, bias = DBK_NONE, result = DBK_NONE;
  bool centred = false;
  int64_t axis = 0;
  double epsilon = 0;
  std::vector<const Node*> nodes;
};

// sqrt(mean(c^2) + epsilon), from its Sqrt. Fills in x = c.
bool read_deviation(const Rewriter& r, const Node& sqrt, Norm& norm) {
  const Node* add = r.producer(sqrt.inputs[0], "Add");
  if (!add) return false;
  const auto epsilon = r.scalar_operand(*add);
  const Node* mean = epsilon ? r.producer(epsilon->rest, "ReduceMean") : nullptr;
  norm.axis = last_axes(r, mean);
  if (norm.axis < 0) return false;
  const Node* square = r.producer(mean->inputs[0]);
  const bool power = is_op(square, "Pow") && r.scalar(square->inputs[1]) == 2 &&
                     r.rank(square->inputs[1]) <= r.rank(square->inputs[0]);
  const bool product = is_op(square, "Mul") && square->inputs[0] == square->inputs[1];
  if (!power && !product) return false;
  norm.epsilon = epsilon->number;
  norm.x = square->inputs[0];
  norm.nodes = {square, mean, add, &sqrt};
  return r.typed(norm.x);
}

// c = x - mean(x) over the same axes.
void read_centre(const Rewriter& r, Norm& norm) {
  const Node* sub = r.producer(norm.x, "Sub");
  const Node* mean = sub ? r.producer(sub->inputs[1], "ReduceMean") : nullptr;
  if (!mean || mean->inputs[0] != sub->inputs[0] || last_axes(r, mean) != norm.axis) return;
  norm.centred = true;
  norm.x = sub->inputs[0];
  norm.nodes.insert(norm.nodes.begin(), {mean, sub});
}

// c / deviation, or c * (1 / deviation).
bool read_quotient(const Rewriter& r, const Node& sqrt, Norm& norm) {
  const ValueId c = norm.x;
  const Node* reader = r.sole_reader(sqrt.outputs[0]);
  if (is_op(reader, "Div") && reader->inputs[0] == c) {
    norm.nodes.push_back(reader);
  } else {
    const bool inverse = is_op(reader, "Reciprocal") || (is_op(reader, "Div") && r.scalar(reader->inputs[0]) == 1);
    const Node* mul = inverse ? r.sole_reader(reader->outputs[0]) : nullptr;
    if (!is_op(mul, "Mul") || other_operand(*mul, reader->outputs[0]) != c) return false;
    norm.nodes.insert(norm.nodes.end(), {reader, mul});
  }
  norm.result = norm.nodes.back()->outputs[0];
  return true;
}

// A cast of 16 bits to f32 before and back behind, which the op does by itself. The first one stays where others read it.
void read_casts(const Rewriter& r, Norm& norm) {
  const Node *widen = r.producer(norm.x, "Cast"), *narrow = r.sole_reader(norm.result);
  if (!widen || !is_op(narrow, "Cast") || r.type(norm.x).dtype != DBK_F32 || !r.typed(widen->inputs[0])) return;
  const DType dtype = r.type(widen->inputs[0]).dtype;
  if (!contains(F16 | BF16, dtype) || r.type(narrow->outputs[0]).dtype != dtype) return;
  norm.x = widen->inputs[0];
  norm.nodes.push_back(narrow);
  norm.result = narrow->outputs[0];
}

// The operand that `op` joins to the result, where it covers the normalised axes.
ValueId read_affine(const Rewriter& r, std::string_view op, Norm& norm) {
  const Node* node = r.sole_reader(norm.result);
  if (!is_op(node, op)) return DBK_NONE;
  const ValueId operand = other_operand(*node, norm.result);
  if (!covers(r, operand, norm.x, norm.axis)) return DBK_NONE;
  norm.nodes.push_back(node);
  norm.result = node->outputs[0];
  return operand;
}

void match(Rewriter& r, const Node& sqrt) {
  Norm norm;
  if (!read_deviation(r, sqrt, norm) || !read_quotient(r, sqrt, norm)) return;
  read_centre(r, norm);
  read_casts(r, norm);
  if (!contains(FLOATS, r.type(norm.x).dtype) || (!norm.centred && !find_op("", "RMSNormalization"))) return;
  norm.scale = read_affine(r, "Mul", norm);
  if (norm.centred) norm.bias = read_affine(r, "Add", norm);
  if (norm.scale == DBK_NONE) norm.scale = r.add_scalar(r.type(norm.x).dtype, 1, {1});
  std::vector<ValueId> inputs{norm.x, norm.scale};
  if (norm.bias != DBK_NONE) inputs.push_back(norm.bias);
  Attributes attrs;
  attrs.set("axis", norm.axis);
  attrs.set("epsilon", norm.epsilon);
  r.replace(norm.nodes, Rewriter::make(norm.centred ? "LayerNormalization" : "RMSNormalization", inputs, {norm.result},
                                       std::move(attrs)));
}

}  // namespace

void match_normalization(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i)
    if (const Node* node = r.at(i); is_op(node, "Sqrt")) match(r, *node);
}

}  // namespace dbk

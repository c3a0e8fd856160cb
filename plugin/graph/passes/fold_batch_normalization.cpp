// BatchNormalization multiplies and shifts channels by weights. Behind a convolution or a product with a weight, both
// can be done to the weights: y = f (W x + b) + s is (f W) x + (f b + s), with f = scale / sqrt(variance + epsilon) and
// s = bias - mean f.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// Nodes over weights near another node; all values have one dtype, and vectors one number per channel.
class WeightArithmetic {
 public:
  WeightArithmetic(Rewriter& r, const Node& near, DType dtype) : r_(r), near_(near), dtype_(dtype) {}

  ValueId apply(const char* op, ValueId a, ValueId b) {
    return emit(Rewriter::make(op, {a, b}, {0}), broadcast(r_.type(a).shape, r_.type(b).shape));
  }
  ValueId sqrt(ValueId a) { return emit(Rewriter::make("Sqrt", {a}, {0}), r_.type(a).shape); }
  ValueId reshape(ValueId a, const std::vector<int64_t>& dims) {
    Attributes attrs;
    attrs.set("allowzero", int64_t{1});  // there may be no channels
    return emit(Rewriter::make("Reshape", {a, r_.add_integers(dims)}, {0}, std::move(attrs)), Shape(dims));
  }
  ValueId number(double value) { return r_.add_scalar(dtype_, value, {1}); }

 private:
  ValueId emit(Node node, const Shape& shape) {
    node.outputs[0] = r_.add_value({dtype_, shape});
    return r_.insert(std::move(node), near_)->outputs[0];
  }

  Rewriter& r_;
  const Node& near_;
  DType dtype_;
};

struct Scaling {
  ValueId factor, shift;  // [channels]
};

Scaling scaling_of(WeightArithmetic& w, const Node& bn) {
  const ValueId deviation = w.sqrt(w.apply("Add", bn.inputs[4], w.number(bn.attrs.real("epsilon"))));
  const ValueId factor = w.apply("Div", bn.inputs[1], deviation);
  return {factor, w.apply("Sub", bn.inputs[2], w.apply("Mul", bn.inputs[3], factor))};
}

// Whether the second operand of a node is a weight, and the third, where there is one, a number per channel or for all.
bool has_weights(const Rewriter& r, const Node& node, DType dtype) {
  const auto fits = [&](ValueId v) { return r.is_weight(v) && r.type(v).dtype == dtype; };
  if (!fits(node.inputs[1])) return false;
  const ValueId bias = node.inputs.size() > 2 ? node.inputs[2] : DBK_NONE;
  if (bias == DBK_NONE) return true;
  const Shape& shape = r.type(bias).shape;
  return fits(bias) && (shape.rank() == 0 || shape.rank() == 1 || (shape.rank() == 2 && shape[0] == 1));
}

// The axis of a node's weight that makes the channels of its result; -1 where it cannot take the scaling.
int64_t channel_axis(const Rewriter& r, const Node& node) {
  if (is_op(&node, "Conv")) return 0;
  if (is_op(&node, "Gemm")) return node.attrs.real("beta") == 1 ? (node.attrs.integer("transB") ? 0 : 1) : -1;
  const bool matrices =
      is_op(&node, "MatMul") && r.typed(node.inputs[0]) && r.rank(node.inputs[0]) == 2 && r.rank(node.inputs[1]) == 2;
  return matrices ? 1 : -1;
}

void fold(Rewriter& r, const Node& bn) {
  const Node* before = r.producer(bn.inputs[0]);
  const DType dtype = r.type(bn.inputs[0]).dtype;
  if (!before || !before->domain.empty() || !r.typed(bn.inputs[0])) return;
  if (!contains(F32 | F64, dtype)) return;  // factors may leave the range of smaller types though results do not
  for (size_t i = 1; i < 5; ++i)
    if (!r.is_weight(bn.inputs[i]) || r.type(bn.inputs[i]).dtype != dtype) return;
  const int64_t axis = before->inputs.size() < 2 ? -1 : channel_axis(r, *before);
  if (axis < 0 || !has_weights(r, *before, dtype)) return;
  if (r.sole_reader(bn.inputs[0]) != &bn) return r.miss(bn, "its input is also read elsewhere");
  WeightArithmetic w(r, bn, dtype);
  const Scaling scaling = scaling_of(w, bn);
  std::vector<int64_t> along(r.rank(before->inputs[1]), 1);
  along[static_cast<size_t>(axis)] = r.type(bn.inputs[1]).shape[0];
  const ValueId weight = w.apply("Mul", before->inputs[1], w.reshape(scaling.factor, along));
  const bool biased = before->inputs.size() > 2 && before->inputs[2] != DBK_NONE;
  const ValueId bias =
      biased ? w.apply("Add", w.apply("Mul", before->inputs[2], scaling.factor), scaling.shift) : scaling.shift;
  const char* op = is_op(before, "MatMul") ? "Gemm" : before->op_name.c_str();
  r.replace({before, &bn}, Rewriter::make(op, {before->inputs[0], weight, bias}, {bn.outputs[0]}, before->attrs));
}

bool is_inference(const Node& bn) {
  const bool one_output =
      std::all_of(bn.outputs.begin() + 1, bn.outputs.end(), [](ValueId v) { return v == DBK_NONE; });
  return bn.attrs.integer_or("training_mode", 0) == 0 && bn.attrs.integer_or("spatial", 1) == 1 && one_output;
}

}  // namespace

void fold_batch_normalization(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i)
    if (const Node* node = r.at(i); is_op(node, "BatchNormalization") && is_inference(*node)) fold(r, *node);
}

}  // namespace dbk

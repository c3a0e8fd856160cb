// Nodes whose elements GPU kernels do not have get operands of a wider type, and casts bring their results back.
#include <algorithm>
#include <cmath>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// In which a node of elements `dtype` runs; NONE where that is no type to widen.
DType wider_type(const OpRow& op, DType dtype) {
  if (!contains(op.widened_dtypes, dtype)) return DBK_DTYPE_NONE;
  return !contains(FLOATS, dtype) && (op.gpu_dtypes & I32) != 0 ? DBK_I32 : DBK_F32;
}

Attributes cast_to(DType dtype) {
  int64_t code = 1;
  while (dtype_of_onnx(code) != dtype) ++code;
  Attributes attrs;
  attrs.set("to", code);
  return attrs;
}

// Known also where the shape is not.
DType dtype_of(const Rewriter& r, ValueId v) { return r.types().dtypes[v]; }

// Results that are no element of any operand, those of no elements at all, are the last numbers of the wider type: they become those of
// the type itself.
ValueId within(Rewriter& r, const Node& node, ValueId wide, DType type, DType wide_type) {
  if (contains(FLOATS, type)) return wide;
  const bool is_signed = contains(I8 | I16, type);
  const int bits = type == DBK_BOOL ? 1 : static_cast<int>(bits_of(type)) - is_signed;
  const ValueId low = r.add_scalar(wide_type, is_signed ? -std::ldexp(1.0, bits) : 0), high = r.add_scalar(wide_type, std::ldexp(1.0, bits) - 1);
  const ValueId result = r.add_value({wide_type, {}});
  r.insert(Rewriter::make("Clip", {wide, low, high}, {result}), node);
  return result;
}

// Operands and results of the first operand's type change theirs, all others stay.
void widen(Rewriter& r, const Node& node, DType from, DType to) {
  Node made = node;
  std::vector<Rewriter::Replacement> list;
  for (ValueId input : node.inputs) {
    if (input == DBK_NONE || dtype_of(r, input) != from || std::ranges::find(made.inputs, input) == made.inputs.end()) continue;
    const ValueId wide = r.add_value({to, {}});
    r.insert(Rewriter::make("Cast", {input}, {wide}, cast_to(to)), node);
    std::ranges::replace(made.inputs, input, wide);
  }
  list.push_back({{&node}, {}});
  for (ValueId& output : made.outputs) {
    if (output == DBK_NONE || dtype_of(r, output) != from) continue;
    const ValueId wide = r.add_value({to, {}});
    list.push_back({{&node}, Rewriter::make("Cast", {within(r, node, wide, from, to)}, {output}, cast_to(from))});
    output = wide;
  }
  list[0].made = std::move(made);
  r.replace_all(std::move(list));
}

}  // namespace

void widen_elements(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    if (!node || !node->op || node->inputs.empty() || node->inputs[0] == DBK_NONE) continue;
    const DType from = dtype_of(r, node->inputs[0]);
    const bool known = std::ranges::all_of(node->outputs, [&](ValueId v) { return v == DBK_NONE || dtype_of(r, v) != DBK_DTYPE_NONE; });
    const DType to = from != DBK_DTYPE_NONE && known ? wider_type(*node->op, from) : DBK_DTYPE_NONE;
    if (to != DBK_DTYPE_NONE) widen(r, *node, from, to);
  }
}

}  // namespace dbk

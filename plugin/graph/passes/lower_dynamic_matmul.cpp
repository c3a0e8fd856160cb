// DynamicQuantizeMatMul is DynamicQuantizeLinear of its first operand and a product of the codes, which both have kernels.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

enum Input : size_t { kA, kB, kScale, kZero, kBias };

void lower(Rewriter& r, const Node& node) {
  const auto in = [&](size_t i) { return i < node.inputs.size() ? node.inputs[i] : DBK_NONE; };
  const ValueId codes = r.add_value({DBK_U8, {}}), scale = r.add_value({DBK_F32, {}}), zero = r.add_value({DBK_U8, {}});
  r.insert(Rewriter::make("DynamicQuantizeLinear", {in(kA)}, {codes, scale, zero}), node);
  std::vector<ValueId> inputs{codes, in(kB), scale, in(kScale), zero, in(kZero), in(kBias)};
  while (inputs.back() == DBK_NONE) inputs.pop_back();
  r.replace({&node}, Rewriter::make("MatMulIntegerToFloat", std::move(inputs), node.outputs, {}, "com.microsoft"));
}

}  // namespace

void lower_dynamic_matmul(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    if (node && !node->on_host && node->domain == "com.microsoft" && node->op_name == "DynamicQuantizeMatMul") lower(r, *node);
  }
}

}  // namespace dbk

// What depends on weights alone is the same in every run: it is computed when parameters are given, by the ops' host
// functions. So transposing, concatenating, dequantising or scaling weights is written as ordinary nodes and costs a
// run nothing.
#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

// Results that are much larger than what they are made of stay with the run: they would take memory for good.
constexpr int64_t kMaxGrowth = 8, kAlwaysSmall = 64 << 10;

bool has_host_code(const Node& node, const Rewriter& r) {
  const HostOp& host = *node.op->host;
  return host.main_input < node.inputs.size() && r.typed(node.inputs[host.main_input]) &&
         contains(host.dtypes, r.type(node.inputs[host.main_input]).dtype);
}

bool is_preparation(const Node& node, const Rewriter& r) {
  if (!node.op || !is_pure(node) || !has_host_code(node, r)) return false;
  int64_t read = 0, written = 0;
  for (ValueId v : node.inputs) {
    if (v == DBK_NONE) continue;
    if (!r.is_weight(v)) return false;
    read += r.type(v).bytes();
  }
  for (ValueId v : node.outputs) {
    if (v == DBK_NONE) continue;
    if (!r.typed(v)) return false;
    written += r.type(v).bytes();
  }
  return written <= std::max(kMaxGrowth * read, kAlwaysSmall);
}

}  // namespace

void prepare_weights(Rewriter& r) {
  for (size_t i = 0; i < r.count(); ++i)
    if (const Node* node = r.at(i); node && is_preparation(*node, r)) r.to_prologue(*node);
}

}  // namespace dbk

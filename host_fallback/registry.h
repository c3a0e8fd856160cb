// The table of ops, made from kernels/ops.inc: lookup, support answers, tests, benchmarks and the README's table all read it.
#pragma once

#include <span>
#include <string_view>

#include "host_fallback/op.h"

namespace dbk {

struct Epsilons {
  double cpu, gpu;
};

struct OpRow {
  std::string_view id;      // file name without suffix: "gelu"
  std::string_view domain;  // "" is ONNX's default domain
  std::string_view name;    // "Gelu"
  std::string_view family;  // how it runs on a GPU; plugin/gpu/families
  DTypeSet gpu_dtypes;      // of the main operand that the kernel has code for; further conditions are the family's
  DTypeSet widened_dtypes;  // beside them: a pass for GPUs (widen_elements.cpp) casts these to one of gpu_dtypes
  Epsilons tolerance;       // error of the op's own steps that tests allow; kernels/ops.inc explains
  double low, high;         // domain of test inputs
  const HostOp* host;
};

std::span<const OpRow> all_ops();
const OpRow* find_op(std::string_view domain, std::string_view name);  // null where unknown; "ai.onnx" equals ""

// Ops that only passes make (kernels/fused_ops.inc): no host can name them, so find_op does not know them.
std::span<const OpRow> fused_ops();
const OpRow& fused_op(std::string_view id);

}  // namespace dbk

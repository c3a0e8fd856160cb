// What libonnx infers for a node: a second opinion on our shape rules.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

struct OnnxRule {
  std::string refusal;  // empty where the node is accepted
  struct Output {
    DType dtype = DBK_DTYPE_NONE;              // NONE where nothing is told
    std::optional<std::vector<int64_t>> dims;  // -1 where an extent is not told
    bool tells_all() const;
    bool allows(const dbk::TensorType& type) const;
  };
  std::vector<Output> outputs;
};

// Nothing for ops that are not ONNX's. Operands that the graph knows, or that steer shapes, are known to it.
std::optional<OnnxRule> onnx_rule(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs);

std::string to_string(const OnnxRule::Output& output);

}  // namespace ops

// Runs one node through schema checks, shape rule and computation, as the plugin does, with sentinels around its
// outputs.
#pragma once

#include <string>
#include <vector>

#include "host_fallback/registry.h"

namespace dbk::test {

struct NodeRun {
  const OpRow* op = nullptr;
  std::vector<HostTensor> outputs;
};

// "com.microsoft.Gelu" is Gelu of domain com.microsoft.
struct OpName {
  std::string domain, name;
  explicit OpName(const std::string& text);
};

// Throws Error as the op does. Inputs with DBK_DTYPE_NONE are absent. Only inputs named by HostOp::shape_inputs are
// known to the shape rule. Writing outside an output is an std::runtime_error.
NodeRun run_node(const std::string& op, uint32_t opset, Attributes attrs, const std::vector<HostTensor>& inputs,
                 size_t outputs);

// The same for a row and a version as they are, without a schema's checks.
NodeRun run_row(const OpRow& row, NodeView node, const std::vector<HostTensor>& inputs, size_t outputs);

double element(const Tensor& tensor, int64_t i);

}  // namespace dbk::test

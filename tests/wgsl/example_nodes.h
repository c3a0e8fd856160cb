// One or more nodes of every op and dtype that has a kernel, with the shapes and attributes that bring out each of its
// programs.
#pragma once

#include <deque>

#include "host_fallback/expression.h"
#include "plugin/gpu/family.h"

namespace wgsl {

struct ExampleNode {
  const dbk::OpRow* op;
  dbk::Attributes attrs;
  std::vector<dbk::TensorType> inputs, outputs;
  uint32_t version = 18;
  std::vector<int64_t> axes;  // elements of the inputs in `known`, where they are shape operands
  bool weight_b = false;      // input 1 is a weight
  uint32_t known = 1u << 1;

  // What `view` lends out.
  dbk::Tensor tensors[16];
  const dbk::Tensor* values[16] = {};
  bool weights[16] = {};
  dbk::gpu::TypedNode view();
};

std::deque<ExampleNode> example_nodes();

// Those with expressions, and the pieces to make one.
void add_expression_nodes(std::deque<ExampleNode>& out);
dbk::Expression::Step step(const char* op, std::vector<uint32_t> inputs, dbk::Attributes attrs = {});
std::shared_ptr<const dbk::Expression> expression(uint32_t operands, std::vector<dbk::Expression::Step> steps);

// Adapters that make families answer differently: bare WebGPU, a GPU with everything, a CPU adapter with and without
// bounds checks, each family of products forced, and sizes and types of subgroup matrices.
struct Adapter {
  const char* name;
  dbk::gpu::Capabilities caps;
};
std::vector<Adapter> example_adapters();

}  // namespace wgsl

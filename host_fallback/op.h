// What an op is to the plugin: a shape rule and a computation on the host. One file per op defines one HostOp (host_fallback/gelu.cpp
// defines host_gelu); kernels/ops.inc lists them; the registry finds them by domain and name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "host_fallback/attributes.h"
#include "host_fallback/tensor.h"

namespace dbk {

// What both halves of an op see of their node.
struct NodeView {
  const Attributes* attrs = nullptr;
  uint32_t version = 0;  // since-version of the schema in force, e.g. 13 for Softmax in opset 20
};

// Input of a shape rule. All extents are concrete. An absent optional input has a null type.
struct InferInput {
  const TensorType* type = nullptr;
  const Tensor* value = nullptr;  // its elements where they are known on the host (constants, shape operands), else null
};

class Infer {
 public:
  Infer(NodeView node, std::span<const InferInput> inputs, std::span<TensorType> outputs)
      : node_(node), inputs_(inputs), outputs_(outputs) {}

  const NodeView& node() const { return node_; }
  const Attributes& attrs() const { return *node_.attrs; }
  uint32_t version() const { return node_.version; }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  bool has(size_t i) const { return i < inputs_.size() && inputs_[i].type; }
  const TensorType& in(size_t i) const { return *inputs_[i].type; }
  const Shape& shape(size_t i) const { return in(i).shape; }
  // Elements of an input that decides shapes; throws Unknown where they are not known yet.
  const Tensor& value(size_t i) const;
  bool known(size_t i) const { return has(i) && inputs_[i].value; }
  std::span<const InferInput> inputs() const { return inputs_; }
  // Set every output that exists; outputs beyond output_count() are not wanted by anybody.
  void out(size_t i, DType dtype, const Shape& shape) {
    if (i < outputs_.size()) outputs_[i] = {dtype, shape};
  }

  // Thrown by value(): the shape depends on data that only a run can tell. Carries the input's index.
  struct Unknown {
    size_t input;
  };

 private:
  NodeView node_;
  std::span<const InferInput> inputs_;
  std::span<TensorType> outputs_;
};

// Arguments of a computation: dense tensors, outputs allocated with the inferred types and overlapping no input. An absent optional
// input and an output nobody wants have null data. Computations allocate nothing and leave no state behind; those that need
// memory for intermediates get it as `work` (HostOp::work_bytes).
class Compute {
 public:
  Compute(NodeView node, std::span<const Tensor> inputs, std::span<Tensor> outputs, std::byte* work = nullptr)
      : node_(node), inputs_(inputs), outputs_(outputs), work_(work) {}

  const NodeView& node() const { return node_; }
  const Attributes& attrs() const { return *node_.attrs; }
  uint32_t version() const { return node_.version; }
  size_t input_count() const { return inputs_.size(); }
  size_t output_count() const { return outputs_.size(); }
  bool has(size_t i) const { return i < inputs_.size() && inputs_[i].type.dtype != DBK_DTYPE_NONE; }
  bool wants(size_t i) const { return i < outputs_.size() && outputs_[i].type.dtype != DBK_DTYPE_NONE; }
  const Tensor& in(size_t i) const { return inputs_[i]; }
  std::span<const Tensor> inputs() const { return inputs_; }
  Tensor& out(size_t i) { return outputs_[i]; }
  std::byte* work() const { return work_; }

 private:
  NodeView node_;
  std::span<const Tensor> inputs_;
  std::span<Tensor> outputs_;
  std::byte* work_;
};

struct HostOp {
  DTypeSet dtypes;                // of the op's main operand that `compute` has code for; no operand: any
  uint32_t shape_inputs;          // bit i: the elements of input i decide shapes or the launch, and must be known on the host
  void (*infer)(Infer&);          // throws Error for operands that do not fit
  void (*compute)(Compute&);      // throws Error only for what shapes cannot tell (an index out of range)
  uint32_t main_input = 0;        // the main operand
  // Null, or: the first element of output 0 within input 0, where it is a run of that input's elements. Asked for nodes whose shape
  // rule has succeeded, with the same inputs.
  std::optional<int64_t> (*part)(const Infer&) = nullptr;
  uint32_t type_inputs = 0;       // bit i: only the type of input i is read (Shape), so `compute` may find no data there
  // Null, or the bytes of work memory for operands of these types; of data, only that of shape inputs is there.
  int64_t (*work_bytes)(const Compute&) = nullptr;
};

// The work memory of one op for operands of these types.
inline std::vector<std::byte> work_memory(const HostOp& op, NodeView node, std::span<const Tensor> inputs) {
  return std::vector<std::byte>(op.work_bytes ? static_cast<size_t>(op.work_bytes(Compute(node, inputs, {}))) : 0);
}

}  // namespace dbk

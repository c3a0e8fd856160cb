// Backend cases whose graph draws random numbers cannot expect certain ones: of outputs behind such a node, type and shape must be as
// expected and every element one that the node can give. Told by the graph's ops and operands, never by the name of a case.
#pragma once

#include <map>
#include <set>
#include <string>

#include <onnx/onnx_pb.h>

#include "tensors/tensor.h"

namespace host {

class RandomOutputs {
 public:
  // `inputs`: the data that the graph is run on, by name.
  RandomOutputs(const onnx::GraphProto& graph, const std::map<std::string, Tensor>& inputs);

  bool has(const std::string& output) const { return drawn_.contains(output); }
  // Empty, or what is wrong with an output of the expected type and shape.
  std::string fault(const std::string& output, const Tensor& got, const Tensor& expected) const;

 private:
  // What Dropout makes of its operand in training.
  struct Dropped {
    const Tensor* data;
    double scale;
  };
  // What RandomUniform and its kin give.
  struct Range {
    double low, high;
  };
  void add(const onnx::NodeProto& node, const std::map<std::string, Tensor>& inputs);

  std::set<std::string> drawn_;  // values that depend on random numbers
  std::map<std::string, Dropped> dropped_;
  std::map<std::string, Range> ranges_;
};

}  // namespace host

// Types of what If, Loop and Scan make, from those of their bodies.
#pragma once

#include "plugin/graph/infer.h"

namespace dbk {

struct ControlTypes {
  std::vector<TensorType> outputs;  // by output of the node; dtype NONE: late
  std::vector<DType> dtypes;
  std::vector<std::shared_ptr<const HostTensor>> known;  // null where not known
  bool complete = true;                                  // false: binding may tell more
  std::vector<std::shared_ptr<const Types>> bodies;      // in the order of bodies_of; null: not inferred, as it does not run
};

// Wrong whatever binding tells: element types that do not fit.
struct IllTyped : Error {
  using Error::Error;
};

// `inputs` are those of the node, dtype NONE where late; `values` their elements where known, `open` what binding may tell or change about
// them. Throws as infer() does.
ControlTypes infer_control(const Graph& graph, const Node& node, std::span<const TensorType> inputs, std::span<const DType> dtypes,
                           std::span<const Tensor* const> values, std::span<const Openness> open, const InferOptions& outer);

}  // namespace dbk

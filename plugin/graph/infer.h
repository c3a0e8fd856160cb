// Types of every value from concrete extents. Runs at compile with each symbol's maximum and at bind with the actual extents.
// Elements of small tensors that are known on the host (constants, bound shape inputs and what is computed from them) are
// evaluated here, so that shape operands never have to reach a device.
#pragma once

#include <map>
#include <optional>

#include "plugin/graph/graph.h"

namespace dbk {

// Largest tensor evaluated during inference: shape operands are short, weights are not.
inline constexpr int64_t kMaxKnownElements = 4096;

// What may be otherwise in another run than it is with the extents of this inference, and what of it binding can tell.
struct Openness {
  bool rank = false, shape = false;  // other extents may give it another
  bool elements = false;             // those that are known may be others
  bool unbounded = false;            // depends on a symbol without a maximum
  bool tellable = false;             // elements are known, or may be once inputs are bound
};

struct InferOptions {
  std::vector<int64_t> extents;                      // per symbol
  std::vector<std::optional<Shape>> input_shapes;    // per graph input: the bound shape, where there is one
  std::vector<const Tensor*> input_values;           // per graph input: elements of bound shape inputs, else null
  // Of a body: the types of its inputs, NONE where late, their dtypes, what is open about them, and whether the graph around it is bound.
  std::vector<TensorType> body_inputs = {};
  std::vector<DType> body_dtypes = {};
  std::vector<Openness> body_open = {};
  bool body = false, bound = false;
  bool other_branches = false;  // what follows where extents choose the branch that these do not
};

struct Types {
  std::vector<TensorType> types;  // by value id; dtype NONE where a shape is not known yet (`complete` false) or late
  std::vector<DType> dtypes;                             // by value id; also where the shape is not known yet
  std::vector<std::shared_ptr<const HostTensor>> known;  // by value id; null where not known
  std::vector<bool> late;                                // by value id: its shape is known only during the run
  std::vector<bool> late_nodes;                          // by main-block node: it reads or makes such values
  // By main-block node with bodies that can be planned: the types of each, in the order of bodies_of; null where it does not run.
  std::map<uint32_t, std::vector<std::shared_ptr<const Types>>> bodies;
  std::vector<bool> chosen_at_bind;                      // by main-block node: an If of which binding tells the branch, and these extents do not
  std::vector<Openness> open;                            // by value id
  bool complete = true;

  const TensorType& operator[](ValueId v) const { return types[v]; }
  // Whether only binding tells the type of something that the node reads or makes.
  bool undecided(const Node& node) const;
};

// Extents that stand for a symbol at compile: its maximum, or where it has none the least legal extent over 0.
std::vector<int64_t> representative_extents(const Graph& graph);

// Throws an Error naming the node: INVALID_ARGUMENT for operands that do not fit. Where shapes depend on inputs that are not bound yet,
// `complete` is false and what follows them is untyped. Where they depend on data that only the run makes, the value is late, and so is
// what follows, up to values that are declared with fixed extents.
Types infer(const Graph& graph, const InferOptions& options);

// The first element of output 0 within input 0, where it is a run of that input's elements (HostOp::part). The node is typed.
std::optional<int64_t> part_of_input(const Node& node, const Types& types);

// Whether a step of the node reads memory of input `i`, which is there: neither a shape operand that is known nor of interest for its
// type alone.
bool reads_memory(const Node& node, size_t i, const Types& types);

}  // namespace dbk

// A graph after its tables have been checked: every reference is valid, every node stands after what it reads, attributes
// carry their defaults. Ids of values equal those of the caller's table; values that passes add come after them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host_fallback/precision.h"
#include "host_fallback/registry.h"
#include "plugin/graph/projection_form.h"

namespace dbk {

struct Schema;
using ValueId = uint32_t;

// Bytes of a parameter: owned, or borrowed from the host until the executable ends.
struct ParamData {
  const std::byte* ptr = nullptr;
  uint64_t len = 0;
  std::shared_ptr<const std::byte[]> owned;  // null where borrowed
  uint64_t before = 0, behind = 0;           // bytes around them that are borrowed too
};

// Uninitialised bytes, aligned to 64. Throws OUT_OF_MEMORY, which tells what they are for: "input 'x'".
std::shared_ptr<std::byte[]> allocate_bytes(uint64_t bytes, std::string_view what);
// The same; null where there is no memory. Then no_memory tells, from where more is known.
std::shared_ptr<std::byte[]> try_allocate_bytes(uint64_t bytes);
[[noreturn]] void no_memory(uint64_t bytes, std::string_view what);

// Origin of values that the prologue makes: weights like parameters, but not the caller's. Beside DBK_ORIGIN_*.
inline constexpr uint32_t kOriginPrepared = 0x100;

struct Value {
  std::string name;
  DType dtype = DBK_DTYPE_NONE;
  bool known_rank = false;
  std::vector<int64_t> dims;  // as in dbk_value: extents, symbols, unknowns
  uint32_t kind = DBK_KIND_TENSOR;
  uint32_t origin = DBK_ORIGIN_COMPUTED;
  ValueId alias = DBK_NONE;
  std::shared_ptr<const HostTensor> constant;  // of origin CONST
  ParamData data;                              // of origin PARAM, where it came with the graph

  // What is the same in every run has one type; a constant has its elements, too.
  void become_weight(uint32_t with_origin, const TensorType& type);
  void become_constant(std::shared_ptr<const HostTensor> tensor);
};

// A list of i64, as shape operands are.
HostTensor integer_list(std::span<const int64_t> list);

struct Node {
  const OpRow* op = nullptr;  // null: this build has no such op
  const Schema* schema = nullptr;
  std::string domain, op_name, name;
  uint32_t opset = 0;    // as the caller stated it
  uint32_t version = 0;  // since-version of the schema in force
  std::vector<ValueId> inputs, outputs;  // DBK_NONE where absent
  uint32_t captures = 0;                 // of the inputs, the last ones: values that only its bodies read (graph/control.h)
  Attributes attrs;
  uint32_t table_index = DBK_NONE;  // in the caller's node table
  bool on_host = false;             // and not on a GPU: the caller wants that of it, or of one that became part of it
};

struct Block {
  std::string name;
  std::vector<Node> nodes;
  std::vector<ValueId> inputs, outputs;
};

struct Symbol {
  std::string name;
  int64_t min = 0, max = -1, multiple_of = 1;
  bool bounded() const { return max >= 0; }
  bool fixed() const { return min == max; }
};

// A node as the caller wrote it: reports name it whatever became of it.
struct CallerNode {
  std::string domain, op_name, name;
  uint32_t opset = 0;
};

// What a pass did with the caller's nodes (by table index): `absorbed` are now part of node `into`; DBK_NONE where nothing of them is
// left to do.
struct Rewrite {
  std::string pass;
  uint32_t into = DBK_NONE;
  std::string op;  // of the node that stands for them; empty where there is none
  std::vector<uint32_t> absorbed;
};

// What a pass would have liked to do with a node but may not, and why.
struct NearMiss {
  std::string pass;
  uint32_t node;
  std::string reason;
};

struct Graph {
  std::vector<Value> values;
  std::vector<Block> blocks;  // 0 is the main graph; others only until bodies are separated
  std::vector<std::shared_ptr<const Graph>> bodies;  // by index of the block they were; null for the main graph
  std::vector<Symbol> symbols;
  std::vector<ValueId> params;  // in table order
  std::vector<Node> prologue;   // computes weights from weights, on the host, when parameters are given: not part of a run
  std::vector<CallerNode> callers;  // by table index
  std::vector<Rewrite> rewrites;
  std::vector<NearMiss> misses;
  std::vector<ProjectionChoice> projections;
  bool is_body = false;
  Precision precision = Precision::F32;
  bool fixed_extents = false;  // every run has the same types
  std::string product_kernel;  // family and variant that products must use, where it is measured; empty: whichever is best

  const Block& main() const { return blocks.front(); }
  Block& main() { return blocks.front(); }
};

// Parameters, constants and what the prologue makes of them: the same in every run, with fixed types.
inline bool is_weight(const Value& value) { return value.origin != DBK_ORIGIN_COMPUTED; }

inline bool is_symbol(int64_t dim) { return dim < 0 && dim != DBK_DIM_UNKNOWN; }
inline uint64_t symbol_of(int64_t dim) { return static_cast<uint64_t>(-1 - dim); }

// How an op looks at its input i: the elements steer shapes, or nothing but the type matters (HostOp::shape_inputs, type_inputs).
inline bool steers_shapes(const Node& node, size_t i) { return node.op && i < 32 && (node.op->host->shape_inputs >> i & 1); }
inline bool matters_by_type(const Node& node, size_t i) { return node.op && i < 32 && (node.op->host->type_inputs >> i & 1); }
// Whether it draws random numbers, and so has a seed.
bool draws(const Node& node);

// "node 3 'mul_1' (Mul)": how messages name a node.
std::string describe(const Node& node);
// "'x'", or "value 7" where it has no name.
std::string describe(const Graph& graph, ValueId value);

}  // namespace dbk

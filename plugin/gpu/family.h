// How a family of ops runs on a GPU. A family is plain functions over a typed node: it says whether it can, which WGSL programs it
// needs (independent of dynamic extents) and which dispatches a run makes (from concrete shapes). It owns no device object
// and makes no Dawn call, so its output can be tested as text and numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "host_fallback/precision.h"
#include "host_fallback/registry.h"
#include "plugin/gpu/program_source.h"
#include "plugin/tried.h"

namespace dbk::gpu {

class TunedProducts;

struct MatrixConfig {  // one subgroup-matrix configuration of the adapter
  uint32_t m, n, k;
  std::string component, result;  // "f16", "f32", "i8", "i32" ...

  bool operator==(const MatrixConfig&) const = default;
};

// What the host asks of kernels, whatever the adapter: options of the context, read once (plugin/options.cpp).
struct Controls {
  std::string matmul_family = "auto";  // or the name of a family of matmul_choice.h
  std::string matmul_variant;          // of that family, as it names its parameters; empty: whichever it prefers
  std::string coop = "1";              // operands that matrices of subgroups may have: "1" all, "0" none, "f16", "f32"
  int64_t coop_columns = 0;            // the most columns of products on them; 0: any
  double precision_threshold = 2e-3;   // of the precision guard (families/precision_guard.h); 0: there is none
  double oscillation_gate = 0;         // 0: there is none

  bool coop_takes(std::string_view component) const { return coop == "1" || coop == component; }
  // Empty, or why a product of so many columns is not for matrices of subgroups.
  std::string refuse_coop_columns(int64_t columns) const;

  bool operator==(const Controls&) const = default;
};

struct PrecisionVerdict;  // of the precision guard on a weight

struct Capabilities {
  bool f16 = false;
  bool subgroups = false;
  bool cpu_adapter = false;  // kernels for software adapters: gathers and barriers are dear, vectors are short
  bool robust = true;        // WGSL bounds checks are on
  uint32_t subgroup_min = 0, subgroup_max = 0;
  uint64_t max_binding = 128u << 20;
  uint64_t max_buffer = 256u << 20;
  uint32_t max_storage_bindings = 8;
  uint32_t max_groups = 65535;  // per dimension of a grid
  uint32_t max_group_size = 256;
  uint32_t max_group_memory = 16384;
  std::vector<MatrixConfig> matrices;
  uint32_t vendor = 0;        // PCI vendor id
  std::string architecture;   // as Dawn calls the vendor's generation: "ampere", "rdna-3"; may be empty
  Controls controls;
  std::shared_ptr<const TunedProducts> tuned;  // what was measured of kernels for products; null: nothing
};

// A node with the types of its operands. An absent operand has dtype DBK_DTYPE_NONE.
struct TypedNode {
  const OpRow* op;
  const Attributes* attrs;
  uint32_t version;
  std::span<const TensorType> inputs, outputs;
  std::span<const Tensor* const> values;  // elements of shape inputs (HostOp::shape_inputs), null for the others
  std::span<const bool> is_weight;        // inputs that are parameters or constants of the graph
  Precision precision = Precision::F32;   // of the executable
  const PrecisionVerdict* verdict = nullptr;  // on the weight that Family::rounding names; null: not judged
  bool fixed_extents = false;             // these are the types of every run
  bool unbounded = false;                 // runs may have larger ones, without limit

  bool has(size_t i) const { return i < inputs.size() && inputs[i].dtype != DBK_DTYPE_NONE; }
};

// A compute program. Bindings of group 0 are, in order: `reads` read-only storage buffers, `writes` read_write storage buffers and
// one uniform buffer with the params. Two programs of equal text are one pipeline; the label is for people.
struct Program {
  std::string label;     // "gelu/f32"
  ProgramSource source;  // of the complete text, entry point "main"
  uint32_t reads = 0, writes = 0;
  bool on_matrices = false;  // of subgroups: what an adapter has to prove first (families/matrix_proof.h)
};

// One storage binding. Every operand has storage of its byte size rounded up to 16, at least 16; byte_off must be a multiple of
// 256. byte_len 0 is "to the end".
struct Argument {
  // Fault: 16 bytes, zero before the run; see Family::launch; `index` is the input whose elements are at fault, 0 where that is not
  // told. Scratch: byte_len bytes of memory number `index`, which dispatches of
  // one node share and other nodes overwrite.
  enum class Kind : uint8_t { Input, Output, Fault, Scratch };
  Kind kind;
  uint32_t index = 0;
  uint32_t panel = 0;  // of a weight split by Family::panels
  uint64_t byte_off = 0, byte_len = 0;
};

struct Dispatch {
  uint32_t program = 0;  // index into what Family::programs gave
  std::vector<Argument> args;
  std::array<uint32_t, 3> groups{1, 1, 1};
  std::vector<std::byte> params;  // the family's params struct
};

// How operands of subgroup matrices are stored (families/coop_operand.h): as f16 for sums in f32, as f16 for sums in f16, as f32, or as bytes.
enum class OperandForm : uint8_t { None, F16, F16Sums, F32, I8, U8 };

// Columns [first, first + count) of the last axis of a weight: own buffer, dense. With `block`, which divides count, the columns are
// stored in blocks of that many: [count / block][rows][block]; `transposed` swaps the axes of the weight, a matrix, before that.
// With `operand` the columns of the matrix are stored as coop_operand.h has it, filled up to a multiple of `block`. With `of_rows` they are
// rows of the weight, a matrix, as they lie there: columns of a B that is stored transposed. families/pack.h does it.
struct Panel {
  int64_t first, count;
  uint32_t block = 0;
  bool transposed = false;
  OperandForm operand = OperandForm::None;
  bool of_rows = false;
  auto operator<=>(const Panel&) const = default;
};

// How a product reads a weight that it would round to f16, as the precision guard has to know it: columns of B, in elements of the weight.
struct Rounding {
  uint32_t input;  // of the node
  DType dtype;
  int64_t matrices, vectors, depth;  // matrices one after the other, each of that many columns
  int64_t vector_step, depth_step;
  bool sums;  // sums would be f16, too
  bool operator==(const Rounding&) const = default;
};

inline constexpr uint32_t kDivisionByZero = 2;  // in a Fault binding

// Which of several kernels a family took for a node, and why, for people.
struct Choice {
  std::string family;  // "tile"
  std::string tile;    // its parameters: "64x64x16, 4x4 each"
  std::string reason;
  struct Other {
    std::string family, why_not;
  };
  std::vector<Other> others;  // that stood before it
  std::string variant;        // its parameters as options and measurements name them: "64x64x16"
  std::string heuristic;      // family and variant that would be taken without measurements
  struct Measured {
    std::string kernel;  // family and variant
    double microseconds;
  };
  std::vector<Measured> measured;  // for products like this one, fastest first
  Tried tried = Tried::Nothing;    // of what could be measured
};

// Kernels for a node that a measurement may decide between.
struct KernelTrials {
  std::string about;                 // the kind of node, as TunedProducts has it; empty: there is nothing to decide
  std::vector<std::string> kernels;  // family and variant: what is taken without measurements, then others, the likely ones first
  double operations = 0;             // of the node, on floats
  std::string reference;             // a kernel that is right on every adapter
  Tried tried = Tried::Nothing;      // already
  Precision precision = Precision::F32;  // of an executable that computes such a node with these kernels
};

struct Family {
  std::string_view name;
  // Empty when the family can run the node, else the reason, as a sentence part: "f64 has no GPU type".
  std::string (*refuse)(const TypedNode&, const Capabilities&);
  void (*programs)(const TypedNode&, const Capabilities&, std::vector<Program>& out);
  // Dispatches in order; none for an empty output. A kernel that meets an index out of range stores 1 in its Fault binding
  // (kernels/_fault.wgsl) and goes on with a clamped index; the run then fails with OUT_OF_RANGE and the node's name.
  void (*launch)(const TypedNode&, const Capabilities&, std::vector<Dispatch>& out);
  // Null, or how weight input `i` is split; a single panel is the weight as it is.
  std::vector<Panel> (*panels)(const TypedNode&, const Capabilities&, uint32_t input) = nullptr;
  // Null, or what it chose for a node that it does not refuse.
  Choice (*choice)(const TypedNode&, const Capabilities&) = nullptr;
  // Null, or which weight it would round to f16, as long as nobody forbids it; nothing: none. Does not change with extents of a run.
  std::optional<Rounding> (*rounding)(const TypedNode&, const Capabilities&) = nullptr;
  // Null, or what could be measured of it.
  KernelTrials (*trials)(const TypedNode&, const Capabilities&) = nullptr;
};

const Family* find_family(std::string_view name);  // null: ops of that family have no GPU code

template <class P>
std::vector<std::byte> to_params(const P& params) {
  static_assert(std::is_trivially_copyable_v<P> && sizeof(P) % 16 == 0, "uniform structs are multiples of 16 bytes");
  std::vector<std::byte> bytes(sizeof(P));
  std::memcpy(bytes.data(), &params, sizeof(P));
  return bytes;
}

// A grid of `groups` workgroups in all, spilling to y and z where x is full; kernels recover the flat index with the `flat_group`
// function of kernels/_grid.wgsl and must ignore indices >= groups. `groups` > 0.
std::array<uint32_t, 3> grid_of(uint64_t groups, const Capabilities& caps);

// Text of kernels/<name>.wgsl, embedded at build time; throws INTERNAL for an unknown name.
std::string_view kernel_text(std::string_view name);

}  // namespace dbk::gpu

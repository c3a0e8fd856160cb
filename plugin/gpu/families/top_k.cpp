// TopK: kernels/_top_k.wgsl, an invocation per element, which looks at all others of its line.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/lines.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t count, length;
  float length_inverse;
  uint32_t inner;
  float inner_inverse;
  uint32_t k, pad[2];
};
static_assert(sizeof(Params) == 32);

constexpr int64_t kMostComparisons = int64_t{1} << 28;  // a heap on the host has fewer to make

Lines lines_of(const TypedNode& node) {
  const Shape& shape = node.inputs[0].shape;
  return dbk::lines_of(shape, normalize_axis(node.attrs->integer("axis"), shape.rank()));
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!wants(node, 0) || !wants(node, 1)) return "kernels write values and indices";
  if (const Lines lines = lines_of(node); lines.n > 0 && lines.count() > kMostComparisons / lines.n / lines.n)
    return std::format("kernels compare all pairs of a line, and {} lines have {} elements", lines.count(), lines.n);
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const bool largest = node.attrs->integer_or("largest", 1) != 0;
  ProgramText text;
  text.constant("largest", largest).arithmetic(dtype).file("_top_k").file("_indices").file("_divide");
  out.push_back({std::format("top_k/{}/{}", to_string(dtype), largest ? "largest" : "smallest"), text, 1, 2});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.inputs[0].count();
  if (count == 0 || node.outputs[0].count() == 0) return;
  const Lines lines = lines_of(node);
  const int64_t k = node.outputs[0].count() / lines.count();
  const Params params{to_u32(count), to_u32(lines.n), inverse_of(lines.n), to_u32(lines.inner), inverse_of(lines.inner), to_u32(k), {}};
  out.push_back({0,
                 {input(0), output(0), output(1)},
                 grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps),
                 to_params(params)});
}

}  // namespace

constinit const Family kTopK{"top_k", refuse, programs, launch};

}  // namespace dbk::gpu

// Clip: kernels/_clip.wgsl, or kernels/_clip_each.wgsl for types without vectors of four. Bounds that are operands are read where they are; the others are numbers of the launch.
#include <limits>

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

template <class A>
struct Params {
  uint32_t vectors;
  A low, high;
  uint32_t pad;
};
static_assert(sizeof(Params<float>) == 16 && sizeof(Params<int32_t>) == 16);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  ProgramText text;
  text.constant("low_given", node.has(1)).constant("high_given", node.has(2)).arithmetic(dtype);
  has_vectors(dtype) ? text.file("_clip") : text.reads(dtype).writes(dtype).file("_clip_each");
  out.push_back({std::format("clip/{}{}{}", to_string(dtype), node.has(1) ? "/low" : "", node.has(2) ? "/high" : ""), text, 3, 1});
}

std::vector<std::byte> params_of(const TypedNode& node, uint32_t vectors) {
  if (!has_vectors(node.inputs[0].dtype)) return to_params(Params<uint32_t>{to_u32(node.outputs[0].count()), 0, 0, 0});
  if (node.inputs[0].dtype == DBK_I32)
    return to_params(Params<int32_t>{vectors, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), 0});
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const auto bound = [&](const char* name, float otherwise) {
    return node.attrs->has(name) ? static_cast<float>(node.attrs->real(name)) : otherwise;
  };
  return to_params(Params<float>{vectors, bound("min", -kInf), bound("max", kInf), 0});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const DType dtype = node.inputs[0].dtype;
  const uint64_t vectors = ceil_div(count, 4), threads = has_vectors(dtype) ? vectors : invocations(count, dtype);
  const auto bound = [&](uint32_t i) { return input(node.has(i) ? i : 0); };
  out.push_back({0,
                 {input(0), bound(1), bound(2), output(0)},
                 grid_of(ceil_div(threads, kGroupSize), caps),
                 params_of(node, to_u32(vectors))});
}

}  // namespace

constinit const Family kClip{"clip", refuse, programs, launch};

}  // namespace dbk::gpu

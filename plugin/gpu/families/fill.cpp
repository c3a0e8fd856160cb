// ConstantOfShape: kernels/_fill.wgsl writes 16 bytes of equal elements per invocation, whatever their type.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {
  uint32_t vectors, pad[3];
  std::byte pattern[16];
};
static_assert(sizeof(Params) == 32);

std::string refuse(const TypedNode& node, const Capabilities& caps) { return refuse_size(node.outputs[0], caps); }

void programs(const TypedNode&, const Capabilities&, std::vector<Program>& out) {
  ProgramText text;
  out.push_back({"fill", text.file("_fill"), 0, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const TensorType& type = node.outputs[0];
  if (type.count() == 0) return;
  const uint64_t vectors = ceil_div(static_cast<uint64_t>(type.bytes()), 16);
  Params params{to_u32(vectors), {}, {}};
  const size_t size = bits_of(type.dtype) / 8;
  if (node.attrs->has("value"))
    for (size_t at = 0; at < 16; at += size) std::memcpy(params.pattern + at, node.attrs->tensor("value").bytes.data(), size);
  out.push_back({0, {output(0)}, grid_of(ceil_div(vectors, kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kFill{"fill", refuse, programs, launch};

}  // namespace dbk::gpu

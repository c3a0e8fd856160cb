// RoiAlign: kernels/roi_align with the mode's file, one bin per invocation.
#include "host_fallback/roi_align.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/roi_align/align.wgsl
  uint32_t count, bins;
  float bins_inverse;
  uint32_t columns;
  float columns_inverse;
  uint32_t channels;
  float channels_inverse;
  uint32_t batches, height, width, rows, sampling;
  float scale, offset, least;
  uint32_t pad;
};
static_assert(sizeof(Params) == 64);

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  return refuse_operands(node, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const std::string& mode = node.attrs->text("mode");
  ProgramText text;
  text.arithmetic(node.inputs[0].dtype).file("roi_align/align").file("_fault").file("_indices").file("roi_align/" + mode).file("_divide");
  out.push_back({std::format("roi_align/{}/{}", mode, to_string(node.inputs[0].dtype)), text, 3, 2});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const RoiAlignSpec spec = roi_align_spec(*node.attrs);
  const Shape& x = node.inputs[0].shape;
  const int64_t bins = spec.height * spec.width;
  const Params params{to_u32(count), to_u32(bins), inverse_of(bins), to_u32(spec.width), inverse_of(spec.width), to_u32(x[1]), inverse_of(x[1]),
                      to_u32(x[0]), to_u32(x[2]), to_u32(x[3]), to_u32(spec.height), to_u32(spec.sampling), static_cast<float>(spec.scale),
                      spec.half_pixel ? 0.5f : 0, spec.half_pixel ? -3e38f : 1, 0};
  out.push_back({0, {input(0), input(1), input(2), output(0), fault_of(2)},
                 grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kRoiAlign{"roi_align", refuse, programs, launch};

}  // namespace dbk::gpu

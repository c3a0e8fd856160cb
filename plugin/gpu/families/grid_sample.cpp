// GridSample: kernels/grid_sample. Up to three spatial axes; f16 and f32 in any mode, elements of every type are chosen.
#include "host_fallback/grid_sample.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Axis {
  uint32_t extent = 1, stride = 0;
  float low = -0.5f, high = 0.5f;
};
struct Params {  // kernels/grid_sample/sample.wgsl
  uint32_t count, places;
  float places_inverse;
  uint32_t channels;
  float channels_inverse;
  uint32_t plane, rank, corners;
  std::array<Axis, 3> axes;
};
static_assert(sizeof(Params) == 32 + 3 * 16);

constexpr int64_t kMostExtent = 1 << 20;  // places are f32

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  const DType dtype = node.inputs[0].dtype;
  if (grid_mode(*node.attrs) != GridMode::Nearest && !contains(F32 | F16, dtype)) return std::format("no kernel interpolates {}", to_string(dtype));
  if (!contains(F32 | F16, node.inputs[1].dtype)) return std::format("no kernel reads a grid of {}", to_string(node.inputs[1].dtype));
  const Shape& x = node.inputs[0].shape;
  if (x.rank() > 5) return std::format("{} spatial axes have no kernel, 3 have", x.rank() - 2);
  for (uint32_t d = 2; d < x.rank(); ++d)
    if (x[d] > kMostExtent) return std::format("an axis of {} has no kernel: places are f32", x[d]);
  return refuse_operands(node, caps);
}

constexpr const char *kModes[] = {"nearest", "linear", "cubic"}, *kPaddings[] = {"zeros", "border", "reflection"};

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const char* mode = kModes[static_cast<size_t>(grid_mode(*node.attrs))];
  const char* padding = kPaddings[static_cast<size_t>(grid_padding(*node.attrs))];
  const DType dtype = node.inputs[0].dtype;
  const bool chooses = grid_mode(*node.attrs) == GridMode::Nearest;
  ProgramText text;
  chooses ? text.moves(dtype).file("grid_sample/choose") : text.arithmetic(dtype).reads(dtype).writes(dtype).file("grid_sample/blend");
  text.alias("grid_elem", to_string(node.inputs[1].dtype)).file("grid_sample/sample").file("_divide");
  text.file(std::format("grid_sample/{}", mode)).file(std::format("grid_sample/{}", padding));
  out.push_back({std::format("grid_sample/{}/{}/{}/{}", mode, padding, chooses ? moved_name(dtype) : to_string(dtype), to_string(node.inputs[1].dtype)),
                 text, 2, 1});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  if (count == 0) return;
  const Shape &x = node.inputs[0].shape, strides = dense_strides(x);
  const int64_t planes = x[0] * x[1], places = count / planes;
  const bool corners = node.attrs->integer("align_corners") != 0;
  Params params{to_u32(count), to_u32(places),   inverse_of(places), to_u32(x[1]), inverse_of(x[1]), to_u32(x.count() / planes),
                x.rank() - 2,  corners ? 1u : 0u, {}};
  for (uint32_t d = 2; d < x.rank(); ++d) {
    const auto extent = static_cast<float>(x[d]);
    params.axes[d + 3 - x.rank()] = {to_u32(x[d]), to_u32(strides[d]), corners ? 0 : -0.5f, extent - (corners ? 1 : 0.5f)};
  }
  out.push_back({0, {input(0), input(1), output(0)}, grid_of(ceil_div(invocations(count, node.inputs[0].dtype), kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kGridSample{"grid_sample", refuse, programs, launch};

}  // namespace dbk::gpu

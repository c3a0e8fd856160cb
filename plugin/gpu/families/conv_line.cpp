#include "plugin/gpu/families/conv_line.h"

#include "plugin/gpu/families/conv_line_text.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Phase {
  uint32_t extent, begin, stride;
  float stride_inverse;
  uint32_t length;
  float length_inverse;
  uint32_t result;
  float result_inverse;
};
struct Around {  // kernels/conv/phases.wgsl
  uint32_t count, plane;
  float plane_inverse;
  uint32_t phase;
  float phase_inverse;
  uint32_t input, row, channels;
  float channels_inverse;
  uint32_t pad[3];
  std::array<Phase, 3> axes;
};
static_assert(sizeof(Around) == 48 + 3 * 32);
struct Params {  // conv_line_text.cpp
  uint32_t channels_out, part, row, weights, groups;
  float groups_inverse;
  uint32_t k_start, depth, zero, pad[3];
  std::array<uint32_t, kLineConvDepth> offsets;
};
static_assert(sizeof(Params) == 48 + 4 * kLineConvDepth);

constexpr uint32_t kPhases = 0, kSums = 1;  // scratch
constexpr uint32_t kDepths[] = {kLineConvDepth, 16, 4, 1};
constexpr uint32_t kSpread = std::size(kDepths), kCollect = kSpread + 1;  // programs behind those

// Three axes, outermost first, and the sizes of what is stored.
struct Geometry {
  std::array<Phase, 3> axes;
  std::array<int64_t, 3> kernel, dilation;
  int64_t phase = 1, plane = 1;  // elements of one phase, and of all phases of a channel
  int64_t row;                   // elements of one channel of the sums: a multiple of kLineConvColumns

  explicit Geometry(const Windows& w) {
    for (uint32_t i = 0; i < 3; ++i) {
      const WindowAxis a = i + w.rank < 3 ? WindowAxis{} : w[i + w.rank - 3];
      const int64_t length = a.out + (a.kernel - 1) * a.dilation / a.stride;
      axes[i] = {to_u32(a.in),   to_u32(a.begin),    to_u32(a.stride), inverse_of(a.stride),
                 to_u32(length), inverse_of(length), to_u32(a.out),    inverse_of(a.out)};
      kernel[i] = a.kernel;
      dilation[i] = a.dilation;
      phase *= length;
      plane *= length * a.stride;
    }
    const int64_t last = (int64_t{axes[0].result - 1} * axes[1].length + axes[1].result - 1) * axes[2].length;
    row = static_cast<int64_t>(ceil_div(last + axes[2].result, kLineConvColumns)) * kLineConvColumns;
  }

  // Where the elements under a tap begin within a channel.
  int64_t offset(int64_t tap) const {
    int64_t phase_at = 0, at = 0, place[3];
    for (uint32_t i = 3; i-- > 0; tap /= kernel[i]) place[i] = tap % kernel[i] * dilation[i];
    for (uint32_t i = 0; i < 3; ++i) {
      phase_at = phase_at * axes[i].stride + place[i] % axes[i].stride;
      at = at * axes[i].length + place[i] / axes[i].stride;
    }
    return phase_at * phase + at;
  }
};

uint64_t phase_bytes(const Convolution& c, const Geometry& g) {
  return static_cast<uint64_t>(c.batch * c.groups * c.channels_in * g.plane + kLineConvColumns) * 4;
}
uint64_t sum_bytes(const Convolution& c, const Geometry& g) {
  return static_cast<uint64_t>(c.batch * c.groups * c.channels_out * g.row) * 4;
}

Around around(const Convolution& c, const Geometry& g, int64_t count, int64_t plane) {
  const int64_t channels = c.groups * c.channels_out;
  return {to_u32(count),  to_u32(plane),           inverse_of(plane), to_u32(g.phase),  inverse_of(g.phase),
          to_u32(c.windows.in_count()), to_u32(g.row), to_u32(channels),  inverse_of(channels), {}, g.axes};
}

}  // namespace

bool line_conv_possible(const TypedNode& node, const Capabilities& caps) {
  const bool fixed = node.is_weight.size() > 1 && node.is_weight[1];
  return line_possible(caps) && node.inputs[0].dtype == DBK_F32 && node.op->family == "conv" &&
         node.inputs[0].shape.rank() <= 5 && (!fixed || node.inputs[1].shape[0] / node.attrs->integer("group") >= kLineConvRows);
}

bool line_conv_fits(const Convolution& c, const Capabilities& caps) {
  constexpr int64_t kWorth = 1 << 16;  // products below which two more dispatches cost more than they save
  const int64_t products = c.windows.out_count() * c.channels_in * c.windows.taps() * c.channels_out;
  if (c.channels_out < kLineConvRows || c.channels_in == 0 || products < kWorth) return false;
  const Geometry g(c.windows);
  if (g.row / kLineConvColumns > caps.max_groups || c.batch * c.groups > caps.max_groups) return false;
  // Where strides are longer than windows, there are more phases than any tap reads.
  return g.plane <= 4 * (c.windows.in_count() + c.windows.out_count()) && phase_bytes(c, g) <= caps.max_binding &&
         sum_bytes(c, g) <= caps.max_binding;
}

void line_conv_programs(bool has_bias, const Epilogue& epilogue, std::vector<Program>& out) {
  for (uint32_t depth : kDepths)
    out.push_back({std::format("conv/f32/line{}x{}x{}", kLineConvRows, kLineConvColumns, depth), line_conv_text(depth), 2, 1});
  ProgramText spread;
  spread.file("conv/phases").file("conv/spread").file("_divide");
  out.push_back({"conv/f32/spread", spread.str(), 1, 1});
  ProgramText collect;
  const uint32_t own = has_bias ? 2 : 1, reads = own + static_cast<uint32_t>(epilogue.operands.size());
  collect.alias("elem", "f32").constant("binding_y", reads).constant("binding_params", reads + 1);
  collect.file("conv/phases").file("conv/collect").file("_divide");
  add_finish(collect, DBK_F32, epilogue, own);
  if (has_bias) collect.constant("binding_bias", 1);
  collect.file(has_bias ? "conv/bias" : "conv/bias_none");
  out.push_back({std::format("conv/f32/collect{}{}", has_bias ? "/bias" : "", epilogue_label(epilogue)), collect.str(), reads, 1});
}

void line_conv_launch(const Convolution& c, bool has_bias, const Epilogue& epilogue, const Capabilities& caps, uint32_t first,
                      std::vector<Dispatch>& out) {
  const Geometry g(c.windows);
  const Argument phases = scratch(kPhases, phase_bytes(c, g)), sums = scratch(kSums, sum_bytes(c, g));
  const int64_t parts = c.batch * c.groups, stored = parts * c.channels_in * g.plane;
  out.push_back({first + kSpread, {input(0), phases}, grid_of(ceil_div(stored, kGroupSize), caps), to_params(around(c, g, stored, g.plane))});
  const int64_t taps = c.windows.taps(), depth = c.channels_in * taps;
  Params params{};
  params.channels_out = to_u32(c.channels_out);
  params.part = to_u32(c.channels_in * g.plane);
  params.row = to_u32(g.row);
  params.weights = to_u32(c.channels_out * depth);
  params.groups = to_u32(c.groups);
  params.groups_inverse = inverse_of(c.groups);
  params.depth = to_u32(depth);
  const std::array<uint32_t, 3> grid{to_u32(ceil_div(c.channels_out, kLineConvRows * kLineConvTeams)),
                                     to_u32(g.row / kLineConvColumns), to_u32(parts)};
  int64_t k = 0;
  for (uint32_t i = 0; i < std::size(kDepths); ++i)
    for (; k + kDepths[i] <= depth; k += kDepths[i]) {
      params.k_start = to_u32(k);
      for (uint32_t u = 0; u < kDepths[i]; ++u)
        params.offsets[u] = to_u32((k + u) / taps * g.plane + g.offset((k + u) % taps));
      out.push_back({first + i, {phases, input(1), sums}, grid, to_params(params)});
    }
  const int64_t results = parts * c.channels_out * c.windows.out_count();
  std::vector<Argument> args{sums};
  if (has_bias) args.push_back(input(2));
  for (const EpilogueOperand& operand : epilogue.operands) args.push_back(input(operand.input));
  args.push_back(output(0));
  out.push_back({first + kCollect, std::move(args), grid_of(ceil_div(results, kGroupSize), caps), to_params(around(c, g, results, c.windows.out_count()))});
}

}  // namespace dbk::gpu

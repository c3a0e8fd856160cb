#include "plugin/gpu/families/conv_phases.h"

#include "plugin/gpu/families/line.h"
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
struct Params {  // kernels/conv/phases.wgsl
  uint32_t count, plane;
  float plane_inverse;
  uint32_t phase;
  float phase_inverse;
  uint32_t input, row, channels;
  float channels_inverse;
  uint32_t apart_z, apart_y, elements, tiles, tiles_across;
  float tiles_across_inverse;
  uint32_t zero;
  std::array<Phase, 3> axes;
};
static_assert(sizeof(Params) == 64 + 3 * 32);

constexpr uint32_t kInScratch = 0, kSumScratch = 1;
constexpr uint32_t kCollect = 0, kSpread = 1;  // programs; by rows where that can be, then by elements
constexpr int64_t kRun = 16;                   // elements that conv/spread_rows stores at a time

constexpr int64_t round_up(int64_t n, int64_t unit) { return (n + unit - 1) / unit * unit; }

ConvPhases::Axis axis_of(const WindowAxis& a, bool transposed) {
  if (!transposed) return {a.in, a.out, a.kernel, a.dilation, a.stride, 1, a.begin, a.out + (a.kernel - 1) * a.dilation / a.stride};
  // Windows slide over the result by single steps and meet their last tap first.
  return {a.in, a.out, a.kernel, a.dilation, 1, a.stride, a.reach() - 1 - a.begin, a.out + a.reach() - 1};
}

// The file with the `take` of conv/spread_rows for the last axis; empty where there is none.
std::string_view take_of(const ConvPhases::Axis& last) {
  if (last.stride * last.apart == 1) return "_take_all";
  if (last.stride * last.apart == 2) return last.apart == 2 ? "_take_apart" : "_take_second";
  return {};
}

std::string_view take_of(const Convolution& c, bool transposed) { return take_of(axis_of(c.windows[c.windows.rank - 1], transposed)); }

bool by_rows(const ConvPhases& phases) {
  const ConvPhases::Axis& last = phases.axes[2];
  return !take_of(last).empty() && last.length >= kRun && phases.channels_in * phases.axes[0].in * phases.axes[1].in * last.in >= 8;
}

Params params_of(const ConvPhases& g, int64_t count, int64_t plane) {
  Params params{};
  params.count = to_u32(count);
  params.plane = to_u32(plane), params.plane_inverse = inverse_of(plane);
  params.phase = to_u32(g.phase), params.phase_inverse = inverse_of(g.phase);
  params.input = to_u32(g.axes[0].in * g.axes[1].in * g.axes[2].in);
  params.row = to_u32(g.rows * g.width);
  params.apart_z = to_u32(g.axes[0].apart), params.apart_y = to_u32(g.axes[1].apart);
  params.elements = to_u32(g.channels_in) * params.input;
  for (uint32_t i = 0; i < 3; ++i) {
    const ConvPhases::Axis& a = g.axes[i];
    params.axes[i] = {to_u32(a.in),     to_u32(a.begin),      to_u32(a.stride), inverse_of(a.stride),
                      to_u32(a.length), inverse_of(a.length), to_u32(a.out),    inverse_of(a.out)};
  }
  return params;
}

}  // namespace

ConvPhases::ConvPhases(const Convolution& c, bool transposed, const ConvFinish& finish, uint32_t tile_columns)
    : channels_in(c.batch * c.groups * c.channels_in), channels_out(c.batch * c.groups * c.channels_out) {
  const Windows& w = c.windows;
  bool single = !transposed;
  phase = plane = 1;
  for (uint32_t i = 0; i < 3; ++i) {
    axes[i] = axis_of(i + w.rank < 3 ? WindowAxis{} : w[i + w.rank - 3], transposed);
    single = single && axes[i].kernel == 1 && axes[i].stride == 1 && axes[i].in == axes[i].out;
    if (i == 2) axes[i].length = round_up(axes[i].length, 4);
    phase *= axes[i].length;
    plane *= axes[i].length * axes[i].stride;
  }
  const auto in_vectors = [&](int64_t n) { return n % 4 == 0 && n >= tile_columns; };
  as_is = single && in_vectors(w.out_count());
  in_place = as_is || in_vectors(axes[2].out);
  in_result = in_place && finish.stored() == DBK_F32;
  row = axes[2].length, slice = axes[1].length * row;
  rows = axes[0].out * axes[1].out, slice_rows = axes[1].out, width = axes[2].out;
  if (as_is) {
    plane = w.in_count();
    rows = slice_rows = 1, width = w.out_count();
  } else if (!in_place) {
    width = round_up(((axes[0].out - 1) * axes[1].length + axes[1].out - 1) * row + axes[2].out, tile_columns);
    rows = slice_rows = 1;
  }
}

int64_t ConvPhases::offset(int64_t tap) const {
  if (as_is) return 0;
  int64_t phase_at = 0, at = 0, place[3];
  for (uint32_t i = 3; i-- > 0; tap /= axes[i].kernel) place[i] = tap % axes[i].kernel * axes[i].dilation;
  for (uint32_t i = 0; i < 3; ++i) {
    phase_at = phase_at * axes[i].stride + place[i] % axes[i].stride;
    at = at * axes[i].length + place[i] / axes[i].stride;
  }
  return phase_at * phase + at;
}

uint64_t ConvPhases::stored_bytes() const {
  const int64_t behind = in_place ? 0 : 64;  // the last tile of sums reads on behind its row
  return static_cast<uint64_t>(channels_in * plane + behind) * 4;
}
uint64_t ConvPhases::sum_bytes() const { return static_cast<uint64_t>(channels_out * rows * width) * 4; }
Argument ConvPhases::stored() const { return as_is ? input(0) : scratch(kInScratch, stored_bytes()); }
Argument ConvPhases::sums() const { return in_result ? output(0) : scratch(kSumScratch, sum_bytes()); }

bool phases_possible(const Convolution& c, bool transposed) {
  return c.windows.rank >= 1 && c.windows.rank <= 3 && (!transposed || !take_of(c, transposed).empty());
}

bool phases_possible(const ConvPhases& phases, const Convolution& c, bool transposed) {
  if (transposed) return by_rows(phases);
  // Where strides are longer than windows, there are more phases than any tap reads.
  return phases.as_is || phases.plane <= 4 * (c.windows.in_count() + c.windows.out_count());
}

namespace {

uint32_t reads_before_epilogue(const ConvFinish& finish) { return finish.has_bias ? 2 : 1; }
uint32_t reads_of_collect(const ConvFinish& finish) { return reads_before_epilogue(finish) + static_cast<uint32_t>(finish.epilogue.operands.size()); }

std::string collect_text(const ConvFinish& finish) {
  const uint32_t reads = reads_of_collect(finish);
  ProgramText collect;
  collect.alias("elem", "f32").alias("stored", to_string(finish.stored())).constant("binding_y", reads).constant("binding_params", reads + 1);
  collect.file("conv/phases").file("conv/collect").file("_divide");
  add_finish(collect, DBK_F32, finish.epilogue, reads_before_epilogue(finish));
  if (finish.has_bias) collect.constant("binding_bias", 1);
  return collect.file(finish.has_bias ? "conv/bias" : "conv/bias_none").str();
}

}  // namespace

void phase_programs(const Convolution& c, bool transposed, const ConvFinish& finish, std::vector<Program>& out) {
  out.push_back({std::format("conv/f32/collect{}{}", finish.has_bias ? "/bias" : "", epilogue_label(finish.epilogue)),
                 written_by<collect_text>(finish), reads_of_collect(finish), 1});
  if (const std::string_view take = take_of(c, transposed); !take.empty()) {
    ProgramText rows;
    rows.enable("subgroups").file("_line").file("conv/phases").file("conv/spread_rows").file("_eight").file(take).file("_divide");
    out.push_back({std::format("conv/f32/spread_rows/{}", take.substr(1)), rows, 1, 1});
  }
  if (transposed) return;
  ProgramText elements;
  elements.file("conv/phases").file("conv/spread").file("_divide");
  out.push_back({"conv/f32/spread", elements, 1, 1});
}

void launch_spread(const ConvPhases& g, const Capabilities& caps, uint32_t first, std::vector<Dispatch>& out) {
  if (g.as_is) return;
  const int64_t count = g.channels_in * g.plane;
  Params params = params_of(g, count, g.plane);
  if (by_rows(g)) {
    const auto across = static_cast<int64_t>(ceil_div(g.row, kRun));
    params.tiles = to_u32(count / g.row * across);
    params.tiles_across = to_u32(across), params.tiles_across_inverse = inverse_of(across);
    out.push_back({first + kSpread, {input(0), g.stored()}, grid_of(ceil_div(params.tiles, kGroupSize / kLineLanes), caps), to_params(params)});
    return;
  }
  const bool has_rows = !take_of(g.axes[2]).empty();
  out.push_back({first + kSpread + (has_rows ? 1 : 0), {input(0), g.stored()}, grid_of(ceil_div(count, kGroupSize), caps), to_params(params)});
}

void launch_collect(const ConvPhases& g, const Convolution& c, const ConvFinish& finish, const Capabilities& caps, uint32_t first,
                    std::vector<Dispatch>& out) {
  const int64_t results = g.channels_out * c.windows.out_count();
  Params params = params_of(g, results, c.windows.out_count());
  params.channels = to_u32(c.groups * c.channels_out), params.channels_inverse = inverse_of(c.groups * c.channels_out);
  std::vector<Argument> args{g.sums()};
  if (finish.has_bias) args.push_back(input(2));
  for (const EpilogueOperand& operand : finish.epilogue.operands) args.push_back(input(operand.input));
  args.push_back(output(0));
  out.push_back({first + kCollect, std::move(args), grid_of(ceil_div(results, kGroupSize), caps), to_params(params)});
}

}  // namespace dbk::gpu

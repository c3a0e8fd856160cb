// Pooling: kernels/pool/window.wgsl with the functor kernels/<op>.wgsl; GlobalLpPool is LpPool with one window for all. MaxPool has
// kernels/pool/line.wgsl for CPU adapters.
#include <bit>

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/spatial.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/pool/window.wgsl
  uint32_t count, positions;
  float positions_inverse;
  uint32_t plane, count_padding, columns, power;
  float root_high, root_low;
  uint32_t pad[3];
  std::array<SpatialAxis, 3> axes;
};
struct LineParams {  // kernels/pool/line.wgsl
  uint32_t tiles, tiles_across;
  float tiles_across_inverse;
  uint32_t rows;
  float rows_inverse;
  uint32_t plane, elements, zero;
  std::array<SpatialAxis, 3> axes;
};
static_assert(sizeof(Params) == 48 + 3 * 32 && sizeof(LineParams) == 32 + 3 * 32);

constexpr size_t kY = 0, kIndices = 1;
enum : uint32_t { kWindow, kLine };  // programs
constexpr int64_t kRun = 16;         // results that a subgroup of `line` makes

bool is_global(const TypedNode& node) { return !node.attrs->has("kernel_shape"); }

Windows windows_of(const TypedNode& node) {
  const Shape& x = node.inputs[0].shape;
  return is_global(node) ? whole_windows(x) : pooling_windows(*node.attrs, x);
}

int64_t power_of(const TypedNode& node) { return node.attrs->integer_or("p", 2); }

std::string_view functor_of(const TypedNode& node) {
  if (node.op->id != "lp_pool" && node.op->id != "global_lp_pool") return node.op->id;
  return power_of(node) > 2 ? "lp_pool_power" : "lp_pool";
}

// 1 / p as kernels/pow.wgsl wants exponents: 12 bits of it, and the rest.
struct Root {
  float high, low;
  explicit Root(int64_t p) {
    const double root = 1.0 / static_cast<double>(p);
    high = std::bit_cast<float>(std::bit_cast<uint32_t>(static_cast<float>(root)) & 0xfffff000u);
    low = static_cast<float>(root - static_cast<double>(high));
  }
};

// Whether there is a `line` program: whatever the extents.
bool line_possible(const TypedNode& node, const Windows& w, const Capabilities& caps) {
  constexpr int64_t kMostTaps = 32;  // each is code
  return line_possible(caps) && node.op->id == "max_pool" && node.inputs[0].dtype == DBK_F32 && !wants(node, kIndices) && w.rank >= 1 &&
         w.rank <= 3 && w[w.rank - 1].stride <= 2 && w.taps() <= kMostTaps;
}

void add_line(const Windows& w, std::vector<Program>& out) {
  const std::array<SpatialAxis, 3> axes = spatial_axes(w);
  const bool each = axes[2].stride == 1;
  ProgramText text;
  text.enable("subgroups").arithmetic(DBK_F32).file("_line").file("_eight").file(each ? "_take_all" : "_take_second");
  text.constant("kernel_z", axes[0].kernel).constant("kernel_y", axes[1].kernel).constant("kernel_x", axes[2].kernel);
  text.file("pool/line").file("_spatial").file("_divide");
  out.push_back({std::format("max_pool/f32/line{}x{}x{}{}", axes[0].kernel, axes[1].kernel, axes[2].kernel, each ? "" : "/second"), text, 1, 1});
}

// Whether the `line` program takes these extents.
bool line_fits(const TypedNode& node, const Windows& w) {
  const int64_t width = w[w.rank - 1].out;
  return width >= kRun && width % 4 == 0 && node.inputs[0].count() >= kLineLanes;
}

void launch_line(const TypedNode& node, const Windows& w, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t width = w[w.rank - 1].out, rows = w.out_count() / width, across = static_cast<int64_t>(ceil_div(width, kRun));
  const int64_t tiles = node.outputs[kY].count() / width * across;
  const LineParams params{to_u32(tiles),  to_u32(across),        inverse_of(across), to_u32(rows), inverse_of(rows), to_u32(w.in_count()),
                          to_u32(node.inputs[0].count()), 0, spatial_axes(w)};
  out.push_back({kLine, {input(0), output(kY)}, grid_of(ceil_div(tiles, kGroupSize / kLineLanes), caps), to_params(params)});
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!wants(node, kY)) return "indices without the pooled output have no kernel";
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_windows(windows_of(node));
}

void programs(const TypedNode& node, const Capabilities& caps, std::vector<Program>& out) {
  const bool indices = wants(node, kIndices);
  const std::string_view functor = functor_of(node);
  ProgramText text;
  text.arithmetic(node.inputs[0].dtype).constant("binding_params", indices ? 3 : 2);
  text.file("pool/window").file("_indices").file("_spatial").file("_divide").file(functor);
  if (functor == "lp_pool_power") text.file("pow").file("_math");
  text.file(indices ? "pool/index" : "pool/index_none");
  out.push_back({std::format("{}/{}{}", functor, to_string(node.inputs[0].dtype), indices ? "/indices" : ""), text,
                 1, indices ? 2u : 1u});
  if (const Windows w = windows_of(node); line_possible(node, w, caps)) add_line(w, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[kY].count();
  if (count == 0) return;
  const Windows w = windows_of(node);
  if (line_possible(node, w, caps) && line_fits(node, w)) return launch_line(node, w, caps, out);
  const Root root(power_of(node));
  const Params params{to_u32(count),
                      to_u32(w.out_count()),
                      inverse_of(w.out_count()),
                      to_u32(w.in_count()),
                      to_u32(node.attrs->integer_or("count_include_pad", 0)),
                      to_u32(node.attrs->integer_or("storage_order", 0)),
                      to_u32(power_of(node)),
                      root.high,
                      root.low,
                      {},
                      spatial_axes(w)};
  const auto args = [&] {
    return wants(node, kIndices) ? std::vector{input(0), output(kY), output(kIndices)} : std::vector{input(0), output(kY)};
  };
  out.push_back({kWindow, args(), grid_of(ceil_div(count, kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kPool{"pool", refuse, programs, launch};

}  // namespace dbk::gpu

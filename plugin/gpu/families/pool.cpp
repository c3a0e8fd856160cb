// Pooling: kernels/pool/window.wgsl with the functor kernels/<op>.wgsl; GlobalLpPool is LpPool with one window for all.
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/spatial.h"

namespace dbk::gpu {

namespace {

struct Params {  // kernels/pool/window.wgsl
  uint32_t count, positions;
  float positions_inverse;
  uint32_t plane, count_padding, columns, power, pad;
  std::array<SpatialAxis, 3> axes;
};
static_assert(sizeof(Params) == 32 + 3 * 32);

constexpr size_t kY = 0, kIndices = 1;

bool is_global(const TypedNode& node) { return !node.attrs->has("kernel_shape"); }

Windows windows_of(const TypedNode& node) {
  const Shape& x = node.inputs[0].shape;
  return is_global(node) ? whole_windows(x) : sliding_windows(*node.attrs, x, kernel_shape_of(*node.attrs));
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!wants(node, kY)) return "indices without the pooled output have no kernel";
  if (node.attrs->integer_or("p", 2) > 2) return "powers over 2 have no kernel";
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  return refuse_windows(windows_of(node));
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const bool indices = wants(node, kIndices);
  const std::string_view functor = is_global(node) ? "lp_pool" : node.op->id;
  ProgramText text;
  text.arithmetic(node.inputs[0].dtype).constant("binding_params", indices ? 3 : 2);
  text.file("pool/window").file("_spatial").file("_divide").file(functor);
  text.file(indices ? "pool/index" : "pool/index_none");
  out.push_back({std::format("{}/{}{}", functor, to_string(node.inputs[0].dtype), indices ? "/indices" : ""), text.str(),
                 1, indices ? 2u : 1u});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[kY].count();
  if (count == 0) return;
  const Windows w = windows_of(node);
  const Params params{to_u32(count),
                      to_u32(w.out_count()),
                      inverse_of(w.out_count()),
                      to_u32(w.in_count()),
                      to_u32(node.attrs->integer_or("count_include_pad", 0)),
                      to_u32(node.attrs->integer_or("storage_order", 0)),
                      to_u32(node.attrs->integer_or("p", 2)),
                      0,
                      spatial_axes(w)};
  std::vector<Argument> args{input(0), output(kY)};
  if (wants(node, kIndices)) args.push_back(output(kIndices));
  out.push_back({0, std::move(args), grid_of(ceil_div(count, kGroupSize), caps), to_params(params)});
}

}  // namespace

constinit const Family kPool{"pool", refuse, programs, launch};

}  // namespace dbk::gpu

// Resize and Upsample: kernels/resize, a pass per axis that changes, innermost first, with f32 between passes. The tables of places and
// weights are the host op's (AxisSampler), so both devices agree on every neighbour; they travel in the params, and an axis that needs more
// than fits there takes several dispatches.
#include "host_fallback/resize_sampling.h"

#include "host_fallback/number_cast.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

constexpr uint32_t kTable = 1024;  // entries of 16 bytes

struct Params {  // kernels/resize/axis.wgsl
  uint32_t count, inner;
  float inner_inverse;
  uint32_t positions;
  float positions_inverse;
  uint32_t first, extent, result, units, pad, outside[2];
  std::array<std::array<uint32_t, 4>, kTable> table;
};
static_assert(sizeof(Params) == 48 + 16 * kTable);

const Tensor* value_of(const void* context, size_t i) {
  const TypedNode& node = *static_cast<const TypedNode*>(context);
  return node.has(i) ? node.values[i] : nullptr;
}

ResizeSpec spec_of(const TypedNode& node) { return resize_spec(*node.attrs, node.inputs[0].shape, value_of, &node); }

bool chooses(const TypedNode& node) { return node.attrs->text("mode") == "nearest"; }

uint32_t units_of(bool nearest, const AxisSampler& sampler) { return nearest ? 1 : to_u32(sampler.taps() / 2); }

std::string refuse_passes(const TypedNode& node, const Capabilities& caps) {
  const ResizeSpec spec = spec_of(node);
  TensorType between{chooses(node) ? node.inputs[0].dtype : DBK_F32, node.inputs[0].shape};
  for (uint32_t d = spec.rank; d-- > 0;) {
    const AxisSampler sampler(spec, d);
    if (units_of(chooses(node), sampler) > kTable) return std::format("windows of {} elements have no kernel", sampler.taps());
    between.shape[d] = spec.axes[d].out;
    if (std::string reason = refuse_size(between, caps); !reason.empty()) return reason;
  }
  return {};
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  const DType dtype = node.inputs[0].dtype;
  if (chooses(node)) {
    if (!contains(MOVED, dtype)) return std::format("no kernel chooses {} elements", to_string(dtype));
  } else if (!contains(F32 | F16, dtype)) {
    return std::format("no kernel interpolates {}", to_string(dtype));
  }
  for (size_t i = 1; i < node.inputs.size(); ++i)
    if (node.has(i) && (i >= node.values.size() || !node.values[i])) return "sizes are not known before the run";
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  return refuse_passes(node, caps);
}

// Programs of interpolations: from elements or f32 to elements or f32; for f32 they are one.
uint32_t blend_program(DType dtype, bool first, bool last) { return dtype == DBK_F32 ? 0 : (first ? 0 : 1) + (last ? 0 : 2); }

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const auto add = [&](std::string label, ProgramText& text, std::string_view file) {
    text.constant("table_size", kTable).file("resize/axis").file("_indices").file(file).file("_divide");
    out.push_back({std::move(label), text.str(), 1, 1});
  };
  if (chooses(node)) {
    ProgramText text;
    const std::string_view type = moved_type(dtype);
    text.alias("acc", type).alias("source", type).alias("target_type", type).file(bits_file(dtype));
    return add(std::format("resize/nearest/{}", moved_name(dtype)), text, "resize/choose");
  }
  for (const auto& [from, to] : {std::pair{dtype, dtype}, {DBK_F32, dtype}, {dtype, DBK_F32}, {DBK_F32, DBK_F32}}) {
    ProgramText text;
    text.alias("source", to_string(from)).alias("target_type", to_string(to));
    add(std::format("resize/{}/{}", to_string(from), to_string(to)), text, "resize/blend");
    if (dtype == DBK_F32) return;
  }
}

void set_outside(const TypedNode& node, double value, Params& params) {
  if (!chooses(node)) {
    const auto number = static_cast<float>(value);
    std::memcpy(params.outside, &number, 4);
    return;
  }
  with_type<MOVED>(node.inputs[0].dtype, [&]<class T>() {
    const T number = number_cast<T>(value);
    std::memcpy(params.outside, &number, sizeof(T));
  });
}

// The entries of positions [first, first + count).
void fill_table(const AxisSampler& sampler, bool nearest, int64_t first, int64_t count, Params& params) {
  std::vector<int64_t> place(static_cast<size_t>(sampler.taps()));
  std::vector<double> weight(place.size());
  for (int64_t i = 0; i < count; ++i) {
    const bool inside = sampler.sample(first + i, place.data(), weight.data());
    if (nearest) {
      params.table[static_cast<size_t>(i / 4)][static_cast<size_t>(i % 4)] = inside ? to_u32(place[0]) : 0xffffffffu;
      continue;
    }
    for (size_t t = 0; t < place.size(); ++t) {
      const auto w = static_cast<float>(weight[t]);
      std::array<uint32_t, 4>& entry = params.table[static_cast<size_t>(i) * params.units + t / 2];
      entry[t % 2 * 2] = inside ? to_u32(place[t]) : 0xffffffffu;
      entry[t % 2 * 2 + 1] = std::bit_cast<uint32_t>(w);
    }
  }
}

struct Step {
  uint32_t program;
  Argument from, to;
};

void push_axis(const TypedNode& node, const ResizeSpec& spec, uint32_t axis, const Shape& shape, const Step& step,
               const Capabilities& caps, std::vector<Dispatch>& out) {
  const AxisSampler sampler(spec, axis);
  const bool nearest = chooses(node);
  int64_t outer = 1, inner = 1;
  for (uint32_t d = 0; d < axis; ++d) outer *= shape[d];
  for (uint32_t d = axis + 1; d < spec.rank; ++d) inner *= shape[d];
  Params params{};
  params.inner = to_u32(inner);
  params.inner_inverse = inverse_of(inner);
  params.extent = to_u32(spec.axes[axis].in);
  params.result = to_u32(spec.axes[axis].out);
  params.units = units_of(nearest, sampler);
  set_outside(node, spec.outside, params);
  const int64_t room = nearest ? 4 * kTable : kTable / params.units;
  for (int64_t first = 0; first < spec.axes[axis].out; first += room) {
    const int64_t count = std::min(room, spec.axes[axis].out - first);
    params.first = to_u32(first);
    params.positions = to_u32(count);
    params.positions_inverse = inverse_of(count);
    params.count = to_u32(outer * count * inner);
    fill_table(sampler, nearest, first, count, params);
    out.push_back({step.program, {step.from, step.to}, grid_of(ceil_div(params.count, kGroupSize), caps), to_params(params)});
  }
}

Argument between(uint32_t index, const Shape& shape, bool nearest, DType dtype) {
  const auto bytes = static_cast<uint64_t>(shape.count()) * (nearest ? bits_of(dtype) / 8 : 4);
  return scratch(index % 2, bytes);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const ResizeSpec spec = spec_of(node);
  const DType dtype = node.inputs[0].dtype;
  std::vector<uint32_t> axes;
  for (uint32_t d = spec.rank; d-- > 0;)
    if (!spec.axes[d].plain()) axes.push_back(d);
  if (axes.empty()) axes.push_back(0);  // a copy
  Shape shape = node.inputs[0].shape;
  Argument from = input(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool first = i == 0, last = i + 1 == axes.size();
    shape[axes[i]] = spec.axes[axes[i]].out;
    const Argument to = last ? output(0) : between(static_cast<uint32_t>(i), shape, chooses(node), dtype);
    push_axis(node, spec, axes[i], shape, {chooses(node) ? 0 : blend_program(dtype, first, last), from, to}, caps, out);
    from = to;
  }
}

}  // namespace

constinit const Family kResize{"resize", refuse, programs, launch};

}  // namespace dbk::gpu

// Resize and Upsample: kernels/resize, a pass per axis that changes, innermost first, with f32 between passes. The tables of places and
// weights are the host op's (AxisSampler), so both devices agree on every neighbour; they travel in the params, and an axis that needs more
// than fits there takes several dispatches. Elements that share words get one each, until a last dispatch packs them. Where elements behind
// an axis are whole vectors, or four neighbours have a place each, an invocation makes 16 bytes.
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

// What lies between passes.
DType between_type(const TypedNode& node) {
  const DType dtype = node.inputs[0].dtype;
  return !chooses(node) ? DBK_F32 : packed(dtype) ? DBK_U32 : dtype;
}

uint32_t units_of(bool nearest, const AxisSampler& sampler) { return nearest ? 1 : to_u32(sampler.taps() / 2); }

std::string refuse_passes(const TypedNode& node, const Capabilities& caps) {
  const ResizeSpec spec = spec_of(node);
  TensorType between{between_type(node), node.inputs[0].shape};
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
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (!chooses(node) && !contains(F32 | F16 | I8 | U8 | I16 | U16, dtype)) return std::format("no kernel interpolates {}", to_string(dtype));
  for (size_t i = 1; i < node.inputs.size(); ++i)
    if (node.has(i) && (i >= node.values.size() || !node.values[i])) return "sizes are not known before the run";
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  return refuse_passes(node, caps);
}

// Programs: from elements or words to elements or words; where those are the same, one. Of elements that share words none is made before
// the last program, which packs them.
enum : uint32_t { kFromElements, kFromWords, kPack };
enum : uint32_t { kEach, kVectors, kFours };  // of nearest elements and f32, where passes have one program each
uint32_t pass_program(const TypedNode& node, bool first, bool last) {
  const DType dtype = node.inputs[0].dtype;
  if (packed(dtype)) return first ? kFromElements : kFromWords;
  return dtype == between_type(node) ? 0 : (first ? 0 : 1) + (last ? 0 : 2);
}

// Elements that the program for vectors makes; 1 where there is none.
int64_t unit_of(const TypedNode& node) {
  const DType dtype = node.inputs[0].dtype;
  if (packed(dtype)) return 1;
  return chooses(node) ? 128 / bits_of(dtype) : dtype == DBK_F32 ? 4 : 1;
}
bool has_fours(const TypedNode& node) { return chooses(node) && bits_of(node.inputs[0].dtype) == 32; }

ProgramText pass_text(std::string_view file) {
  ProgramText text;
  return text.constant("table_size", kTable).file("resize/params").file("_indices").file("_divide").file(file);
}

void add_vectors(const TypedNode& node, std::vector<Program>& out) {
  const std::string_view type = chooses(node) ? "vec4<u32>" : "vec4<f32>";
  ProgramText text = pass_text("resize/axis");
  text.alias("elem", type).alias("acc", type).alias("target_type", type).file("_element");
  chooses(node) ? text.file("_bits_vector").file("resize/choose") : text.alias("wide", type).file("resize/blend");
  out.push_back({chooses(node) ? "resize/nearest/vectors" : "resize/f32/vectors", text, 1, 1});
  if (!has_fours(node)) return;
  ProgramText fours = pass_text("resize/choose_fours");
  fours.alias("elem", "u32").alias("target_type", "vec4<u32>");
  out.push_back({"resize/nearest/fours", fours, 1, 1});
}

void add_pass(const TypedNode& node, DType from, DType to, std::vector<Program>& out) {
  ProgramText text = pass_text("resize/axis");
  if (chooses(node)) {
    text.alias("elem", moved_type(from)).alias("acc", moved_type(from)).alias("target_type", moved_type(to));
    packed(from) ? text.reads_bits(from) : text.file("_element");
    text.file(bits_file(to)).file("resize/choose");
    out.push_back({std::format("resize/nearest/{}{}", moved_name(from), packed(from) ? "/apart" : ""), text, 1, 1});
  } else {
    text.arithmetic(from).reads(from).alias("target_type", to_string(to)).alias("wide", "f32").file("resize/blend");
    out.push_back({std::format("resize/{}/{}", to_string(from), to_string(to)), text, 1, 1});
  }
}

void add_packing(const TypedNode& node, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  ProgramText text;
  text.alias("between", to_string(between_type(node))).file("resize/pack");
  if (chooses(node)) text.moves(dtype).file("resize/finish_bits");
  else text.arithmetic(dtype).writes(dtype).file("resize/finish_integer");
  out.push_back({std::format("resize/pack/{}", chooses(node) ? moved_name(dtype) : to_string(dtype)), text, 1, 1});
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype, between = between_type(node);
  if (packed(dtype)) {
    add_pass(node, dtype, between, out);
    add_pass(node, between, between, out);
    add_packing(node, out);
    return;
  }
  add_pass(node, dtype, dtype, out);
  if (unit_of(node) > 1) add_vectors(node, out);
  if (dtype == between) return;
  for (const auto& [from, to] : {std::pair{between, dtype}, {dtype, between}, {between, between}}) add_pass(node, from, to, out);
}

void set_outside(const TypedNode& node, double value, Params& params) {
  if (!chooses(node)) {
    const auto number = static_cast<float>(value);
    std::memcpy(params.outside, &number, 4);
    return;
  }
  if (!contains(NUMBERS, node.inputs[0].dtype)) return;  // zero
  with_type<NUMBERS>(node.inputs[0].dtype, [&]<class T>() {
    const T number = number_cast<T>(value);
    for (size_t at = 0; at < sizeof params.outside; at += sizeof(T)) std::memcpy(reinterpret_cast<char*>(params.outside) + at, &number, sizeof(T));
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
  params.extent = to_u32(spec.axes[axis].in);
  params.units = units_of(nearest, sampler);
  set_outside(node, spec.outside, params);
  uint32_t program = step.program;
  int64_t each = 1;  // positions that an invocation makes
  if (unit_of(node) > 1 && inner % unit_of(node) == 0) {
    program = kVectors, inner /= unit_of(node);
  } else if (has_fours(node) && inner == 1 && spec.axes[axis].out % 4 == 0) {
    program = kFours, each = 4;
  }
  params.inner = to_u32(inner);
  params.inner_inverse = inverse_of(inner);
  params.result = to_u32(spec.axes[axis].out / each);
  const int64_t room = nearest ? 4 * kTable : kTable / params.units;
  for (int64_t first = 0; first < spec.axes[axis].out; first += room) {
    const int64_t count = std::min(room, spec.axes[axis].out - first);
    params.first = to_u32(first / each);
    params.positions = to_u32(count / each);
    params.positions_inverse = inverse_of(count / each);
    params.count = to_u32(outer * count / each * inner);
    fill_table(sampler, nearest, first, count, params);
    out.push_back({program, {step.from, step.to}, grid_of(ceil_div(params.count, kGroupSize), caps), to_params(params)});
  }
}

void push_packing(const TypedNode& node, const Argument& from, const Capabilities& caps, std::vector<Dispatch>& out) {
  const int64_t count = node.outputs[0].count();
  const uint64_t groups = ceil_div(invocations(count, node.outputs[0].dtype), kGroupSize);
  out.push_back({kPack, {from, output(0)}, grid_of(groups, caps), to_params(std::array<uint32_t, 4>{to_u32(count)})});
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const ResizeSpec spec = spec_of(node);
  const bool apart = packed(node.inputs[0].dtype);
  std::vector<uint32_t> axes;
  for (uint32_t d = spec.rank; d-- > 0;)
    if (!spec.axes[d].plain()) axes.push_back(d);
  if (axes.empty()) axes.push_back(0);  // a copy
  Shape shape = node.inputs[0].shape;
  Argument from = input(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool first = i == 0, last = i + 1 == axes.size();
    shape[axes[i]] = spec.axes[axes[i]].out;
    const auto bytes = static_cast<uint64_t>(byte_size(between_type(node), shape.count()));
    const Argument to = last && !apart ? output(0) : scratch(i % 2, bytes);
    push_axis(node, spec, axes[i], shape, {pass_program(node, first, last), from, to}, caps, out);
    from = to;
  }
  if (apart) push_packing(node, from, caps, out);
}

}  // namespace

constinit const Family kResize{"resize", refuse, programs, launch};

}  // namespace dbk::gpu

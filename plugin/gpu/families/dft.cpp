// DFT along any axis: lines of the tensor are brought into scratch memory, transformed (fourier.h) and brought back.
#include "host_fallback/dft.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/fourier.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

enum : uint32_t { kLoad = kFourierPrograms, kStore };  // programs behind those of the passes

DftSpec spec_of(const TypedNode& node) {
  const auto value = [&](size_t i) { return node.has(i) ? node.values[i] : nullptr; };
  return dft_spec(*node.attrs, node.inputs[0].shape, value(1), value(2));
}

struct Layout {
  int64_t outer = 1, inner = 1;
  Layout(const Shape& x, uint32_t axis) {
    for (uint32_t d = 0; d < axis; ++d) outer *= x[d];
    for (uint32_t d = axis + 1; d + 1 < x.rank(); ++d) inner *= x[d];
  }
  int64_t lines() const { return outer * inner; }
};

uint32_t parts_of(const TensorType& type) { return to_u32(type.shape[type.shape.rank() - 1]); }

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  for (size_t i : {1, 2})
    if (node.has(i) && (i >= node.values.size() || !node.values[i])) return "the length is not known before the run";
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  const DftSpec spec = spec_of(node);
  return refuse_lines(Layout(node.inputs[0].shape, spec.axis).lines(), spec.length, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const uint32_t parts = parts_of(node.inputs[0]);
  const bool half = spec_of(node).half_in;
  fourier_programs(out);
  ProgramText load;
  load.alias("elem", to_string(dtype)).constant("parts", parts).constant("half_in", half).file("dft/lines").file("dft/load").file("_indices").file("_divide");
  out.push_back({std::format("dft/load/{}x{}{}", to_string(dtype), parts, half ? "/half" : ""), load, 1, 1});
  add_store_program(dtype, parts_of(node.outputs[0]), out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const DftSpec spec = spec_of(node);
  const Layout layout(node.inputs[0].shape, spec.axis);
  const int64_t numbers = layout.lines() * spec.length, results = layout.lines() * spec.bins;
  const auto push = [&](uint32_t program, Argument from, Argument to, int64_t count, int64_t along) {
    const LineParams params(count, spec.length, along, layout.inner, spec.inverse ? 1.0 / static_cast<double>(spec.length) : 1.0);
    out.push_back({program, {from, to}, grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), to_params(params)});
  };
  push(kLoad, input(0), lines_in(0, layout.lines(), spec.length), numbers, node.inputs[0].shape[spec.axis]);
  const uint32_t at = push_passes(layout.lines(), spec.length, spec.inverse, caps, out);
  push(kStore, lines_in(at, layout.lines(), spec.length), output(0), results, spec.bins);
}

}  // namespace

constinit const Family kDft{"dft", refuse, programs, launch};

}  // namespace dbk::gpu

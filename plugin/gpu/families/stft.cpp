// STFT: frames of the signal, times the window, are brought into lines of scratch memory (kernels/dft/frames.wgsl) and transformed
// (fourier.h).
#include "host_fallback/stft.h"

#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/fourier.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

using enum Frames::Input;

struct FrameParams {  // kernels/dft/frames.wgsl
  uint32_t count, n, frames, step;
  float n_inverse, frames_inverse;
  uint32_t samples, pad;
};
static_assert(sizeof(FrameParams) == 32);

enum : uint32_t { kLoad = kFourierPrograms, kStore };  // programs behind those of the passes

bool known(const TypedNode& node, size_t i) { return i < node.values.size() && node.values[i]; }

Frames frames_of(const TypedNode& node) {
  return stft_frames(*node.attrs, node.inputs[kSignal].shape, node.has(kWindow) ? &node.inputs[kWindow].shape : nullptr, *node.values[kStep],
                     node.has(kLength) ? node.values[kLength] : nullptr);
}

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, kSignal); !reason.empty()) return reason;
  if (!known(node, kStep) || (node.has(kLength) && !known(node, kLength))) return "the frames are not known before the run";
  if (std::string reason = refuse_operands(node, caps); !reason.empty()) return reason;
  const Frames f = frames_of(node);
  return refuse_lines(f.batch * f.count, f.length, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[kSignal].dtype;
  const uint32_t parts = frames_of(node).real ? 1 : 2;
  const bool windowed = node.has(kWindow);
  fourier_programs(out);
  ProgramText load;
  load.alias("elem", to_string(dtype)).constant("parts", parts).constant("windowed", windowed).file("dft/frames").file("_indices").file("_divide");
  out.push_back({std::format("dft/frames/{}x{}{}", to_string(dtype), parts, windowed ? "/window" : ""), load, 2, 1});
  add_store_program(dtype, 2, out);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const Frames f = frames_of(node);
  const int64_t lines = f.batch * f.count, numbers = lines * f.length, results = lines * f.bins;
  const auto grid = [&](int64_t count) { return grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps); };
  const FrameParams params{to_u32(numbers), to_u32(f.length), to_u32(f.count), to_u32(f.step), inverse_of(f.length), inverse_of(f.count),
                           to_u32(f.samples), 0};
  const Argument window = input(node.has(kWindow) ? kWindow : kSignal);  // not read where there is none
  out.push_back({kLoad, {input(kSignal), window, lines_in(0, lines, f.length)}, grid(numbers), to_params(params)});
  const uint32_t at = push_passes(lines, f.length, false, caps, out);
  out.push_back({kStore, {lines_in(at, lines, f.length), output(0)}, grid(results), to_params(LineParams(results, f.length, f.bins, 1, 1))});
}

}  // namespace

constinit const Family kStft{"stft", refuse, programs, launch};

}  // namespace dbk::gpu

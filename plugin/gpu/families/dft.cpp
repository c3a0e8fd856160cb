// DFT of powers of two up to 2^20: kernels/dft, one dispatch per pass of four (and one of two where the length asks for it), between lines
// of complex f32 in scratch memory. Roots of unity travel in the params.
#include "host_fallback/dft.h"

#include <bit>

#include "host_fallback/fft.h"
#include "plugin/gpu/families/families.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Lines {  // kernels/dft/lines.wgsl
  uint32_t count, log_n, extent;
  float extent_inverse;
  uint32_t inner;
  float inner_inverse, scale;
  uint32_t pad;
};
static_assert(sizeof(Lines) == 32);

constexpr int64_t kRoots = 1024;

struct Pass {  // kernels/dft/pass.wgsl
  uint32_t count, log_n, log_done;
  float sign;
  std::array<std::array<float, 2>, kRoots> fine, coarse;
};
static_assert(sizeof(Pass) == 16 + 2 * 8 * kRoots);

constexpr int64_t kLongest = kRoots * kRoots;

enum : uint32_t { kLoad, kStore, kRadix2, kRadix4 };  // programs

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

std::string refuse(const TypedNode& node, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  for (size_t i : {1, 2})
    if (node.has(i) && (i >= node.values.size() || !node.values[i])) return "the length is not known before the run";
  const TypedNode moved{node.op, node.attrs, node.version, node.inputs.first(1), node.outputs, {}, {}};
  if (std::string reason = refuse_operands(moved, caps); !reason.empty()) return reason;
  const DftSpec spec = spec_of(node);
  if (spec.half_in) return "half a spectrum as input has no kernel";
  if (!is_power_of_two(spec.length) || spec.length > kLongest)
    return std::format("a length of {} has no kernel, powers of two up to {} have", spec.length, kLongest);
  return refuse_size({DBK_F32, {Layout(node.inputs[0].shape, spec.axis).lines(), spec.length, 2}}, caps);
}

void programs(const TypedNode& node, const Capabilities&, std::vector<Program>& out) {
  const DType dtype = node.inputs[0].dtype;
  const Shape& x = node.inputs[0].shape;
  const auto parts = to_u32(x[x.rank() - 1]);
  ProgramText load, store;
  load.alias("elem", to_string(dtype)).constant("parts", parts).file("dft/lines").file("dft/load").file("_divide");
  store.alias("elem", to_string(dtype)).file("dft/lines").file("dft/store").file("_divide");
  out.push_back({std::format("dft/load/{}x{}", to_string(dtype), parts), load.str(), 1, 1});
  out.push_back({std::format("dft/store/{}", to_string(dtype)), store.str(), 1, 1});
  for (uint32_t radix : {2, 4}) {
    ProgramText text;
    text.file("dft/pass").file(std::format("dft/radix{}", radix));
    out.push_back({std::format("dft/radix{}", radix), text.str(), 1, 1});
  }
}

void fill_roots(Pass& pass, int64_t length) {
  const auto root = [&](int64_t k) -> std::array<float, 2> {
    const Complex w = unit_root(k, length);
    return {static_cast<float>(w.re), static_cast<float>(pass.sign < 0 ? w.im : -w.im)};
  };
  for (int64_t k = 0; k < std::min(length, kRoots); ++k) pass.fine[static_cast<size_t>(k)] = root(k);
  for (int64_t k = 0; k * kRoots < length; ++k) pass.coarse[static_cast<size_t>(k)] = root(k * kRoots);
}

void launch(const TypedNode& node, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (node.outputs[0].count() == 0) return;
  const DftSpec spec = spec_of(node);
  const Layout layout(node.inputs[0].shape, spec.axis);
  const int64_t numbers = layout.lines() * spec.length, results = layout.lines() * spec.bins, extent = node.inputs[0].shape[spec.axis];
  const auto log_n = static_cast<uint32_t>(std::countr_zero(static_cast<uint64_t>(spec.length)));
  const auto scratch = [&](uint32_t index) { return Argument{Argument::Kind::Scratch, index, 0, 0, static_cast<uint64_t>(numbers + 1) / 2 * 16}; };
  const auto push = [&](uint32_t program, Argument from, Argument to, int64_t count, std::vector<std::byte> params) {
    out.push_back({program, {from, to}, grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), std::move(params)});
  };
  const auto lines = [&](int64_t count, int64_t along) {
    return to_params(Lines{to_u32(count), log_n, to_u32(along), inverse_of(along), to_u32(layout.inner), inverse_of(layout.inner),
                           spec.inverse ? 1.0f / static_cast<float>(spec.length) : 1.0f, 0});
  };
  push(kLoad, input(0), scratch(0), numbers, lines(numbers, extent));
  uint32_t at = 0;
  for (uint32_t log_done = 0; log_done < log_n;) {
    const uint32_t log_radix = log_n - log_done == 1 ? 1 : 2;
    Pass pass{to_u32(numbers >> log_radix), log_n, log_done, spec.inverse ? 1.0f : -1.0f, {}, {}};
    fill_roots(pass, int64_t{1} << (log_done + log_radix));
    push(log_radix == 1 ? kRadix2 : kRadix4, scratch(at), scratch(1 - at), pass.count, to_params(pass));
    at = 1 - at;
    log_done += log_radix;
  }
  push(kStore, scratch(at), output(0), results, lines(results, spec.bins));
}

}  // namespace

constinit const Family kDft{"dft", refuse, programs, launch};

}  // namespace dbk::gpu

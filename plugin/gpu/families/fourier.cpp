#include "plugin/gpu/families/fourier.h"

#include <algorithm>

#include "host_fallback/fft.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Pass {  // kernels/dft/roots.wgsl
  uint32_t count, n, part, done, radix;
  float part_inverse, done_inverse, sign;
  std::array<std::array<float, 2>, kRoots> fine, coarse;
};
static_assert(sizeof(Pass) == 32 + 2 * 8 * kRoots);

constexpr int64_t kRadices[] = {2, 3, 4, 5};  // with a program each; the last program is for any other
constexpr uint32_t kAny = std::size(kRadices);
static_assert(kAny + 1 == kFourierPrograms);

void fill_roots(Pass& pass, int64_t length) {
  const auto root = [&](int64_t k) -> std::array<float, 2> {
    const Complex w = unit_root(k, length);
    return {static_cast<float>(w.re), static_cast<float>(pass.sign < 0 ? w.im : -w.im)};
  };
  for (int64_t k = 0; k < std::min(length, kRoots); ++k) pass.fine[static_cast<size_t>(k)] = root(k);
  for (int64_t k = 0; k * kRoots < length; ++k) pass.coarse[static_cast<size_t>(k)] = root(k * kRoots);
}

}  // namespace

std::string refuse_lines(int64_t lines, int64_t length, const Capabilities& caps) {
  if (length > kLongestLine) return std::format("a length of {} has no kernel, those up to {} have", length, kLongestLine);
  const std::vector<int64_t> radices = radices_of(length);
  if (const int64_t largest = radices.empty() ? 1 : std::ranges::max(radices); largest > kLargestRadix)
    return std::format("a length of {} has the factor {}, and kernels have those up to {}", length, largest, kLargestRadix);
  return refuse_size({DBK_F32, {lines, length, 2}}, caps);
}

void fourier_programs(std::vector<Program>& out) {
  for (int64_t radix : kRadices) {
    ProgramText text;
    text.file("dft/roots").file("dft/pass").file("_indices").file(std::format("dft/radix{}", radix)).file("_divide");
    out.push_back({std::format("dft/radix{}", radix), text, 1, 1});
  }
  ProgramText any;
  any.file("dft/roots").file("dft/pass_any").file("_indices").file("_divide");
  out.push_back({"dft/any radix", any, 1, 1});
}

Argument lines_in(uint32_t index, int64_t lines, int64_t length) { return scratch(index, static_cast<uint64_t>(lines * length) * 8); }

uint32_t push_passes(int64_t lines, int64_t length, bool inverse, const Capabilities& caps, std::vector<Dispatch>& out) {
  uint32_t at = 0;
  int64_t done = 1;
  for (int64_t radix : radices_of(length)) {
    const auto program = static_cast<uint32_t>(std::ranges::find(kRadices, radix) - std::begin(kRadices));
    const int64_t count = program == kAny ? lines * length : lines * (length / radix);
    Pass pass{to_u32(count), to_u32(length), to_u32(length / radix), to_u32(done), to_u32(radix), inverse_of(length / radix), inverse_of(done),
              inverse ? 1.0f : -1.0f, {}, {}};
    fill_roots(pass, done * radix);
    out.push_back({program, {lines_in(at, lines, length), lines_in(1 - at, lines, length)},
                   grid_of(ceil_div(static_cast<uint64_t>(count), kGroupSize), caps), to_params(pass)});
    at = 1 - at, done *= radix;
  }
  return at;
}

void add_store_program(DType dtype, uint32_t parts, std::vector<Program>& out) {
  ProgramText text;
  text.alias("elem", to_string(dtype)).constant("parts", parts).file("dft/lines").file("dft/store").file("_indices").file("_divide");
  out.push_back({std::format("dft/store/{}x{}", to_string(dtype), parts), text, 1, 1});
}

LineParams::LineParams(int64_t numbers, int64_t length, int64_t along, int64_t within, double factor)
    : count(to_u32(numbers)), n(to_u32(length)), extent(to_u32(along)), inner(to_u32(within)), n_inverse(inverse_of(length)),
      extent_inverse(inverse_of(along)), inner_inverse(inverse_of(within)), scale(static_cast<float>(factor)) {}

}  // namespace dbk::gpu

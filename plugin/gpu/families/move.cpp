#include "plugin/gpu/families/move.h"

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

namespace {

struct Params {  // dimensions follow
  uint32_t count, pad, in_start, out_start;
};
static_assert(sizeof(Params) == 16);

enum : uint32_t { kWide, kNarrow };  // programs

// Counts the innermost dimension in units of `unit` elements where everything is a multiple of them.
bool widen(Box& box, int64_t unit) {
  const uint32_t last = box.loop.extent.rank() - 1;
  if (box.loop.extent[last] % unit || box.in_start % unit || box.out_start % unit) return false;
  for (const Shape& strides : box.loop.strides)
    for (uint32_t d = 0; d <= last; ++d)
      if (d == last ? strides[d] != 1 : strides[d] % unit != 0) return false;
  box.loop.extent[last] /= unit;
  box.in_start /= unit;
  box.out_start /= unit;
  for (Shape& strides : box.loop.strides)
    for (uint32_t d = 0; d < last; ++d) strides[d] /= unit;
  return true;
}

}  // namespace

void move_programs(DType dtype, uint32_t dims, std::vector<Program>& out) {
  ProgramText wide, narrow;
  wide.constant("dims", dims).alias("elem", "vec4<u32>").file("_move").file("_indices").file("_divide");
  narrow.constant("dims", dims);
  packed(dtype) ? narrow.moves(dtype).file("_move_packed") : narrow.alias("elem", moved_type(dtype)).file("_move").file("_indices");
  narrow.file("_divide");
  out.push_back({std::format("move/128/{}d", dims), wide, 1, 1});
  out.push_back({std::format("move/{}/{}d", moved_name(dtype), dims), narrow, 1, 1});
}

bool moves_vectors(Box box, DType dtype) { return box.loop.extent.count() > 0 && widen(box, 128 / bits_of(dtype)); }

void push_move(Box box, DType dtype, uint32_t dims, uint32_t in, const Capabilities& caps, std::vector<Dispatch>& out,
               uint32_t to) {
  if (box.loop.extent.count() == 0) return;
  const uint32_t program = widen(box, 128 / bits_of(dtype)) ? kWide : kNarrow;
  const int64_t count = box.loop.extent.count();
  std::vector<std::byte> params = to_params(Params{to_u32(count), 0, to_u32(box.in_start), to_u32(box.out_start)});
  append_dims(params, box.loop, dims);
  const uint64_t units = program == kWide ? static_cast<uint64_t>(count) : invocations(count, dtype);
  out.push_back({program, {input(in), output(to)}, grid_of(ceil_div(units, kGroupSize), caps), std::move(params)});
}

}  // namespace dbk::gpu

// Transpose: axis d of the output is axis perm[d] of the input; without `perm` the order is reversed.
#include "host_fallback/movement.h"
#include "host_fallback/op.h"
#include "host_fallback/packed.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

// The shape or the strides of the input, in the order of the output's axes.
Shape permuted(const Attributes& attrs, const Shape& values) {
  Shape out = Shape::filled(values.rank(), 0);
  const std::vector<int64_t>* perm = attrs.has("perm") ? &attrs.integers("perm") : nullptr;
  for (uint32_t d = 0; d < values.rank(); ++d)
    out[d] = values[perm ? static_cast<uint32_t>((*perm)[d]) : values.rank() - 1 - d];
  return out;
}

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  if (infer.attrs().has("perm")) {
    const auto& perm = infer.attrs().integers("perm");
    if (perm.size() != shape.rank())
      fail(DBK_INVALID_ARGUMENT, "perm has {} axes, the input {} has {}", perm.size(), to_string(shape), shape.rank());
    uint32_t seen = 0;
    for (int64_t axis : perm) {
      if (axis < 0 || axis >= shape.rank())
        fail(DBK_INVALID_ARGUMENT, "perm names axis {} of an input of rank {}", axis, shape.rank());
      if (seen >> axis & 1) fail(DBK_INVALID_ARGUMENT, "perm names axis {} twice", axis);
      seen |= 1u << axis;
    }
  }
  infer.out(0, infer.in(0).dtype, permuted(infer.attrs(), shape));
}

constexpr int64_t kTile = 32;

// out[i][j] = in[j][i] for a tile of height x width, through the stack: rows of both sides are then touched as whole
// cache lines, one after another, which also keeps extents that are powers of two from evicting each other.
template <class E>
void transpose_tile(const E* in, int64_t in_row, E* out, int64_t out_row, int64_t height, int64_t width) {
  E tile[kTile][kTile];
  for (int64_t j = 0; j < width; ++j)
    for (int64_t i = 0; i < height; ++i) tile[j][i] = in[j * in_row + i];
  for (int64_t i = 0; i < height; ++i)
    for (int64_t j = 0; j < width; ++j) out[i * out_row + j] = tile[j][i];
}

// Copies where the output's last axis is strided in the input and another axis, `lane`, is dense there.
template <class E>
void copy_tiles(const StridedLoop<1>& loop, uint32_t lane, const E* in, E* out) {
  const uint32_t last = loop.extent.rank() - 1;
  const int64_t rows = loop.extent[lane], columns = loop.run_length(), in_row = loop.step(0);
  Shape extent = loop.extent, in_strides = loop.strides[0], out_strides = dense_strides(loop.extent);
  const int64_t out_row = out_strides[lane];
  extent[last] = 1;
  extent[lane] = (rows + kTile - 1) / kTile;
  in_strides[lane] *= kTile;
  out_strides[lane] *= kTile;
  const StridedLoop<2> tasks(extent, {in_strides, out_strides});
  parallel_ranges(extent.count(), grain_of(columns * kTile),
                  [&tasks, in, out, in_row, columns, rows, out_row](int64_t begin, int64_t end) {
                    for (int64_t task = begin; task < end; ++task) {
                      const Offsets<2> at = offsets_of(tasks, task);
                      const int64_t height = std::min(kTile, rows - at[1] / out_row % rows);
                      for (int64_t j = 0; j < columns; j += kTile)
                        transpose_tile(in + at[0] + j * in_row, in_row, out + at[1] + j, out_row, height,
                                       std::min(kTile, columns - j));
                    }
                  });
}

template <class E>
void copy_permuted(const StridedLoop<1>& loop, int64_t count, const E* in, E* out) {
  for (uint32_t d = 0; d + 1 < loop.extent.rank(); ++d)
    if (loop.strides[0][d] == 1 && loop.step(0) != 1) return copy_tiles(loop, d, in, out);
  parallel_ranges(count, kElementGrain, [&loop, in, out](int64_t begin, int64_t end) {
    for_runs(loop, begin, end, [&](int64_t first, const Offsets<1>& at, int64_t n) {
      copy_run(in + at[0], loop.step(0), out + first, n);
    });
  });
}

// Elements that share bytes: each range of them is whole bytes.
void copy_codes(const StridedLoop<1>& loop, int64_t count, uint32_t bits, const uint8_t* in, uint8_t* out) {
  const int64_t each = 8 / bits, bytes = (count + each - 1) / each;
  parallel_ranges(bytes, kElementGrain, [&loop, count, bits, each, in, out](int64_t begin, int64_t end) {
    for_runs(loop, begin * each, std::min(count, end * each), [&](int64_t first, const Offsets<1>& at, int64_t n) {
      for (int64_t i = 0; i < n; ++i) append_packed_code(out, bits, first + i, packed_code(in, bits, at[0] + i * loop.step(0)));
    });
  });
}

void compute(Compute& c) {
  const int64_t count = c.out(0).count();
  if (count == 0) return;
  const StridedLoop<1> loop(c.out(0).shape(), {permuted(c.attrs(), dense_strides(c.in(0).shape()))});
  const DType dtype = c.out(0).type.dtype;
  if (bits_of(dtype) < 8) return copy_codes(loop, count, bits_of(dtype), c.in(0).as<uint8_t>(), c.out(0).as<uint8_t>());
  with_element_size(dtype,
                    [&]<class E>() { copy_permuted(loop, count, c.in(0).as<E>(), c.out(0).as<E>()); });
}

}  // namespace

extern constinit const HostOp host_transpose{STORED, 0, infer, compute};

}  // namespace dbk

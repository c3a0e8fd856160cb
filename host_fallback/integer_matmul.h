// The matrix product of bytes behind MatMulInteger, QLinearMatMul and their kin. Scales and zero points are one number,
// one for each row of A or column of B, or tensors of the operand's rank with a one in place of k.
#pragma once

#include "host_fallback/integer_product.h"
#include "host_fallback/matmul_layout.h"
#include "host_fallback/number_block.h"
#include "host_fallback/op.h"
#include "host_fallback/strided.h"

namespace dbk {

inline constexpr DTypeSet kBytes = I8 | U8;

// Where numbers that belong to rows or columns are, for each element of the result seen as [batch..., m, n].
struct MatrixPlaces {
  Shape batch;  // strides
  int64_t row = 0, column = 0;
};
// `of_rows`: a vector belongs to the rows, else to the columns. Throws where the shape does not broadcast to the
// result.
MatrixPlaces places_of(const Shape& numbers, const MatmulLayout& layout, bool of_rows, const char* what);

// Numbers of rows or columns while a tile is computed; absent ones are `otherwise`.
class MatrixNumbers {
 public:
  MatrixNumbers(const Tensor* numbers, const MatmulLayout& layout, bool of_rows, const char* what, float otherwise)
      : numbers_(numbers), otherwise_(otherwise) {
    if (numbers) places_ = places_of(numbers->shape(), layout, of_rows, what);
    single_ = !numbers || numbers->count() == 1;
    if (numbers && single_)
      read_block(*numbers, 0, 1, &otherwise_);
    else if (!numbers)
      places_.batch = Shape::filled(layout.batch.rank(), 0);
  }
  const Shape& batch_strides() const { return places_.batch; }
  float at(int64_t batch_offset, int64_t row, int64_t column) const {
    if (single_) return otherwise_;
    float number;
    read_block(*numbers_, batch_offset + row * places_.row + column * places_.column, 1, &number);
    return number;
  }

 private:
  const Tensor* numbers_;
  float otherwise_;
  bool single_ = true;
  MatrixPlaces places_;
};

// Calls store(element of the result, batch, row, column, sum) for every element; zero points may be null.
template <class A, class B, class Store>
void multiply_bytes(const MatmulLayout& l, const Tensor& a, const Tensor& b, const MatrixNumbers& a_zero,
                    const MatrixNumbers& b_zero, Store store) {
  const StridedLoop<4> loop(l.batch, {broadcast_strides(l.batch_a, l.batch), broadcast_strides(l.batch_b, l.batch),
                                      a_zero.batch_strides(), b_zero.batch_strides()});
  const int64_t across = (l.n + kByteColumns - 1) / kByteColumns, down = (l.m + kTileRows - 1) / kTileRows;
  const A* pa = a.as<A>();
  const B* pb = b.as<B>();
  const int64_t grain = grain_of(std::min(l.m, kTileRows) * kByteColumns * l.k);
  parallel_ranges(l.batch.count() * down * across, grain,
                  [&l, &loop, &a_zero, &b_zero, pa, pb, across, down, store](int64_t begin, int64_t end) {
                    for (int64_t task = begin; task < end; ++task) {
                      const int64_t batch = task / (down * across), row = task / across % down * kTileRows,
                                    column = task % across * kByteColumns;
                      const Offsets<4> at = offsets_of(loop, batch);
                      const MatrixProduct<B, A> p{l.m, l.n, l.k, pa + at[0] * l.m * l.k, pb + at[1] * l.k * l.n, l.k,
                                                  1,   l.n, 1};
                      const auto pack = [&](int64_t k0, int64_t depth, int64_t first, int64_t width, BytePanel panel) {
                        pack_panel(p, k0, depth, first, width, panel);
                        for (int64_t j = 0; j < width; ++j) {
                          const auto zero = static_cast<ByteSum>(static_cast<int32_t>(b_zero.at(at[3], 0, first + j)));
                          if (zero == 0) continue;
                          for (int64_t k = 0; k < depth; ++k) panel[k][j] -= zero;
                        }
                      };
                      const auto zero_of = [&](int64_t i) { return static_cast<int32_t>(a_zero.at(at[2], i, 0)); };
                      multiply_byte_tile(p, row, column, pack, zero_of, [&](int64_t i, int64_t j, int32_t sum) {
                        store((batch * l.m + i) * l.n + j, batch, i, j, sum);
                      });
                    }
                  });
}

// The same for operands of either type of bytes.
template <class Store>
void integer_matmul(const MatmulLayout& l, const Tensor& a, const Tensor& b, const MatrixNumbers& a_zero,
                    const MatrixNumbers& b_zero, Store store) {
  if (l.matrices().count() == 0) return;
  with_type<kBytes>(a.type.dtype, [&]<class A>() {
    with_type<kBytes>(b.type.dtype, [&]<class B>() { multiply_bytes<A, B>(l, a, b, a_zero, b_zero, store); });
  });
}

}  // namespace dbk

#include "host_fallback/scaled_product.h"

#include <algorithm>
#include <string>

#include "host_fallback/matrix_product.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

// The axes of an operand in the order in which the product sees them: batch, rows, columns.
Shape seen_axes(const Attributes& attrs, const char* side, uint32_t rank) {
  Shape axes;
  if (const std::string perm = std::string("perm") + side; attrs.has(perm)) {
    for (int64_t axis : attrs.integers(perm)) axes.push_back(axis);
    return axes;
  }
  const auto is_set = [&](const char* name) { return attrs.integer_or(std::string(name) + side, 0) != 0; };
  const uint32_t rows = is_set("transBatch") ? 0 : rank - 2;
  for (uint32_t d = 0; d + 1 < rank; ++d)
    if (d != rows) axes.push_back(d);
  axes.push_back(rows), axes.push_back(rank - 1);
  if (is_set("trans")) std::swap(axes[rank - 2], axes[rank - 1]);
  return axes;
}

bool is_permutation(const Shape& axes, uint32_t rank) {
  uint64_t seen = 0;
  for (int64_t axis : axes)
    if (axis >= 0 && axis < rank) seen |= uint64_t{1} << axis;
  return axes.rank() == rank && seen == (uint64_t{1} << rank) - 1;
}

// A vector is a row as A and a column as B, and has nothing to swap.
ScaledOperand operand_of(const Attributes& attrs, const Shape& shape, bool is_a) {
  if (shape.rank() == 0) fail(DBK_INVALID_ARGUMENT, "an operand of rank 0");
  if (shape.rank() == 1) return is_a ? ScaledOperand{{}, {}, 1, shape[0], shape[0], 1} : ScaledOperand{{}, {}, shape[0], 1, 1, 1};
  const Shape axes = seen_axes(attrs, is_a ? "A" : "B", shape.rank()), strides = dense_strides(shape);
  if (!is_permutation(axes, shape.rank())) fail(DBK_INVALID_ARGUMENT, "{} is no order of the axes of {}", to_string(axes), to_string(shape));
  const auto row = static_cast<uint32_t>(axes[shape.rank() - 2]), column = static_cast<uint32_t>(axes[shape.rank() - 1]);
  ScaledOperand o{{}, {}, shape[row], shape[column], strides[row], strides[column]};
  for (uint32_t d = 0; d + 2 < shape.rank(); ++d) {
    const auto axis = static_cast<uint32_t>(axes[d]);
    o.batch.push_back(shape[axis]), o.batch_strides.push_back(strides[axis]);
  }
  using enum ScaledOperand::Neighbours;
  o.neighbours = column + 1 == shape.rank() ? AlongRows : row + 1 == shape.rank() ? AlongColumns : Apart;
  o.in_order = std::ranges::is_sorted(axes);
  return o;
}

Shape strides_along(const ScaledOperand& o, const Shape& batch) {
  Shape strides = Shape::filled(batch.rank(), 0);
  for (uint32_t d = 0, skip = batch.rank() - o.batch.rank(); d < o.batch.rank(); ++d)
    if (o.batch[d] != 1) strides[d + skip] = o.batch_strides[d];
  return strides;
}

template <class T>
void multiply(const ScaledProduct& p, const T* a, const T* b, T* out) {
  const StridedLoop<2> loop(p.batch, {p.a_strides, p.b_strides});
  const MatrixProduct<T> first{p.a.rows, p.b.columns, p.a.columns, a, b, p.a.row_step, p.a.column_step, p.b.row_step, p.b.column_step};
  const Tiling<T> tiling(first);
  const auto alpha = static_cast<Acc<T>>(p.alpha);
  parallel_ranges(p.batch.count() * tiling.count, tiling.grain(first), [&loop, &tiling, first, out, alpha](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t batch = task / tiling.count;
      const Offsets<2> at = offsets_of(loop, batch);
      MatrixProduct<T> one = first;
      one.a += at[0], one.b += at[1];
      T* to = out + batch * one.m * one.n;
      tiling.run(one, task % tiling.count, [to, alpha, n = one.n](int64_t i, int64_t j, Ring<T> sum) { to[i * n + j] = static_cast<T>(alpha * sum); });
    }
  });
}

}  // namespace

ScaledProduct scaled_product(const Attributes& attrs, const OperandTypes& in) {
  const Shape &a = in.shape(0), &b = in.shape(1);
  ScaledProduct p{.a = operand_of(attrs, a, true), .b = operand_of(attrs, b, false), .alpha = attrs.real("alpha")};
  if (p.a.columns != p.b.rows)
    fail(DBK_INVALID_ARGUMENT, "inner extents differ, {} and {}, in shapes {} and {} as they are transposed", p.a.columns, p.b.rows, to_string(a), to_string(b));
  p.batch = broadcast(p.a.batch, p.b.batch);
  p.a_strides = strides_along(p.a, p.batch), p.b_strides = strides_along(p.b, p.batch);
  p.result = p.batch;
  if (a.rank() > 1) p.result.push_back(p.a.rows);
  if (b.rank() > 1) p.result.push_back(p.b.columns);
  return p;
}

void infer_scaled_product(Infer& infer) {
  infer.out(0, infer.in(0).dtype, scaled_product(infer.attrs(), OperandTypes(infer)).result);
}

void compute_scaled_product(Compute& c) {
  const ScaledProduct p = scaled_product(c.attrs(), OperandTypes(c));
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { multiply(p, c.in(0).as<T>(), c.in(1).as<T>(), c.out(0).as<T>()); });
}

}  // namespace dbk

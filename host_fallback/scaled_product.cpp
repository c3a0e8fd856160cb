#include "host_fallback/scaled_product.h"

namespace dbk {

namespace {

// A vector is a row as A and a column as B, and has nothing to swap.
ScaledOperand operand_of(const Shape& shape, bool is_a, bool swapped, bool batch_swapped) {
  if (shape.rank() == 0) fail(DBK_INVALID_ARGUMENT, "an operand of rank 0");
  if (shape.rank() == 1) return is_a ? ScaledOperand{{}, {}, 1, shape[0], shape[0], 1} : ScaledOperand{{}, {}, shape[0], 1, 1, 1};
  const uint32_t last = shape.rank() - 1, row = batch_swapped ? 0 : last - 1;
  const Shape strides = dense_strides(shape);
  ScaledOperand o{{}, {}, shape[row], shape[last], strides[row], strides[last]};
  for (uint32_t d = 0; d < last; ++d)
    if (d != row) o.batch.push_back(shape[d]), o.batch_strides.push_back(strides[d]);
  if (swapped) std::swap(o.rows, o.columns), std::swap(o.row_step, o.column_step);
  return o;
}

Shape strides_along(const ScaledOperand& o, const Shape& batch) {
  Shape strides = Shape::filled(batch.rank(), 0);
  for (uint32_t d = 0, skip = batch.rank() - o.batch.rank(); d < o.batch.rank(); ++d)
    if (o.batch[d] != 1) strides[d + skip] = o.batch_strides[d];
  return strides;
}

}  // namespace

ScaledProduct scaled_product(const Attributes& attrs, const OperandTypes& in) {
  const Shape &a = in.shape(0), &b = in.shape(1);
  ScaledProduct p{.a = operand_of(a, true, attrs.integer("transA") != 0, attrs.integer("transBatchA") != 0),
                  .b = operand_of(b, false, attrs.integer("transB") != 0, attrs.integer("transBatchB") != 0),
                  .alpha = attrs.real("alpha")};
  if (p.a.columns != p.b.rows)
    fail(DBK_INVALID_ARGUMENT, "inner extents differ, {} and {}, in shapes {} (transA {}) and {} (transB {})", p.a.columns, p.b.rows, to_string(a),
         attrs.integer("transA"), to_string(b), attrs.integer("transB"));
  p.batch = broadcast(p.a.batch, p.b.batch);
  p.a_strides = strides_along(p.a, p.batch), p.b_strides = strides_along(p.b, p.batch);
  p.result = p.batch;
  if (a.rank() > 1) p.result.push_back(p.a.rows);
  if (b.rank() > 1) p.result.push_back(p.b.columns);
  return p;
}

}  // namespace dbk

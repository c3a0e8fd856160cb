// QLinearMatMul: codes of the product of what two matrices of codes stand for.
#include "host_fallback/integer_matmul.h"
#include "host_fallback/requantize.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const MatmulLayout l = matmul_layout(infer.shape(0), infer.shape(3));
  places_of(infer.shape(1), l, true, "a_scale");
  places_of(infer.shape(2), l, true, "a_zero_point");
  places_of(infer.shape(4), l, false, "b_scale");
  places_of(infer.shape(5), l, false, "b_zero_point");
  require_single(infer, 6, "y_scale");
  require_single(infer, 7, "y_zero_point");
  for (size_t i : {3u, 7u})
    if (!contains(kBytes, infer.in(i).dtype))
      fail(DBK_UNIMPLEMENTED, "a product of {} is not implemented", to_string(infer.in(i).dtype));
  infer.out(0, infer.in(7).dtype, l.result());
}

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(0).shape(), c.in(3).shape());
  const MatrixNumbers a_scale(&c.in(1), l, true, "a_scale", 1), a_zero(&c.in(2), l, true, "a_zero_point", 0);
  const MatrixNumbers b_scale(&c.in(4), l, false, "b_scale", 1), b_zero(&c.in(5), l, false, "b_zero_point", 0);
  const float y_scale = single_number(c.in(6)), zero = single_number(c.in(7));
  const StridedLoop<2> scales(l.batch, {a_scale.batch_strides(), b_scale.batch_strides()});
  const DType precision = c.in(1).type.dtype;
  with_type<kBytes>(c.out(0).type.dtype, [&]<class Y>() {
    Y* out = c.out(0).as<Y>();
    const Requantizer<Y> code(zero);
    integer_matmul(
        l, c.in(0), c.in(3), a_zero, b_zero, [&](int64_t at, int64_t batch, int64_t i, int64_t j, int32_t sum) {
          const Offsets<2> offset = offsets_of(scales, batch);
          out[at] = code(
              sum, requantizing_factor(a_scale.at(offset[0], i, 0), b_scale.at(offset[1], 0, j), y_scale, precision));
        });
  });
}

}  // namespace

extern constinit const HostOp host_qlinear_matmul{kBytes, 0, infer, compute};

}  // namespace dbk

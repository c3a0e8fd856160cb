// QLinearMatMul: codes of the product of what two matrices of codes stand for. Codes are bytes or, summed in double, floats of 8 bits.
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
  infer.out(0, infer.in(7).dtype, l.result());
}

// Products and codes of which any is a float: one element after the other, as nobody has asked for more.
void compute_floats(Compute& c, const MatmulLayout& l) {
  const MatrixNumbers a_scale(&c.in(1), l, true, "a_scale", 1), a_zero(&c.in(2), l, true, "a_zero_point", 0);
  const MatrixNumbers b_scale(&c.in(4), l, false, "b_scale", 1), b_zero(&c.in(5), l, false, "b_zero_point", 0);
  const double y_scale = single_number(c.in(6)), y_zero = single_number(c.in(7));
  const StridedLoop<6> loop(l.batch, {broadcast_strides(l.batch_a, l.batch), broadcast_strides(l.batch_b, l.batch), a_zero.batch_strides(),
                                      b_zero.batch_strides(), a_scale.batch_strides(), b_scale.batch_strides()});
  const DType y = c.out(0).type.dtype;
  for (int64_t at = 0, count = c.out(0).count(); at < count; ++at) {
    const int64_t j = at % l.n, i = at / l.n % l.m;
    const Offsets<6> first = offsets_of(loop, at / l.n / l.m);
    double sum = 0;
    for (int64_t k = 0; k < l.k; ++k) {
      double a, b;
      read_block(c.in(0), (first[0] * l.m + i) * l.k + k, 1, &a);
      read_block(c.in(3), (first[1] * l.k + k) * l.n + j, 1, &b);
      sum += (a - static_cast<double>(a_zero.at(first[2], i, 0))) * (b - static_cast<double>(b_zero.at(first[3], 0, j)));
    }
    const double scale = static_cast<double>(a_scale.at(first[4], i, 0)) * static_cast<double>(b_scale.at(first[5], 0, j)) / y_scale;
    const auto range = contains(kBytes, y) ? integer_range(y) : IntegerRange{};
    const double code = contains(kBytes, y) ? quantized(sum * scale, y_zero, range.low, range.high) : sum * scale + y_zero;
    write_block(c.out(0), at, 1, &code);
  }
}

void compute(Compute& c) {
  const MatmulLayout l = matmul_layout(c.in(0).shape(), c.in(3).shape());
  for (const DType dtype : {c.in(0).type.dtype, c.in(3).type.dtype, c.out(0).type.dtype})
    if (!contains(kBytes, dtype)) return compute_floats(c, l);
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

extern constinit const HostOp host_qlinear_matmul{kBytes | FLOATS8, 0, infer, compute};

}  // namespace dbk

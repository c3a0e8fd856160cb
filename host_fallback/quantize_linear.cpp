// QuantizeLinear: y = saturate(round(x / scale) + zero point) for integers, x / scale + zero point for floats of 8 and
// 4 bits. The quotient has the precision of the scale, or that of the attribute.
#include "host_fallback/quantize_linear.h"

#include "host_fallback/cast.h"
#include "host_fallback/quantization.h"

namespace dbk {

DType quotient_type(const Attributes& attrs, DType scale) {
  const int64_t precision = attrs.integer_or("precision", 0);
  const DType dtype = precision == 0 ? scale : dtype_of_onnx(precision);
  if (!contains(F32 | F64 | F16 | BF16 | I32 | F8_E8M0FNU, dtype))
    fail(DBK_INVALID_ARGUMENT, "precision is {}, which is none of f32, f16 and bf16", precision);
  return contains(F16 | BF16 | F64, dtype) ? dtype : DBK_F32;
}

namespace {

constexpr DTypeSet kTargets = I8 | U8 | I16 | U16 | SMALL_INTS | (SMALL_FLOATS & ~F8_E8M0FNU);

DType target_of(const Infer& infer) {
  const int64_t wanted = infer.attrs().integer_or("output_dtype", 0);
  const DType named = wanted == 0 ? DBK_DTYPE_NONE : dtype_of_onnx(wanted);
  if (wanted != 0 && !contains(kTargets, named))
    fail(DBK_INVALID_ARGUMENT, "output_dtype is {}, which nothing is quantised to", wanted);
  if (!infer.has(2)) return wanted == 0 ? DBK_U8 : named;
  if (wanted != 0 && named != infer.in(2).dtype)
    fail(DBK_INVALID_ARGUMENT, "output_dtype is {}, but the zero point is {}", to_string(named),
         to_string(infer.in(2).dtype));
  return infer.in(2).dtype;
}

}  // namespace

void infer_quantize_linear(Infer& infer) {
  granularity_of(infer.shape(0), infer.shape(1), infer.attrs().integer_or("axis", 1),
                 infer.attrs().integer_or("block_size", 0));
  if (infer.has(2) && infer.in(2).count() != infer.in(1).count())
    fail(DBK_INVALID_ARGUMENT, "zero points of shape {} for scales of shape {}", to_string(infer.shape(2)),
         to_string(infer.shape(1)));
  quotient_type(infer.attrs(), infer.in(1).dtype);
  infer.out(0, target_of(infer), infer.shape(0));
}

namespace {

template <class A>
void quantize(const Compute& c, Tensor& y, const Granularity& g, DType precision, Conversion conversion) {
  const Tensor &x = c.in(0), &scale = c.in(1);
  const Tensor* zero = c.has(2) ? &c.in(2) : nullptr;
  const bool integers = !contains(SMALL_FLOATS, y.type.dtype);
  const IntegerRange range = integers ? integer_range(y.type.dtype) : IntegerRange{};
  const A low = static_cast<A>(range.low), high = static_cast<A>(range.high);
  for_scaled_blocks(g, x.count(),
                    [&x, &scale, zero, &y, integers, low, high, precision, conversion](int64_t first, int64_t n,
                                                                                       const int64_t* places) {
                      A numbers[kStage], scales[kStage], zeros[kStage];
                      read_block(x, first, n, numbers);
                      gather_numbers(&scale, places, n, A(1), scales);
                      gather_numbers(zero, places, n, A(0), zeros);
                      for (int64_t i = 0; i < n; ++i) numbers[i] = numbers[i] / scales[i];
                      if (contains(F16 | BF16, precision))
                        for (int64_t i = 0; i < n; ++i) numbers[i] = in_precision(numbers[i], precision);
                      for (int64_t i = 0; i < n; ++i)
                        numbers[i] = integers ? quantized(numbers[i], zeros[i], low, high) : numbers[i] + zeros[i];
                      write_block(y, first, n, numbers, conversion);
                    });
}

}  // namespace

void compute_quantize_linear(Compute& c) {
  const Granularity g = granularity_of(c.in(0).shape(), c.in(1).shape(), c.attrs().integer_or("axis", 1),
                                       c.attrs().integer_or("block_size", 0));
  const DType precision = quotient_type(c.attrs(), c.in(1).type.dtype);
  if (c.in(0).type.dtype == DBK_F32 && precision == DBK_F32 && g.single() && contains(I8 | U8, c.out(0).type.dtype))
    return with_type<I8 | U8>(c.out(0).type.dtype, [&]<class T>() {
      quantize_bytes(c.in(0).as<float>(), c.in(0).count(), single_number(c.in(1)),
                     c.has(2) ? single_number(c.in(2)) : 0.0f, c.out(0).as<T>());
    });
  if (precision == DBK_F64)
    quantize<double>(c, c.out(0), g, precision, conversion_of(c.attrs()));
  else
    quantize<float>(c, c.out(0), g, precision, conversion_of(c.attrs()));
}

extern constinit const HostOp host_quantize_linear{F32 | F16 | BF16 | F64 | I32, 0, infer_quantize_linear,
                                                   compute_quantize_linear};

}  // namespace dbk

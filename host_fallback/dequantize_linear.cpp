// DequantizeLinear: y = (x - zero point) * scale, in the type of the scale or of the attribute.
#include "host_fallback/quantization.h"
#include "host_fallback/quantize_linear.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = I8 | U8 | I16 | U16 | I32 | SMALL_INTS | (SMALL_FLOATS & ~F8_E8M0FNU);

}  // namespace

void infer_dequantize_linear(Infer& infer) {
  granularity_of(infer.shape(0), infer.shape(1), infer.attrs().integer_or("axis", 1),
                 infer.attrs().integer_or("block_size", 0));
  if (infer.has(2) && infer.in(2).count() != infer.in(1).count())
    fail(DBK_INVALID_ARGUMENT, "zero points of shape {} for scales of shape {}", to_string(infer.shape(2)),
         to_string(infer.shape(1)));
  const int64_t wanted = infer.attrs().integer_or("output_dtype", 0);
  const DType dtype = wanted == 0 ? infer.in(1).dtype : dtype_of_onnx(wanted);
  if (!contains(FLOATS, dtype))
    fail(DBK_INVALID_ARGUMENT, "output_dtype is {} and scales are {}: the result needs a type of f32, f16 and bf16",
         wanted, to_string(infer.in(1).dtype));
  infer.out(0, dtype, infer.shape(0));
}

namespace {

template <class A>
void dequantize(const Compute& c, Tensor& y, const Granularity& g) {
  const Tensor &x = c.in(0), &scale = c.in(1);
  const Tensor* zero = c.has(2) ? &c.in(2) : nullptr;
  for_scaled_blocks(g, x.count(), [&x, &scale, zero, &y](int64_t first, int64_t n, const int64_t* places) {
    A numbers[kStage], scales[kStage], zeros[kStage];
    read_block(x, first, n, numbers);
    gather_numbers(&scale, places, n, A(1), scales);
    gather_numbers(zero, places, n, A(0), zeros);
    for (int64_t i = 0; i < n; ++i) numbers[i] = (numbers[i] - zeros[i]) * scales[i];
    write_block(y, first, n, numbers);
  });
}

}  // namespace

void compute_dequantize_linear(Compute& c) {
  const Granularity g = granularity_of(c.in(0).shape(), c.in(1).shape(), c.attrs().integer_or("axis", 1),
                                       c.attrs().integer_or("block_size", 0));
  if (c.out(0).type.dtype == DBK_F32 && g.single() && contains(I8 | U8, c.in(0).type.dtype))
    return with_type<I8 | U8>(c.in(0).type.dtype, [&]<class T>() {
      dequantize_bytes(c.in(0).as<T>(), c.in(0).count(), single_number(c.in(1)),
                       c.has(2) ? single_number(c.in(2)) : 0.0f, c.out(0).as<float>());
    });
  if (c.out(0).type.dtype == DBK_F64)
    dequantize<double>(c, c.out(0), g);
  else
    dequantize<float>(c, c.out(0), g);
}

extern constinit const HostOp host_dequantize_linear{kTypes, 0, infer_dequantize_linear, compute_dequantize_linear};

}  // namespace dbk

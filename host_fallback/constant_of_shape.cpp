// ConstantOfShape: a tensor of the shape that the input holds, every element that of `value`; without it, 0 in f32.
#include "host_fallback/op.h"
#include "host_fallback/movement.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Tensor& wanted = infer.value(0);
  if (wanted.shape().rank() != 1) fail(DBK_INVALID_ARGUMENT, "the shape has rank {}, not 1", wanted.shape().rank());
  Shape shape;
  for (int64_t i = 0, n = wanted.count(); i < n; ++i) {
    if (integer_at(wanted, i) < 0) fail(DBK_INVALID_ARGUMENT, "the shape has {} at {}", integer_at(wanted, i), i);
    shape.push_back(integer_at(wanted, i));
  }
  DType dtype = DBK_F32;
  if (infer.attrs().has("value")) {
    const TensorType& value = infer.attrs().tensor("value").type;
    if (value.count() != 1) fail(DBK_INVALID_ARGUMENT, "value has shape {}, not one element", to_string(value.shape));
    if (!contains(MOVABLE, value.dtype)) fail(DBK_UNIMPLEMENTED, "value of type {} is not implemented", to_string(value.dtype));
    dtype = value.dtype;
  }
  infer.out(0, dtype, shape);
}

void compute(Compute& c) {
  with_element_size(c.out(0).type.dtype, [&]<class E>() {
    E value{};
    if (c.attrs().has("value")) std::memcpy(&value, c.attrs().tensor("value").bytes.data(), sizeof(E));
    E* out = c.out(0).as<E>();
    parallel_ranges(c.out(0).count(), kElementGrain,
                    [=](int64_t begin, int64_t end) { std::fill(out + begin, out + end, value); });
  });
}

}  // namespace

extern constinit const HostOp host_constant_of_shape{I64, 1u << 0, infer, compute};

}  // namespace dbk

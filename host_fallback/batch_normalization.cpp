// BatchNormalization at inference: (x - mean) / sqrt(variance + epsilon) * scale + bias, numbers per channel (axis 1). The
// statistics may have another float type than x; factors are formed in double, once per channel.
#include <cmath>

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"

namespace dbk {

namespace {

void refuse_training(const Attributes& attrs, size_t outputs) {
  if (attrs.integer_or("training_mode", 0) != 0)
    fail(DBK_UNIMPLEMENTED, "BatchNormalization in training mode: this library computes inference only");
  if (outputs > 1) fail(DBK_UNIMPLEMENTED, "running statistics are outputs of training: this library computes inference only");
  if (attrs.integer_or("spatial", 1) == 0)
    fail(DBK_UNIMPLEMENTED, "spatial is 0: statistics of single elements instead of channels");
}

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  refuse_training(infer.attrs(), infer.output_count());
  if (shape.rank() == 0) fail(DBK_INVALID_ARGUMENT, "the input is a single number: it has no channels");
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1;
  static constexpr const char* kNames[] = {"X", "scale", "B", "input_mean", "input_var"};
  for (size_t i = 1; i < 5; ++i)
    if (infer.shape(i) != Shape{channels})
      fail(DBK_INVALID_ARGUMENT, "{} of shape {} for {} channels", kNames[i], to_string(infer.shape(i)), channels);
  infer.out(0, infer.in(0).dtype, shape);
}

double number(const Tensor& tensor, int64_t i) {
  double value = 0;
  with_type<FLOATS>(tensor.type.dtype, [&]<class T>() { value = static_cast<double>(tensor.as<T>()[i]); });
  return value;
}

template <class T>
void normalize(const Compute& c, T* out) {
  using A = Acc<T>;
  const Shape& shape = c.in(0).shape();
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1, planes = shape[0] * channels;
  const int64_t inner = shape.count() / planes;
  const double epsilon = c.attrs().real("epsilon");
  const T* in = c.in(0).as<T>();
  parallel_ranges(planes, grain_of(inner), [&, in, out](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const int64_t channel = plane % channels;
      const double factor = number(c.in(1), channel) / std::sqrt(number(c.in(4), channel) + epsilon);
      const double mean = number(c.in(3), channel);
      const A scale = static_cast<A>(factor), bias = static_cast<A>(number(c.in(2), channel));
      const A shift = static_cast<A>(mean), rest = static_cast<A>(mean - static_cast<double>(shift));
      for_blocks(in + plane * inner, inner, [&, out = out + plane * inner](const A* x, int64_t first, int64_t count) {
        fill_block(out + first, count, [=](int64_t i) { return (x[i] - shift - rest) * scale + bias; });
      });
    }
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { normalize(c, c.out(0).as<T>()); });
}

}  // namespace

extern constinit const HostOp host_batch_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk

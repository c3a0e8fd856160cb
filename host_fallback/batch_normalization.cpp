// BatchNormalization: (x - mean) / sqrt(variance + epsilon) * scale + bias, numbers per channel (axis 1). At inference mean and variance
// are operands; in training they are those of x, and move the running ones. The statistics may have another float type than x; sums and
// factors are formed in double, once per channel.
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"

namespace dbk {

namespace {

enum Operand : size_t { kX, kScale, kBias, kMean, kVariance };
enum Result : size_t { kY, kRunningMean, kRunningVariance };

bool is_training(const Attributes& attrs) { return attrs.integer_or("training_mode", 0) != 0; }

void check_mode(const Attributes& attrs, size_t outputs) {
  if (outputs > 1 && !is_training(attrs))
    fail(DBK_UNIMPLEMENTED, "{} outputs: running statistics are results of training, which training_mode 1 asks for", outputs);
  if (attrs.integer_or("spatial", 1) == 0)
    fail(DBK_UNIMPLEMENTED, "spatial is 0: statistics of single elements instead of channels");
}

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  check_mode(infer.attrs(), infer.output_count());
  if (shape.rank() == 0) fail(DBK_INVALID_ARGUMENT, "the input is a single number: it has no channels");
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1;
  static constexpr const char* kNames[] = {"X", "scale", "B", "input_mean", "input_var"};
  for (size_t i = 1; i < 5; ++i)
    if (infer.shape(i) != Shape{channels})
      fail(DBK_INVALID_ARGUMENT, "{} of shape {} for {} channels", kNames[i], to_string(infer.shape(i)), channels);
  infer.out(kY, infer.in(kX).dtype, shape);
  infer.out(kRunningMean, infer.in(kMean).dtype, {channels});
  infer.out(kRunningVariance, infer.in(kVariance).dtype, {channels});
}

double number(const Tensor& tensor, int64_t i) {
  double value = 0;
  with_type<FLOATS>(tensor.type.dtype, [&]<class T>() { value = static_cast<double>(tensor.as<T>()[i]); });
  return value;
}

void set_number(Tensor& tensor, int64_t i, double value) {
  with_type<FLOATS>(tensor.type.dtype, [&]<class T>() { tensor.as<T>()[i] = number_cast<T>(value); });
}

struct Moments {
  double mean, variance;
};

// The planes of one channel, and what is done to them.
template <class T>
class Channel {
 public:
  Channel(const Compute& c, int64_t channel) : c_(c), channel_(channel) {
    const Shape& shape = c.in(kX).shape();
    channels_ = shape.rank() > 1 ? shape[1] : 1, planes_ = shape[0];
    inner_ = 1;
    for (uint32_t d = 2; d < shape.rank(); ++d) inner_ *= shape[d];
  }

  Moments given() const { return {number(c_.in(kMean), channel_), number(c_.in(kVariance), channel_)}; }

  Moments measured() const {
    const auto count = static_cast<double>(planes_ * inner_);
    const double mean = sum([](double x) { return x; }) / count;
    return {mean, sum([mean](double x) { return (x - mean) * (x - mean); }) / count};
  }

  void normalize(T* out, const Moments& moments, int64_t first_plane, int64_t end_plane) const {
    using A = Acc<T>;
    const double factor = number(c_.in(kScale), channel_) / std::sqrt(moments.variance + c_.attrs().real("epsilon"));
    const A scale = static_cast<A>(factor), bias = static_cast<A>(number(c_.in(kBias), channel_));
    const A shift = static_cast<A>(moments.mean), rest = static_cast<A>(moments.mean - static_cast<double>(shift));
    for (int64_t plane = first_plane; plane < end_plane; ++plane) {
      for_blocks(in(plane), inner_, [=, out = out + place(plane)](const A* x, int64_t first, int64_t count) {
        fill_block(out + first, count, [=](int64_t i) { return (x[i] - shift - rest) * scale + bias; });
      });
    }
  }
  void normalize(T* out, const Moments& moments) const { normalize(out, moments, 0, planes_); }

 private:
  int64_t place(int64_t plane) const { return (plane * channels_ + channel_) * inner_; }
  const T* in(int64_t plane) const { return c_.in(kX).as<T>() + place(plane); }

  template <class F>
  double sum(F term) const {
    double total = 0;
    for (int64_t plane = 0; plane < planes_; ++plane)
      for (const T *x = in(plane), *end = x + inner_; x < end; ++x) total += term(static_cast<double>(*x));
    return total;
  }

  const Compute& c_;
  int64_t channel_, channels_, planes_, inner_;
};

template <class T>
void normalize_by_given(const Compute& c, T* out) {
  const Shape& shape = c.in(kX).shape();
  const int64_t channels = shape.rank() > 1 ? shape[1] : 1, planes = shape[0] * channels;
  parallel_ranges(planes, grain_of(shape.count() / planes), [&, out](int64_t begin, int64_t end) {
    for (int64_t plane = begin; plane < end; ++plane) {
      const Channel<T> channel(c, plane % channels);
      channel.normalize(out, channel.given(), plane / channels, plane / channels + 1);
    }
  });
}

void move_running(Compute& c, Result result, int64_t channel, double before, double now) {
  const double momentum = c.attrs().real("momentum");
  if (c.wants(result)) set_number(c.out(result), channel, before * momentum + now * (1 - momentum));
}

template <class T>
void train(Compute& c, T* out) {
  const int64_t channels = c.in(kMean).count();
  const int64_t each = channels > 0 ? c.in(kX).count() / channels : 0;
  parallel_ranges(channels, grain_of(each), [&, out](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const Channel<T> channel(c, i);
      const Moments now = channel.measured(), before = channel.given();
      if (out) channel.normalize(out, now);
      move_running(c, kRunningMean, i, before.mean, now.mean);
      move_running(c, kRunningVariance, i, before.variance, now.variance);
    }
  });
}

void compute(Compute& c) {
  const bool training = is_training(c.attrs());
  if (c.in(kX).count() == 0 && !training) return;
  with_type<FLOATS>(c.in(kX).type.dtype, [&]<class T>() {
    T* out = c.wants(kY) ? c.out(kY).as<T>() : nullptr;
    training ? train(c, out) : normalize_by_given(c, out);
  });
}

}  // namespace

extern constinit const HostOp host_batch_normalization{FLOATS, 0, infer, compute};

}  // namespace dbk

// LRN: x / (bias + alpha / size * sum of squares)^beta, the sum over `size` neighbouring channels, formed in double.
#include <cmath>

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  if (infer.shape(0).rank() < 2)
    fail(DBK_INVALID_ARGUMENT, "the input of shape {} has no channels", to_string(infer.shape(0)));
  if (infer.attrs().integer("size") < 1) fail(DBK_INVALID_ARGUMENT, "size is {}", infer.attrs().integer("size"));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

struct Response {
  int64_t channels, inner, size;
  double alpha, beta, bias;
};

// One channel of one batch entry; `plane` is channel 0 of that entry.
template <class T>
void respond(const Response& r, const T* plane, int64_t channel, T* out) {
  const int64_t first = std::max<int64_t>(0, channel - (r.size - 1) / 2);
  const int64_t last = std::min(r.channels - 1, channel + r.size / 2);
  for (int64_t i = 0; i < r.inner; ++i) {
    double sum = 0;
    for (int64_t k = first; k <= last; ++k) {
      const double x = static_cast<double>(plane[k * r.inner + i]);
      sum += x * x;
    }
    const double base = r.bias + r.alpha / static_cast<double>(r.size) * sum;
    out[i] = static_cast<T>(static_cast<Acc<T>>(static_cast<double>(plane[channel * r.inner + i]) / std::pow(base, r.beta)));
  }
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  if (shape.count() == 0) return;
  const int64_t channels = shape[1];
  const Response r{channels,
                   shape.count() / (shape[0] * channels),
                   c.attrs().integer("size"),
                   c.attrs().real("alpha"),
                   c.attrs().real("beta"),
                   c.attrs().real("bias")};
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.out(0).as<T>();
    const int64_t grain = grain_of(r.inner * (std::min(r.size, channels) + 8));
    parallel_ranges(shape[0] * channels, grain, [=](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane)
        respond(r, in + plane / channels * channels * r.inner, plane % channels, out + plane * r.inner);
    });
  });
}

}  // namespace

extern constinit const HostOp host_lrn{FLOATS, 0, infer, compute};

}  // namespace dbk

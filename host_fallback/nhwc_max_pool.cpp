// NhwcMaxPool: MaxPool of bytes whose channels come last.
#include "host_fallback/byte_pool.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = I8 | U8;

struct Largest {
  static int32_t identity() { return std::numeric_limits<int32_t>::min(); }
  static int32_t combine(int32_t a, int32_t b) { return std::max(a, b); }
  int32_t finish(int32_t state, int64_t) const { return state; }
};

Windows windows_of(const Attributes& attrs, const Shape& x) {
  return pooling_windows(attrs, channels_second(x));
}

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  infer.out(0, infer.in(0).dtype, channels_last(windows_of(infer.attrs(), x).result(x[0], x[x.rank() - 1])));
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Shape& x = c.in(0).shape();
  const int64_t channels = x[x.rank() - 1];
  const Windows w = windows_of(c.attrs(), x);
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() {
    pool_bytes(w, x[0] * channels, {channels, true}, false, c.in(0).as<T>(), c.out(0).as<T>(), Largest{});
  });
}

}  // namespace

extern constinit const HostOp host_nhwc_max_pool{kTypes, 0, infer, compute};

}  // namespace dbk

// NonZero: the positions of all elements that are not 0, one column each, in row-major order.
#include <algorithm>

#include "host_fallback/complex_parts.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

// Calls f(index) for every element that is not 0. NaN is not 0, nor is a complex number with a part that is not.
template <class F>
void each_non_zero(const Tensor& tensor, F&& f) {
  with_parts(tensor.type.dtype, [&]<class T, int parts>() {
    const T* data = tensor.as<T>();
    const auto is_zero = [](T x) { return static_cast<Acc<T>>(x) == Acc<T>(0); };
    for (int64_t i = 0, n = tensor.count(); i < n; ++i)
      if (!std::all_of(data + i * parts, data + (i + 1) * parts, is_zero)) f(i);
  });
}

void infer(Infer& infer) {
  int64_t count = 0;
  each_non_zero(infer.value(0), [&](int64_t) { ++count; });
  infer.out(0, DBK_I64, {infer.shape(0).rank(), count});
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const int64_t columns = c.out(0).shape()[1];
  int64_t* out = c.out(0).as<int64_t>();
  int64_t column = 0;
  each_non_zero(c.in(0), [&](int64_t index) {
    for (uint32_t d = shape.rank(); d-- > 0; index /= shape[d]) out[d * columns + column] = index % shape[d];
    ++column;
  });
}

}  // namespace

extern constinit const HostOp host_non_zero{PLAIN | C64 | C128, 0, infer, compute};

}  // namespace dbk

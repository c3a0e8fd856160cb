// Sums of any number of broadcast operands (Sum, Mean), each result rounded once: floats are added in double.
#pragma once

#include "host_fallback/binary.h"
#include "host_fallback/ring.h"

namespace dbk {

// out[i] = finish(sum of all operands at i).
template <class T, class Finish>
void variadic_sum(const Compute& c, Tensor& out, Finish finish) {
  T* to = out.as<T>();
  parallel_ranges(out.count(), kElementGrain, [&c, &out, to, finish](int64_t begin, int64_t end) {
    SumOf<T> sums[kStage];
    for (int64_t first = begin; first < end; first += kStage) {
      const int64_t count = std::min(kStage, end - first);
      std::fill_n(sums, count, SumOf<T>(0));
      for (size_t k = 0; k < c.input_count(); ++k) {
        const StridedLoop<1> loop(out.shape(), {broadcast_strides(c.in(k).shape(), out.shape())});
        const T* from = c.in(k).as<T>();
        for_runs(loop, first, first + count, [&](int64_t at, const Offsets<1>& offset, int64_t n) {
          for (int64_t i = 0; i < n; ++i)
            sums[at - first + i] += static_cast<SumOf<T>>(static_cast<Acc<T>>(from[offset[0] + i * loop.step(0)]));
        });
      }
      for (int64_t i = 0; i < count; ++i) to[first + i] = static_cast<T>(static_cast<Acc<T>>(finish(sums[i])));
    }
  });
}

}  // namespace dbk

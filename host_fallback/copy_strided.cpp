#include "host_fallback/copy_strided.h"

#include "host_fallback/movement.h"
#include "host_fallback/strided.h"

namespace dbk {

void copy_strided(const Tensor& in, int64_t first, const Shape& strides, Tensor& out) {
  const int64_t count = out.count();
  if (count == 0) return;
  const StridedLoop<1> loop(out.shape(), {strides});
  with_element_size(out.type.dtype, [&]<class E>() {
    const E* from = in.as<E>() + first;
    E* to = out.as<E>();
    parallel_ranges(count, kElementGrain, [&loop, from, to](int64_t begin, int64_t end) {
      for_runs(loop, begin, end, [&](int64_t at, const Offsets<1>& offset, int64_t n) {
        copy_run(from + offset[0], loop.step(0), to + at, n);
      });
    });
  });
}

}  // namespace dbk

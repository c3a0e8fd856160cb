// Range: start + i * delta for all i >= 0 before `limit` is reached.
#include <cmath>

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I16 | I32 | I64;
constexpr int64_t kMost = int64_t{1} << 40;  // elements; far over any memory, far below what overflows

// Integers exactly, floats in double.
template <class T>
int64_t count_of(T start, T limit, T delta) {
  if constexpr (std::is_integral_v<T>) {
    if (delta == 0 || (delta > 0 ? start >= limit : start <= limit)) return delta == 0 ? -1 : 0;
    const auto low = static_cast<uint64_t>(std::min(start, limit)), high = static_cast<uint64_t>(std::max(start, limit));
    const uint64_t step = delta > 0 ? static_cast<uint64_t>(delta) : 0 - static_cast<uint64_t>(delta);
    return static_cast<int64_t>(std::min<uint64_t>((high - low - 1) / step + 1, kMost));
  } else {
    const double count = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(delta));
    if (std::isnan(count) || static_cast<double>(delta) == 0) return -1;
    return static_cast<int64_t>(std::clamp(count, 0.0, static_cast<double>(kMost)));
  }
}

void infer(Infer& infer) {
  constexpr const char* kNames[] = {"start", "limit", "delta"};
  for (size_t i = 0; i < 3; ++i)
    if (infer.value(i).count() != 1)
      fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not one element", kNames[i], to_string(infer.shape(i)));
  int64_t count = 0;
  with_type<kTypes>(infer.in(0).dtype, [&]<class T>() {
    count = count_of(*infer.value(0).as<T>(), *infer.value(1).as<T>(), *infer.value(2).as<T>());
  });
  if (count < 0) fail(DBK_INVALID_ARGUMENT, "start, limit and delta make no range: delta is 0, or one of them is NaN");
  if (count == kMost) fail(DBK_INVALID_ARGUMENT, "the range has {} elements or more", kMost);
  infer.out(0, infer.in(0).dtype, {count});
}

void compute(Compute& c) {
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() {
    using R = SumOf<T>;
    const R start = static_cast<R>(*c.in(0).as<T>()), delta = static_cast<R>(*c.in(2).as<T>());
    T* out = c.out(0).as<T>();
    parallel_ranges(c.out(0).count(), kElementGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out[i] = static_cast<T>(static_cast<Acc<T>>(start + static_cast<R>(i) * delta));
    });
  });
}

}  // namespace

extern constinit const HostOp host_range{kTypes, 0b111, infer, compute};

}  // namespace dbk

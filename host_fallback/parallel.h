// Loops over the machine's cores, through the same OpenMP runtime that oneDNN uses. On x86-64 the body is compiled
// twice, for the baseline and for AVX2, and the processor decides at run time; the body has to be visible here for that
// (a lambda is).
#pragma once

#include <algorithm>
#include <cstdint>

namespace dbk {

#if defined(__x86_64__) && defined(__GNUC__) && \
    !defined(DAYBREAK_BASELINE_ONLY)  // sanitizer builds define it
// flatten pulls the whole body into this function, where the wider instructions are allowed.
template <class F>
[[gnu::target("avx2,fma,f16c,bmi,bmi2"), gnu::flatten, gnu::noinline]] void run_range_avx2(F& f, int64_t begin,
                                                                                           int64_t end) {
  f(begin, end);
}
inline bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
}
template <class F>
void run_range(F& f, int64_t begin, int64_t end) {
  if (has_avx2())
    run_range_avx2(f, begin, end);
  else
    f(begin, end);
}
#else
template <class F>
void run_range(F& f, int64_t begin, int64_t end) {
  f(begin, end);
}
#endif

// Calls f(begin, end) on disjoint ranges that cover [0, count). Ranges are at least `grain` long, so small loops stay
// on this thread. f must not throw.
template <class F>
void parallel_ranges(int64_t count, int64_t grain, F&& f) {
  const int64_t parts = std::clamp<int64_t>(count / std::max<int64_t>(grain, 1), 1, 256);
  if (parts == 1) {
    if (count > 0) run_range(f, 0, count);
    return;
  }
  const int64_t part = count / parts, rest = count % parts;  // the first `rest` ranges are one longer
#pragma omp parallel for schedule(static)
  for (int64_t p = 0; p < parts; ++p) {
    const int64_t begin = p * part + std::min(p, rest);
    run_range(f, begin, begin + part + (p < rest ? 1 : 0));
  }
}

// Elements of cheap work that are worth a thread of their own.
inline constexpr int64_t kElementGrain = 16384;

// Grain for a loop whose every step handles `elements` elements.
inline int64_t grain_of(int64_t elements) {
  return std::max<int64_t>(1, kElementGrain / std::max<int64_t>(elements, 1));
}

}  // namespace dbk

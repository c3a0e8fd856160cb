// parallel_ranges in the widest instructions of the machine, for loops of many steps per element: exponentials and their kin. Chains of
// steps wait for each other, so twice the elements in flight are twice the speed even where a processor adds and multiplies no faster
// (Zen 4: exp 2.0 times, Gelu 1.6 times as fast as with AVX2). It is the code twice, so it is for what is worth it.
#pragma once

#include "host_fallback/parallel.h"

namespace dbk {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(DAYBREAK_BASELINE_ONLY)
template <class F>
[[gnu::target("avx2,fma,f16c,bmi,bmi2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512"), gnu::flatten,
  gnu::noinline]] void run_range_avx512(F& f, int64_t begin, int64_t end) {
  f(begin, end);
}
inline bool has_avx512() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}
template <class F>
void parallel_wide_ranges(int64_t count, int64_t grain, F&& f) {
  const bool wide = has_avx512();
  parallel_ranges(count, grain, [&f, wide](int64_t begin, int64_t end) { wide ? run_range_avx512(f, begin, end) : f(begin, end); });
}
#else
template <class F>
void parallel_wide_ranges(int64_t count, int64_t grain, F&& f) {
  parallel_ranges(count, grain, f);
}
#endif

}  // namespace dbk

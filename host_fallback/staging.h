// 16-bit floats are computed in blocks of float on the stack: converting a block and computing on it are loops that
// vectorise, one loop that does both is not. For types that are their own compute type everything here vanishes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "host_fallback/dtype.h"

namespace dbk {

inline constexpr int64_t kStage = 256;
template <class T>
inline constexpr bool is_staged = !std::is_same_v<T, Acc<T>>;

// Elements of a run, widened to the compute type.
template <class T>
void widen(const T* in, int64_t step, Acc<T>* out, int64_t n) {
  if (step == 1)
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Acc<T>>(in[i]);
  else if (step == 0)
    std::fill_n(out, n, static_cast<Acc<T>>(*in));
  else
    for (int64_t i = 0; i < n; ++i) out[i] = static_cast<Acc<T>>(in[i * step]);
}

// Calls f(values, first, count) on blocks that cover in[0, n); `values` are those from in[first] on, in the compute
// type.
template <class T, class F>
void for_blocks(const T* in, int64_t n, F&& f) {
  if constexpr (is_staged<T>) {
    Acc<T> block[kStage];
    for (int64_t first = 0; first < n; first += kStage) {
      const int64_t count = std::min(kStage, n - first);
      widen(in + first, 1, block, count);
      f(static_cast<const Acc<T>*>(block), first, count);
    }
  } else {
    f(in, int64_t{0}, n);
  }
}

// out[i] = g(i) for i in [0, n).
template <class T, class G>
void fill_block(T* out, int64_t n, G g) {
  if constexpr (is_staged<T>) {
    Acc<T> block[kStage];
    for (int64_t first = 0; first < n; first += kStage) {
      const int64_t count = std::min(kStage, n - first);
      for (int64_t i = 0; i < count; ++i) block[i] = g(first + i);
      for (int64_t i = 0; i < count; ++i) out[first + i] = static_cast<T>(block[i]);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = g(i);
  }
}

}  // namespace dbk

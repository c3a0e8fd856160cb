// What ops that only move elements share: code by element size instead of element type, and a parallel copy.
#pragma once

#include <cstring>

#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

struct Element16 {
  uint64_t words[2];
};

// Calls f.template operator()<E>() with a type of the size of `dtype`'s elements, for dtypes in MOVABLE.
template <class F>
void with_element_size(DType dtype, F&& f) {
  switch (bits_of(dtype)) {
    case 8:
      return f.template operator()<uint8_t>();
    case 16:
      return f.template operator()<uint16_t>();
    case 32:
      return f.template operator()<uint32_t>();
    case 64:
      return f.template operator()<uint64_t>();
    case 128:
      return f.template operator()<Element16>();
  }
  fail(DBK_UNIMPLEMENTED, "no host code for {}", to_string(dtype));
}

inline void copy_bytes(const void* from, void* to, int64_t bytes) {
  const char* source = static_cast<const char*>(from);
  char* target = static_cast<char*>(to);
  parallel_ranges(bytes, 8 * kElementGrain, [=](int64_t begin, int64_t end) {
    std::memcpy(target + begin, source + begin, static_cast<size_t>(end - begin));
  });
}

// One run of elements, read at a stride.
template <class E>
void copy_run(const E* from, int64_t step, E* to, int64_t n) {
  if (step == 1)
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(E));
  else if (step == 0)
    std::fill_n(to, n, *from);
  else
    for (int64_t i = 0; i < n; ++i) to[i] = from[i * step];
}

}  // namespace dbk

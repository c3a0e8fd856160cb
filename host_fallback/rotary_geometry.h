// RotaryEmbedding of ONNX and of com.microsoft: what both make of their operands, for the host and for the kernel. Pairs of columns
// (x1, x2) of each head are turned by the angle of their position: (cos x1 - sin x2, sin x1 + cos x2).
#pragma once

#include "host_fallback/operand_types.h"

namespace dbk {

struct Rotary {
  enum class Position : uint8_t { Own, Listed, FromFirst };  // each token has its row of the caches, is told its row, or counts on from one

  size_t cosine = 0, sine = 0, positions = 0;  // inputs, beside input 0
  Position position = Position::Own;
  int64_t batch = 0, heads = 0, tokens = 0, size = 0;
  bool heads_first = false;  // [batch, heads, tokens, size], not [batch, tokens, heads * size]
  int64_t width = 0;         // columns of a head that are turned, the first ones; even
  int64_t cache_rows = 0;
  bool interleaved = false;  // pairs are neighbours, not the halves of `width`

  int64_t outer() const { return heads_first ? heads : tokens; }
  int64_t inner() const { return heads_first ? tokens : heads; }
};

// By the id of the op's row. Throws for operands that do not fit.
Rotary rotary_of(std::string_view id, const Attributes& attrs, const OperandTypes& in);

// One head of one token, by a row of the caches.
template <class T>
void turn_head(const Rotary& r, const T* x, const T* cosine, const T* sine, T* y) {
  using A = Acc<T>;
  const int64_t half = r.width / 2, step = r.interleaved ? 2 : 1, apart = r.interleaved ? 1 : half;
  for (int64_t i = 0; i < half; ++i) {
    const A c = static_cast<A>(cosine[i]), s = static_cast<A>(sine[i]);
    const A x1 = static_cast<A>(x[i * step]), x2 = static_cast<A>(x[i * step + apart]);
    y[i * step] = static_cast<T>(c * x1 - s * x2);
    y[i * step + apart] = static_cast<T>(s * x1 + c * x2);
  }
  std::copy(x + r.width, x + r.size, y + r.width);
}

void infer_rotary(std::string_view id, Infer& infer);
void compute_rotary(std::string_view id, Compute& c);  // throws OUT_OF_RANGE for a position without a row in the caches

}  // namespace dbk

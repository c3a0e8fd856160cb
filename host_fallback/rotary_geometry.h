// RotaryEmbedding of ONNX and of com.microsoft, and RotaryHeads, which passes make of either: what they make of their operands, for the host
// and for the kernel. Pairs of columns (x1, x2) of each head are turned by the angle of their position: (cos x1 - sin x2, sin x1 + cos x2).
#pragma once

#include "host_fallback/operand_types.h"

namespace dbk {

struct Rotary {
  enum class Position : uint8_t { Own, Listed, FromFirst };  // each token has its row of the caches, is told its row, or counts on from one

  size_t x = 0, cosine = 0, sine = 0, positions = 0;  // inputs
  Position position = Position::Own;
  int64_t batch_rows = 0, token_rows = 0;  // Own: rows of the caches from one batch and one token to the next, 0 where all have the same
  int64_t batch = 0, heads = 0, tokens = 0, size = 0;
  bool heads_first = false;  // [batch, heads, tokens, size], not [batch, tokens, heads * size]
  int64_t width = 0;         // columns of a head that are turned, the first ones; even
  int64_t cache_rows = 0;
  bool interleaved = false;  // pairs are neighbours, not the halves of `width`
  bool whole_rows = false;   // rows of the caches have a number for each column, not for each pair

  int64_t row_size() const { return whole_rows ? width : width / 2; }  // of the caches
  int64_t outer() const { return heads_first ? heads : tokens; }
  int64_t inner() const { return heads_first ? tokens : heads; }
};

enum RotaryHeadsInput : size_t { kRotaryQuery, kRotaryKey, kRotaryCosine, kRotarySine, kRotaryPositions };  // of RotaryHeads

// By the id of the op's row; `operand` is the one that is turned, 1 for the second of RotaryHeads. Throws for operands that do not fit.
Rotary rotary_of(std::string_view id, const Attributes& attrs, const OperandTypes& in, size_t operand = 0);

template <bool kNeighbours, bool kWholeRows, class T>
void turn_pairs(int64_t half, const T* x, const T* cosine, const T* sine, T* y) {
  using A = Acc<T>;
  const int64_t apart = kNeighbours ? 1 : half;
  for (int64_t i = 0; i < half; ++i) {
    const int64_t first = kNeighbours ? 2 * i : i, second = first + apart, row_first = kWholeRows ? first : i, row_second = kWholeRows ? second : i;
    const A x1 = static_cast<A>(x[first]), x2 = static_cast<A>(x[second]);
    const A c1 = static_cast<A>(cosine[row_first]), c2 = static_cast<A>(cosine[row_second]);
    const A s1 = static_cast<A>(sine[row_first]), s2 = static_cast<A>(sine[row_second]);
    y[first] = static_cast<T>(c1 * x1 - s1 * x2);
    y[second] = static_cast<T>(s2 * x1 + c2 * x2);
  }
}

// One head of one token, by a row of the caches.
template <class T>
void turn_head(const Rotary& r, const T* x, const T* cosine, const T* sine, T* y) {
  const auto turn = r.interleaved ? (r.whole_rows ? turn_pairs<true, true, T> : turn_pairs<true, false, T>)
                                  : (r.whole_rows ? turn_pairs<false, true, T> : turn_pairs<false, false, T>);
  turn(r.width / 2, x, cosine, sine, y);
  std::copy(x + r.width, x + r.size, y + r.width);
}

void infer_rotary(std::string_view id, Infer& infer, size_t operands = 1);
// Throws OUT_OF_RANGE for a position without a row in the caches.
void compute_rotary(std::string_view id, Compute& c, size_t operands = 1);

}  // namespace dbk

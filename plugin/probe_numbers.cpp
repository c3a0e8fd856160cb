#include "plugin/probe_numbers.h"

#include <algorithm>
#include <cmath>

namespace dbk {

namespace {

// As if drawn.
bool negative(uint64_t i, uint32_t seed) {
  uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u + seed * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 29)) * 0x94D049BB133111EBu;
  x = (x ^ (x >> 32)) * 0xBF58476D1CE4E5B9u;
  return x >> 63;
}

template <class T>
void fill(std::vector<std::byte>& bytes, uint32_t seed, const SizedVectors& vectors) {
  std::vector<T> positive, opposite;
  for (int s = 0; s < vectors.sizes; ++s) {
    const float size = std::ldexp(1.0f, -s);
    positive.push_back(T(size)), opposite.push_back(T(-size));
  }
  auto* at = reinterpret_cast<T*>(bytes.data());
  const uint64_t count = bytes.size() / sizeof(T), step = static_cast<uint64_t>(vectors.step), depth = static_cast<uint64_t>(vectors.depth);
  for (uint64_t i = 0; i < count;) {  // by neighbours of as many vectors
    size_t size = i / (step * depth) * step % positive.size();
    for (const uint64_t end = std::min(i + step, count); i < end; ++i) {
      at[i] = (negative(i, seed) ? opposite : positive)[size];
      if (++size == positive.size()) size = 0;
    }
  }
}

}  // namespace

SizedVectors sized_vectors(const Graph& graph, ValueId value, const Sums& sums) {
  bool is_a = false, is_b = false;
  for (const Node& node : graph.main().nodes) {
    is_a |= !node.inputs.empty() && node.inputs[0] == value;
    is_b |= node.inputs.size() > 1 && node.inputs[1] == value;
  }
  if (sums.terms == 0 || is_a == is_b) return {};
  return is_a ? SizedVectors{sums.a_step, sums.terms, kRowSizes} : SizedVectors{sums.b_step, sums.terms, kColumnSizes};
}

std::vector<std::byte> probe_numbers(const TensorType& type, uint32_t seed, const SizedVectors& vectors) {
  std::vector<std::byte> bytes(static_cast<uint64_t>(type.bytes()));
  if (type.dtype == DBK_F32) fill<float>(bytes, seed, vectors);
  if (type.dtype == DBK_F16) fill<Half>(bytes, seed, vectors);
  if (type.dtype == DBK_BF16) fill<BFloat16>(bytes, seed, vectors);
  if (type.dtype == DBK_BOOL) std::ranges::fill(bytes, std::byte{1});
  return bytes;
}

}  // namespace dbk

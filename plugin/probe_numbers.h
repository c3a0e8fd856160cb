// The numbers that kernels are measured with, made so that a wrong result can be told from a right one.
//
// All are -1 or 1, as if drawn, times a power of two that all operands of a sum have in common: rows of A and columns of B take turns with
// kRowSizes and kColumnSizes of them, from 1 down. So sums are exact in every order, in f16 too: one of k terms goes as far as 8 times
// the square root of k, in units of the products of its powers, less often than once in 2^49, and 2048 units are exact in f16: up to k = 65536.
// No number is zero, so a lost term is missing from every sum. Both counts are odd primes: a row or column that is beside the right one,
// or as far away as tiles are large, has another size, and rows' and columns' sizes are not each other's. A product of two is 2^-10 or
// more, a normal number of f16; no sum is larger than without the sizes.
#pragma once

#include <vector>

#include "plugin/graph/graph.h"
#include "plugin/sums.h"

namespace dbk {

inline constexpr int kRowSizes = 7, kColumnSizes = 5;
inline constexpr int64_t kMostExactTerms = 65536;  // of sums in f16

// Vectors of elements that have their size in common: `depth` elements, each `step` behind the one before.
struct SizedVectors {
  int64_t step = 1, depth = 1;
  int sizes = 1;  // that take turns
};

// Those of a value that nodes of the graph read as A or as B. One that is read as both has one size.
SizedVectors sized_vectors(const Graph& graph, ValueId value, const Sums& sums);

// Bytes of a tensor. Of bool: true, as a mask that hides everything would make equal what is not; of integers: zeros.
std::vector<std::byte> probe_numbers(const TensorType& type, uint32_t seed, const SizedVectors& vectors);

}  // namespace dbk

// Sizes of matrix products that models have. One list for `daybreak tune`, which measures them where no model is named,
// and for the benchmarks: so what tuning tells of the rules that choose kernels holds for the products whose speed is told.
#pragma once

#include <cstdint>

namespace host {

struct ProductSize {  // C[m][n] = A[m][k] B[k][n]
  int64_t m, n, k;
};

// clang-format off
inline constexpr ProductSize product_sizes[] = {
    {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {2048, 2048, 2048},
    // layers of MiniLM over 128 tokens, and over eight times as many; of BERT-base, with its projections as one
    {128, 384, 384}, {128, 1536, 384}, {128, 384, 1536}, {1024, 384, 384},
    {128, 768, 768}, {128, 2304, 768}, {128, 3072, 768}, {128, 768, 3072},
    // layers of Llama 3.2 1B for 64 tokens, and for one; of one with 7 billion weights
    {64, 2048, 2048}, {64, 8192, 2048}, {64, 2048, 8192}, {1, 8192, 2048}, {1, 2048, 8192}, {1, 4096, 4096},
    // steps of decoders: few rows, the most first, as times of 8 rows are kept for 5 to 7, too
    {8, 2048, 2048}, {7, 2048, 2048}, {6, 2048, 2048}, {5, 2048, 2048}, {4, 2048, 2048}, {3, 2048, 2048},
    {2, 2048, 2048}, {1, 2048, 2048}, {1, 768, 768},
    // primes, which fit no tile
    {127, 137, 131}, {509, 523, 521}, {1021, 1019, 61}, {13, 1031, 997}, {1, 1031, 997},
    // long sums of few results
    {64, 64, 4096}, {16, 64, 16384}};
// clang-format on

}  // namespace host

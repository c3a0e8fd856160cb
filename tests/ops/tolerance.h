// How far a result may be from its exact value y:
//
//   n eps |y|   the error of the op's own steps; n is the row's, for the kind of device (kernels/ops.inc)
//   u drift     what roundings of intermediates add where they are many or amplified: sums, softmax, normalisation
//               (drift.h). u is the largest relative error of one rounding: eps / 2 on the CPU, eps on a GPU, because
//               WGSL lets an adapter round to either neighbour
//   rounding    of the result to 16 bits or to a denormal: half a unit in the last place. On GPUs too: the cast suite
//               demands conversions to the nearest
//
// eps belongs to the type that computes, f32 for 16-bit results: sums and functions in f16 do not pass. n = 0 without
// drift is exact. NaN, infinities and overflow must agree. Denormals of f32, and only those, a GPU may read and write as
// zero, as WGSL allows: a result is right if it fits the operands as they are or flushed.
#pragma once

#include <optional>
#include <string>

#include "tests/ops/oracle.h"

namespace ops {

struct Tolerance {
  double epsilons = 0;     // n
  double rounding = 0.5;   // u, in epsilons
  bool flushes = false;    // f32 denormals may be zero
  bool zero_sign = false;  // -0 and 0 differ
  bool bitwise = false;    // not even a NaN may change
};

Tolerance tolerance_of(const dbk::OpRow& row, Kind kind);

// The element with the largest error, as a multiple of what it may be.
struct Worst {
  double share = 0;  // more than 1 is wrong
  int64_t index = 0;
  double expected = 0, actual = 0, allowed = 0;
};
Worst compare(const Expected& expected, const dbk::HostTensor& actual, const Tolerance& tolerance);

// Of element i of a float result.
double allowed_error(const Expected& expected, size_t i, DType dtype, const Tolerance& tolerance);

// Index of the first byte where two results differ, in elements.
std::optional<int64_t> first_difference(const dbk::HostTensor& a, const dbk::HostTensor& b);

}  // namespace ops

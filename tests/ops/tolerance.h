// How far a result may be from its expected value: the row's number of epsilons of the type that computes (f32 for
// 16-bit outputs, which add one of their own for the rounding) times the larger of the value and its scale, and never
// less than the distance between numbers next to zero. Overflow and NaN must agree.
#pragma once

#include <optional>
#include <string>

#include "tests/ops/oracle.h"

namespace ops {

struct Tolerance {
  double epsilons = 0;     // the row's
  bool flushes = false;    // denormals may be read and written as 0: WGSL allows it, and software adapters do it
  bool zero_sign = false;  // -0 and 0 differ
  bool bitwise = false;    // not even a NaN may change
};

struct Mismatch {
  int64_t index = 0;
  double expected = 0, actual = 0, allowed = 0;
};

// The worst element outside the tolerance; none where all are within.
std::optional<Mismatch> compare(const Expected& expected, const dbk::HostTensor& actual, const Tolerance& tolerance);

// Index of the first byte where two results differ, in elements.
std::optional<int64_t> first_difference(const dbk::HostTensor& a, const dbk::HostTensor& b);

}  // namespace ops

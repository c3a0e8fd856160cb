// Numbers of a float type that decide about errors. 16-bit types are computed in f32 and rounded once, when they are
// stored.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "host_fallback/dtype.h"

namespace ops {

struct FloatType {
  double epsilon;           // of the type that computes
  double stored;            // epsilon of the type that stores; 0 where it is the same type
  double normal, denormal;  // the smallest
  double overflow;          // what first rounds to infinity

  // Rounding y when it is stored: half the distance of its neighbours. Where nothing narrower is stored that counts for
  // denormals alone, as the rounding of other numbers is part of computing them, and one intermediate may have been
  // rounded to a denormal before.
  double rounding(double y) const {
    if (stored == 0) return denormal;
    return 0.5 * std::max(y == 0 ? 0 : std::ldexp(stored, std::ilogb(y)), denormal);
  }
};

inline FloatType float_type(dbk::DType dtype) {
  switch (dtype) {
    case DBK_F16:
      return {0x1p-23, 0x1p-10, 0x1p-14, 0x1p-24, 65520.0};
    case DBK_BF16:
      return {0x1p-23, 0x1p-7, 0x1p-126, 0x1p-133, 0x1.FFp127};
    case DBK_F32:
      return {0x1p-23, 0, 0x1p-126, 0x1p-149, 0x1.FFFFFFp127};
    default:
      return {0x1p-52, 0, 0x1p-1022, 0x1p-1074, std::numeric_limits<double>::infinity()};
  }
}

}  // namespace ops

// Interpolation between neighbours, by their distance.
#pragma once

#include <cmath>

namespace dbk {

// Weight of a neighbour at distance d: the hat function, zero from 1 on.
inline double linear_weight(double d) { return std::fmax(0, 1 - std::fabs(d)); }

// Keys' cubic convolution with parameter a, zero from 2 on.
inline double cubic_weight(double d, double a) {
  d = std::fabs(d);
  if (d <= 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
  if (d < 2) return ((d - 5) * d + 8) * d * a - 4 * a;
  return 0;
}

}  // namespace dbk

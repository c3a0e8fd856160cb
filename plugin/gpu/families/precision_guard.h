// The precision guard: whether a weight may be rounded to f16 for matrices of subgroups, judged by what that does to it and to products
// with it. Both are looked at in samples, so that the time does not grow with the weight:
//   range   the largest element, elements that are not finite, those that vanish beside the largest of their column
//   effect  columns times rows that are made up, as the kernels compute them and in double (f16_effect.h)
// What is not finite never passes; the effect, and the share that vanishes, must stay within option precision_threshold. The oscillation
// score, mean |w[i+1] - w[i]| by mean |w| in the order of storage, is told, and decides where option oscillation_gate asks for it.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct PrecisionVerdict {
  bool operands = true;  // may be rounded to f16
  bool sums = true;      // may be f16, too
  bool finite = true;
  bool calm = true;  // within the gate
  double largest = 0, vanishing = 0, error = 0, error_of_sums = 0, oscillation = 0;
  std::string told;  // all that, for people
};

// `data` holds the weight, dense. The same bytes always get the same verdict.
PrecisionVerdict judge(const Rounding& rounding, const std::byte* data, const Controls& controls);

}  // namespace dbk::gpu

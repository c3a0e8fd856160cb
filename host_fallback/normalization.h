// The ops that normalise rows: (x - mean) / sqrt(variance + epsilon) * scale + bias over the axes from `axis` on, or the same around 0
// (root mean square). x may itself be a sum: input + skip + a bias of its own. Mean and variance are formed in double in two passes,
// whatever `stash_type`; that attribute only decides the type of the optional outputs. The mean is subtracted in two parts: its
// rounding to float would be an error of the large numbers that it takes away from the small differences that remain.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

// Positions of an op's operands and results; kAbsent where it has none. Input 0 is x, output 0 the normalised result.
struct Normalization {
  static constexpr size_t kAbsent = 64;
  bool centred;                          // around the mean, else around 0
  size_t scale, bias;                    // of the result
  size_t skip = kAbsent, shift = kAbsent;  // added to x before: of x's shape or its last axes; of the last axis
  size_t mean = kAbsent, inverse = kAbsent, sum = kAbsent;
  bool scale_decides = false;            // the type of the result, which may be another than x's
};

// By the id of the op's row.
Normalization normalization_of(std::string_view id);

void infer_normalization(const Normalization& op, Infer& infer);
void compute_normalization(const Normalization& op, Compute& c);

// The first axis that is normalised.
uint32_t normalized_axis(const Attributes& attrs, const Shape& x);

}  // namespace dbk

// Whether a kernel that is measured computes what the reference does, on probe_numbers.
#pragma once

#include <string>
#include <vector>

#include "plugin/sums.h"

namespace dbk {

// A result of a probe.
struct Numbers {
  DType dtype;
  std::vector<float> list;
};

Numbers numbers_of(std::span<const std::byte> bytes, DType dtype);

// Empty, or why nothing can be verified by results like these: most are not finite, or all are zero.
std::string refuse_reference(const std::vector<Numbers>& results);

// Sums that are exact in every order must be equal, and longer ones within a unit in the last place of each. What is computed of a sum may
// round otherwise from kernel to kernel: by some units of the result and of what it may have cancelled, a sum, and less than a term that is lost.
// What is no sum of a product: some units of the largest result.
bool agree(const std::vector<Numbers>& expected, const std::vector<Numbers>& got, const Sums& sums);

}  // namespace dbk

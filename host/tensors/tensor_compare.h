// Is a computed tensor the expected one? Floats within a tolerance of their type, everything else exactly.
#pragma once

#include <string>

#include "tensor.h"

namespace host {

// Empty where they agree; else what differs, with the worst element: "element 3 is 1.5, expected 1 (allowed 0.00101)".
// |got - expected| <= atol + rtol * |expected|; NaN equals NaN, infinities equal themselves.
std::string difference(const Tensor& got, const Tensor& expected);

}  // namespace host

// Attributes of element-wise functors: kernels see at most two, as p.alpha and p.beta.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct FunctorAttributes {
  float alpha, beta;  // 0 where the op has none
};
FunctorAttributes functor_attributes(const OpRow& op, const Attributes& attrs);

}  // namespace dbk::gpu

// Ops that give their input another shape: the computation is a copy, and devices need not even that.
#pragma once

#include "host_fallback/op.h"
#include "host_fallback/movement.h"

namespace dbk {

inline void compute_view(Compute& c) { copy_bytes(c.in(0).data, c.out(0).data, c.out(0).type.bytes()); }

}  // namespace dbk

// The host's Resize, which Upsample is a name of.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

void infer_resize(Infer& infer);
void compute_resize(Compute& c);
int64_t resize_work_bytes(const Compute& c);

}  // namespace dbk

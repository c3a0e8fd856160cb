// Upsample: Resize as it was before version 11, with the coordinates of its first definition: asymmetric, nearest by floor.
#include "host_fallback/resize.h"
#include "host_fallback/resize_sampling.h"

namespace dbk {

extern constinit const HostOp host_upsample{MOVABLE, kResizeInputs, infer_resize, compute_resize, 0, nullptr, 0, resize_work_bytes};

}  // namespace dbk

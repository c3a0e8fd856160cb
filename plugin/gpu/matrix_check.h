// Which of an adapter's matrices of subgroups can be used: those that give the product of matrix_proof.h.
#pragma once

#include "plugin/gpu/pipeline_cache.h"

namespace dbk::gpu {

// [worker] Those that fail are told in the log; those that no kernel uses stay. `scout` is nobody else's: a driver that fails badly takes it
// along.
std::vector<MatrixConfig> proven_matrices(const DawnDevice& scout, const Log& log);

}  // namespace dbk::gpu

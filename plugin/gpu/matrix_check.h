// Which of an adapter's matrices of subgroups can be used: those that give the product of matrix_proof.h.
#pragma once

#include <functional>

#include "plugin/gpu/pipeline_cache.h"

namespace dbk::gpu {

// That are known to be right, and to be wrong. Of all others nothing is known.
struct MatrixVerdicts {
  std::vector<MatrixConfig> right, wrong;
};

// A device that is nobody else's: a driver that fails badly takes it along.
using MakeScout = std::function<std::shared_ptr<DawnDevice>()>;

// [worker] Verdicts on matrices that kernels use and `known` has none on; also `known`. There is none where the trial ends without one: no device is
// to be had, or no memory. A kind with which a device was lost is tried once more, on another, as that may have been somebody else's doing. What is
// wrong, or could not be tried, is told in the log.
MatrixVerdicts try_matrices(const AdapterTraits& traits, const MatrixVerdicts& known, const MakeScout& make_scout, const Log& log);

// Of `claimed` those that are not known to be wrong; those that are known to be right, or that no kernel uses.
std::vector<MatrixConfig> not_wrong(std::vector<MatrixConfig> claimed, const MatrixVerdicts& verdicts);
std::vector<MatrixConfig> proven(std::vector<MatrixConfig> claimed, const MatrixVerdicts& verdicts);

}  // namespace dbk::gpu

// Verdicts of the precision guard on the weights of an executable: what its choice of kernels, the stored weights and its runs agree on.
#pragma once

#include <map>

#include "plugin/device.h"
#include "plugin/gpu/families/precision_guard.h"

namespace dbk::gpu {

// The weights that a plan's nodes on the device would round, each once.
std::vector<ValueId> weights_to_judge(const Graph& graph, const Plan& plan, const Capabilities& caps);

class WeightVerdicts {
 public:
  WeightVerdicts() = default;  // of nothing
  // Of the device nodes of a plan whose weights have bytes. What `before` knows of the same bytes stays.
  WeightVerdicts(const Graph& graph, const Plan& plan, const Capabilities& caps, const dbk::Weights& weights, const WeightVerdicts& before,
                 Stats& stats);

  const PrecisionVerdict* of(uint32_t node) const;  // index into the nodes of the main block; null where nobody judged it
  bool operator==(const WeightVerdicts&) const = default;

 private:
  struct Judged {
    ValueId value;
    uint64_t revision;
    Rounding rounding;
    PrecisionVerdict verdict;
  };
  using Shared = std::shared_ptr<const Judged>;
  Shared find(ValueId value, uint64_t revision, const Rounding& rounding) const;

  std::map<uint32_t, Shared> judged_;  // by node; those of one weight share
};

}  // namespace dbk::gpu

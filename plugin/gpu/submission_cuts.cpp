#include "plugin/gpu/submission_cuts.h"

#include "plugin/cost_model.h"

namespace dbk::gpu {

namespace {

// Half a second of a slow device. Where devices are fast the submission is worth a hundredth of it.
constexpr double kMostFlops = 5e10, kMostBytes = 1e10;

}  // namespace

std::vector<uint32_t> submission_cuts(const Graph& graph, const Plan& plan) {
  std::vector<uint32_t> cuts;
  for (const Segment& segment : plan.segments) {
    double flops = 0, bytes = 0;
    for (uint32_t step = segment.first; !segment.on_host && step < segment.first + segment.count; ++step) {
      const Work work = work_of(graph.main().nodes[plan.order[step]], plan.types, graph.precision);
      flops += work.flops, bytes += work.bytes;
      if (step == segment.first || (flops <= kMostFlops && bytes <= kMostBytes)) continue;
      cuts.push_back(step);
      flops = work.flops, bytes = work.bytes;
    }
  }
  return cuts;
}

}  // namespace dbk::gpu

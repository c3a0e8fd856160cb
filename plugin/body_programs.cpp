#include "plugin/body_programs.h"

#include "plugin/graph/control.h"

namespace dbk {

void BodyPrograms::each(const Plan& plan, const std::function<void(Entry&, const Plan&)>& f) {
  for (const auto& [node, plans] : plan.bodies) {
    const std::vector<uint32_t> blocks = bodies_of(graph_->main().nodes[node]);
    for (size_t b = 0; b < plans.size(); ++b) {
      if (!plans[b]) continue;
      Entry& entry = programs_[blocks[b]];
      if (!entry.program) entry.program = device_.create_program(graph_->bodies[blocks[b]], stats_);
      f(entry, *plans[b]);
    }
  }
}

void BodyPrograms::prepare(const Plan& plan, const Weights& weights, const Progress& progress) {
  for (auto& [block, entry] : programs_) entry.prepared = false;  // weights may have changed: those not in this plan come later
  each(plan, [&](Entry& entry, const Plan& body) {
    entry.program->prepare(body, weights, progress);
    entry.prepared = true;
  });
}

void BodyPrograms::complete(const Plan& plan, const Weights& weights) {
  each(plan, [&](Entry& entry, const Plan& body) {
    if (entry.prepared) return entry.program->complete(body);
    entry.program->prepare(body, weights, [](uint32_t, uint64_t, uint64_t) {});
    entry.prepared = true;
  });
}

void BodyPrograms::add_weight_use(const Plan& plan, const Weights& weights, WeightUse& use) {
  each(plan, [&](Entry& entry, const Plan& body) {
    const WeightUse inner = entry.program->weight_use(body, weights);
    use.allocated += inner.allocated;
    use.borrowed += inner.borrowed;
    use.in_place.insert(inner.in_place.begin(), inner.in_place.end());
  });
}

void BodyPrograms::return_borrowed() {
  for (auto& [block, entry] : programs_) entry.program->return_borrowed();
}

}  // namespace dbk

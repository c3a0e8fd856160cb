#include "plugin/body_programs.h"

#include "plugin/graph/control.h"

namespace dbk {

BodyPrograms::BodyPrograms(Device& device, std::shared_ptr<const Graph> graph, Stats& stats) : graph_(std::move(graph)) {
  for (const Node& node : graph_->main().nodes)
    for (uint32_t block : bodies_of(node)) programs_[block].program = device.create_program(graph_->bodies[block], stats);
}

template <class Self, class F>
void BodyPrograms::each(Self& self, const Plan& plan, F f) {
  for (const auto& [node, plans] : plan.bodies) {
    const std::vector<uint32_t> blocks = bodies_of(self.graph_->main().nodes[node]);
    for (size_t b = 0; b < plans.size(); ++b)
      if (plans[b]) f(self.programs_.at(blocks[b]), *plans[b]);
  }
}

void BodyPrograms::prove(const Plan& plan) {
  each(*this, plan, [&](Entry& entry, const Plan& body) { entry.program->prove(body); });
}

void BodyPrograms::judge(const Plan& plan, const Weights& weights) {
  each(*this, plan, [&](Entry& entry, const Plan& body) { entry.program->judge(body, weights); });
}

void BodyPrograms::prepare(const Plan& plan, const Weights& weights, const Progress& progress) {
  for (auto& [block, entry] : programs_) entry.prepared = false;  // weights may have changed: those not in this plan come later
  each(*this, plan, [&](Entry& entry, const Plan& body) {
    entry.program->prepare(body, weights, progress);
    entry.prepared = true;
  });
}

void BodyPrograms::complete(const Plan& plan, const Weights& weights) {
  each(*this, plan, [&](Entry& entry, const Plan& body) {
    if (entry.prepared) return entry.program->complete(body);
    entry.program->prove(body);
    entry.program->judge(body, weights);
    entry.program->prepare(body, weights, [](uint32_t, uint64_t, uint64_t) {});
    entry.prepared = true;
  });
}

void BodyPrograms::add_weight_use(const Plan& plan, const Weights& weights, WeightUse& use) const {
  each(*this, plan, [&](const Entry& entry, const Plan& body) {
    const WeightUse inner = entry.program->weight_use(body, weights);
    use.allocated += inner.allocated;
    use.packed += inner.packed;
    use.borrowed += inner.borrowed;
    use.in_place.insert(inner.in_place.begin(), inner.in_place.end());
  });
}

uint64_t BodyPrograms::scratch_bytes(const Plan& plan) const {
  uint64_t bytes = 0;
  each(*this, plan, [&](const Entry& entry, const Plan& body) { bytes += entry.program->scratch_bytes(body); });
  return bytes;
}

void BodyPrograms::add_trials(const Plan& plan, Tried wanted, std::vector<Trial>& trials) const {
  each(*this, plan, [&](const Entry& entry, const Plan& body) {
    for (Trial& trial : entry.program->trials(body, body.types, wanted)) trials.push_back(std::move(trial));
  });
}

void BodyPrograms::use_measured() {
  for (auto& [block, entry] : programs_) entry.program->use_measured();
}

void BodyPrograms::return_borrowed() {
  for (auto& [block, entry] : programs_) entry.program->return_borrowed();
}

}  // namespace dbk

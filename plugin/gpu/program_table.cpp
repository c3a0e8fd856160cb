#include "plugin/gpu/program_table.h"

#include <algorithm>

namespace dbk::gpu {

namespace {

bool same(const Program& a, const Program& b) { return a.label == b.label && a.reads == b.reads && a.writes == b.writes && a.source == b.source; }

}  // namespace

const ProgramTable::Known* ProgramTable::find(const Program& program) const {
  const auto found = known_.find(program.label);
  if (found == known_.end()) return nullptr;
  for (const Known& known : found->second)
    if (known.reads == program.reads && known.writes == program.writes && known.source == program.source) return &known;
  return nullptr;
}

std::vector<std::shared_ptr<const Pipeline>> ProgramTable::get(std::span<const Program> programs, Stats& stats) {
  std::vector<Program> missing;
  for (const Program& p : programs)
    if (!find(p) && std::ranges::none_of(missing, [&](const Program& other) { return same(p, other); })) missing.push_back(p);
  stats.add(&Stats::pipeline_cache_hits, programs.size() - missing.size());
  if (!missing.empty()) {
    const auto made = pipelines_.get(missing, stats);
    for (size_t i = 0; i < missing.size(); ++i) known_[missing[i].label].push_back({missing[i].source, missing[i].reads, missing[i].writes, made[i]});
  }
  std::vector<std::shared_ptr<const Pipeline>> out;
  for (const Program& p : programs) out.push_back(find(p)->pipeline);
  return out;
}

}  // namespace dbk::gpu

// The pipelines of an executable by what their texts are written from: a bind finds them without writing a text again. Sources may name
// parts of the graph by their addresses, so a table lives no longer than its graph.
#pragma once

#include "plugin/gpu/pipeline_cache.h"

namespace dbk::gpu {

class ProgramTable {  // [worker]
 public:
  explicit ProgramTable(PipelineCache& pipelines) : pipelines_(pipelines) {}

  // The pipelines of `programs`, in order; builds those that the device does not have.
  std::vector<std::shared_ptr<const Pipeline>> get(std::span<const Program> programs, Stats& stats);

 private:
  struct Known {
    ProgramSource source;
    uint32_t reads, writes;
    std::shared_ptr<const Pipeline> pipeline;
  };
  const Known* find(const Program& program) const;

  PipelineCache& pipelines_;
  std::unordered_map<std::string, std::vector<Known>> known_;  // by label, which tells most programs apart
};

}  // namespace dbk::gpu

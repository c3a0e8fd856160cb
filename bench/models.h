// Whole models, as files that the project fetches (host/models) and the command's importer reads.
#pragma once

#include <map>

#include "jobs.h"

namespace bench {

struct ModelCase {
  const char* name;                        // "minilm_128"
  const char* id;                          // of host/models/models.toml
  std::map<std::string, int64_t> extents;  // of its dynamic dimensions
};

// Throws Skipped where the model is not in the user's cache, and says how it gets there.
std::unique_ptr<Job> model_job(const daybreak::Context& context, uint32_t device, const ModelCase& model);

}  // namespace bench

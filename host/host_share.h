// How much of a model a GPU leaves to the host: nodes, and time of runs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "daybreak.hpp"
#include "model_options.h"

namespace host {

struct HostShare {
  struct Times {
    double host_seconds = 0, seconds = 0;  // of a run, on average
  };
  uint64_t host_nodes = 0, nodes = 0;  // that do something in a run; bodies' nodes included
  std::optional<Times> times;          // where they were measured

  std::string text() const;  // "3 of 40 nodes (7.5 %), 1.20 ms of 10.00 ms a run (12.0 %)"
  nlohmann::json json() const;
};

HostShare host_share(const nlohmann::json& placement);

// Runs the model as `bench` does: once, and a few times more, which count. Nodes are where these runs had them: before, branches and
// shapes may be open.
HostShare measured_host_share(const daybreak::Context& ctx, const ModelOptions& options);

}  // namespace host

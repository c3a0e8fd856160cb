// How much of a model a GPU leaves to the host: nodes, and time of runs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "daybreak.hpp"
#include "session.h"

namespace host {

struct HostShare {
  struct Times {
    double host_seconds = 0, seconds = 0;  // of a run, on average
  };
  uint64_t host_nodes = 0, nodes = 0;  // that do something in a run; bodies' nodes included
  uint64_t open_nodes = 0;             // of the latter, those that may be the host's, as bind will tell
  std::optional<Times> times;          // where they were measured

  bool any() const { return host_nodes + open_nodes > 0; }
  std::string text() const;  // "3 of 40 nodes with work (7.5 %), 1.20 ms of 10.00 ms a run (12.0 %)"
  nlohmann::json json() const;
};

HostShare host_share(const nlohmann::json& placement);

// Runs a session as `bench` does, once, and a few times more, which count.
HostShare::Times measured_times(Session& session);

}  // namespace host

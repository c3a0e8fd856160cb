// A model as a job of `daybreak run`.
#pragma once

#include <string>

#include "daybreak.hpp"
#include "model_options.h"

namespace host {

// Runs once and `repeat` times more, prints outputs and times, and writes outputs to `directory` unless that is empty.
void run_model(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat,
               const std::string& directory);

}  // namespace host

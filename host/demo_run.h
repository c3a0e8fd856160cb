// The demo as a job of `daybreak run`.
#pragma once

#include "daybreak.hpp"
#include "model_options.h"

namespace host {

// Prints the outcome; throws daybreak::Error (DATA_LOSS) where the result is wrong.
void run_demo(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat);

}  // namespace host

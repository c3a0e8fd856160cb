// The demo as a job of `daybreak run`: embeddings of the sentences on standard input, or of a few built-in ones, whose
// similarities are known.
#pragma once

#include "daybreak.hpp"
#include "model_options.h"

namespace host {

// Fetches the model on first use. Prints the outcome; throws daybreak::Error (DATA_LOSS) where the result is wrong.
void run_demo(const daybreak::Context& ctx, const ModelOptions& options, uint32_t repeat);

}  // namespace host

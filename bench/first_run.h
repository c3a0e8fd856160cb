// All cost belongs before the first run: how the first run of an executable compares with those that follow, in this
// process and as the first of a process of its own, where threads, drivers and pages of code are new as well.
#pragma once

#include "measured.h"

namespace bench {

// first_run/NETWORK/DEVICE and first_run_of_process/NETWORK/DEVICE.
void register_first_runs(Subject& subject);

// Where the arguments say that this is such a process: measures, prints and returns true.
bool measured_first_run(int argc, char** argv);

}  // namespace bench

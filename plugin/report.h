// Reports: versioned JSON about devices, options, ops, placement, plans and counters.
#pragma once

#include <string>

#include "plugin/run.h"

namespace dbk {

// Unknown kinds throw NOT_FOUND and list the known ones.
std::string context_report(Context& context, const std::string& kind);
std::string exec_report(Executable& exec, const std::string& kind);
std::string run_report(Run& run, const std::string& kind);

// Verdict per node of a graph on a device; the graph may hold ops this build does not have.
std::string check_report(Context& context, uint32_t device, const dbk_graph& tables, const Options& options, const Progress& progress);

}  // namespace dbk

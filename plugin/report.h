// Reports: versioned JSON about devices, options, ops, placement, plans and counters.
#pragma once

#include <string>

#include "plugin/run.h"

namespace dbk {

// What a host calls a report, which may have a revision of its schema: the kind that the functions below take.
std::string report_kind(std::string given);

// Unknown kinds throw NOT_FOUND and list the known ones.
std::string context_report(Context& context, const std::string& kind, const Progress& progress);
std::string exec_report(Executable& exec, const std::string& kind);
std::string run_report(Run& run, const std::string& kind);

}  // namespace dbk

// Report of `check`: a verdict per node of a graph on a device; the graph may hold ops this build does not have.
#pragma once

#include <string>

#include "plugin/context.h"

namespace dbk {

std::string check_report(Context& context, uint32_t device, const dbk_graph& tables, const Options& options, const Progress& progress);

}  // namespace dbk

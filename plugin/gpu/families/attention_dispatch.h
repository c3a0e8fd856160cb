// The programs that compute attention over a geometry, and the dispatch of one of them: what families of attention share.
#pragma once

#include "plugin/gpu/families/attention_text.h"

namespace dbk::gpu {

// Strides decide between vectors and elements, and those can change from run to run; sizes of heads cannot.
uint32_t attention_program_count(const AttentionGeometry& g);
void attention_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out);

// `args` in the order of the program's bindings. The number of its program counts from the first of attention_programs.
Dispatch attention_dispatch(const AttentionGeometry& g, std::vector<Argument> args, const Capabilities& caps);

}  // namespace dbk::gpu

// Attention on graphics hardware by tiles in workgroup memory (attention_tile_text.h): which nodes take that way, their programs and
// dispatch.
#pragma once

#include "plugin/gpu/families/attention_dispatch.h"

namespace dbk::gpu {

// Programs for such a node: none where the way is never taken.
uint32_t attention_tile_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps);
void attention_tile_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out);

bool worth_tiles(const AttentionGeometry& g);  // with these extents
// Empty, or why not; what is taken, for people.
std::string refuse_tiles(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps);
std::string attention_tile_size(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps);

void push_attention_tiles(const AttentionGeometry& g, const AttentionForm& form, const AttentionArguments& args, uint32_t first_program,
                          const Capabilities& caps, std::vector<Dispatch>& out);

}  // namespace dbk::gpu

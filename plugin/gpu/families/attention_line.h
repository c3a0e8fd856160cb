// Attention on CPU adapters without bounds checks (attention_line_text.h): which nodes take that way, their programs and dispatches.
#pragma once

#include "plugin/gpu/families/attention_dispatch.h"

namespace dbk::gpu {

// Programs for such a node: none where the way is never taken.
uint32_t attention_line_count(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps);
void attention_line_programs(const AttentionGeometry& g, const AttentionForm& form, const Capabilities& caps, std::vector<Program>& out);

// Whether these extents, or smaller ones, are ever worth it.
bool enough_scores_for_lines(const AttentionGeometry& g);

// The keys that it takes: those that any query sees.
int64_t line_keys(const AttentionGeometry& g);

// Empty, or why not with these extents; `fixed_keys` is AttentionForm::line_keys.
std::string refuse_lines(const AttentionGeometry& g, int64_t fixed_keys, const Capabilities& caps);
std::string line_tile(const AttentionForm& form);  // for reports

void push_attention_lines(const AttentionGeometry& g, const AttentionForm& form, const AttentionArguments& args, uint32_t first_program,
                          const Capabilities& caps, std::vector<Dispatch>& out);

}  // namespace dbk::gpu

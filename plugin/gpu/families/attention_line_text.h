// Generator of the attention programs for CPU adapters without bounds checks: straight-line code over uniform vec4 loads, as line_text.h
// has it for products, each subgroup with the queries of a tile in its lanes. Four programs share the work of a tile:
// `turn` stores its queries by columns; `scores` takes a chunk of keys: weights relative to the chunk's own largest score, that score and
// the weights' sum; `levels` makes of what the chunks of a row found the factor of each; `values` adds up weights by values.
#pragma once

#include "plugin/gpu/families/attention_text.h"

namespace dbk::gpu {

inline constexpr uint32_t kAttentionLineRows = 16;   // queries of a tile: two vectors
inline constexpr uint32_t kAttentionLineTeams = 4;   // subgroups in a workgroup of `scores`, a chunk each
// Keys that a `values` program takes, largest first; any number of keys is a sum of these, of whole chunks or within one.
inline constexpr uint32_t kAttentionLineDepths[] = {64, 16, 4, 1};

struct AttentionLine {
  uint32_t q_size, v_size;  // of heads, multiples of 4
  bool shared_masks;        // masks are the same for all queries of a head, so that they are read once

  uint32_t chunk() const { return q_size <= 64 ? 16 : 8; }  // keys that a subgroup of `scores` takes: its text grows with both
  uint32_t value_teams() const;  // subgroups in a workgroup of `values`, four columns each
};

// Whether the programs take such heads in such a form at all.
bool attention_line_possible(int64_t q_size, int64_t v_size, const AttentionForm& form, const Capabilities& caps);

// Bindings: q; turned.
std::string attention_turn_text(const AttentionLine& line);
// Bindings: turned, k, masks; weights, found.
std::string attention_scores_text(const AttentionLine& line, const AttentionForm& form);
std::string attention_scores_label(const AttentionLine& line, const AttentionForm& form);
// Bindings: found.
std::string attention_levels_text(const AttentionLine& line);
// Bindings: weights, found, v; sums, y.
std::string attention_values_text(const AttentionLine& line, uint32_t depth);

}  // namespace dbk::gpu

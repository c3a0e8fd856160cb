// Generator of the attention programs for CPU adapters without bounds checks: straight-line code over uniform vec4 loads, as line_text.h
// has it for products, each subgroup with queries of a tile in its lanes. Six programs share the work:
// `gather` brings the values of a head together, whose rows lie a row of all heads apart; `turn` stores the queries of a tile by columns;
// `scores` takes a chunk of keys: weights relative to the chunk's own largest score, that score and the weights' sum; `levels` makes of
// what the chunks of a stretch found the factor of each, `rows` the same of stretches; `values` adds up weights by values.
#pragma once

#include "plugin/gpu/families/attention_text.h"

namespace dbk::gpu {

inline constexpr uint32_t kAttentionLineRows = 16;   // queries of a tile: two vectors
inline constexpr uint32_t kAttentionLineChunk = 8;   // keys of a subgroup of `scores`: sums of all of them stay in registers
inline constexpr uint32_t kAttentionLineTeams = 4;   // chunks in a workgroup of `scores`
inline constexpr uint32_t kAttentionLineDepth = 192;  // keys of a `values` program at most, whose text grows with them: whole chunks
inline constexpr uint32_t kAttentionLineGathered = 16;  // keys that a subgroup of `gather` takes

struct AttentionLine {
  uint32_t q_size, v_size;  // of heads, multiples of 4
  bool shared_masks;        // masks are the same for all queries of a head, so that they are read once

  bool operator==(const AttentionLine&) const = default;
  uint32_t value_quads() const { return v_size % 8 == 0 ? 2 : 1; }  // four columns each, that a subgroup of `values` sums
  // In a workgroup: subgroups of `gather`, four columns each; pairs of subgroups of `values`, half of the queries each.
  uint32_t gather_teams() const;
  uint32_t value_teams() const;
};

// Whether the programs take such heads in such a form at all.
bool attention_line_possible(int64_t q_size, int64_t v_size, const AttentionForm& form, const Capabilities& caps);

// Bindings: v; values.
std::string attention_gather_text(const AttentionLine& line);
// Bindings: q; turned.
std::string attention_turn_text(const AttentionLine& line);
// Bindings: turned, k, masks; weights, found.
std::string attention_scores_text(const AttentionLine& line, const AttentionForm& form);
std::string attention_scores_label(const AttentionLine& line, const AttentionForm& form);
// Bindings: found, rows.
std::string attention_levels_text(uint32_t stretch_chunks);
// Bindings: rows.
std::string attention_rows_text();
// Bindings: weights, found, rows, values; sums, y.
std::string attention_values_text(const AttentionLine& line, uint32_t depth);

}  // namespace dbk::gpu

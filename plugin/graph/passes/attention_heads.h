// The heads of attention's operands as exporters cut them out, and the factors around them.
#pragma once

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// Heads of an operand, with what brings them into place.
struct Heads {
  ValueId value = DBK_NONE;  // [batch, positions, columns], or [batch, heads, positions, size]
  int64_t count = 0, size = 0;
  double scale = 1;
  std::vector<const Node*> nodes;
};

// Takes factors off a value: v = scale * result. They add no axes; nodes come in front of those listed.
ValueId without_scale(const Rewriter& r, ValueId v, double& scale, std::vector<const Node*>& nodes);

// Heads of [batch, heads, positions, size], `swapped`: of its last two axes; false where they are none. Of heads that are repeated, those
// that are: queries may have more of them.
bool read_heads(const Rewriter& r, ValueId v, bool swapped, Heads& heads);

}  // namespace dbk

// The two parts in which rotary embedding cuts the last axis of what it turns: halves, or every second element.
#pragma once

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

// A part of the last axis of x: elements first, first + step ... before end.
struct Part {
  ValueId x = DBK_NONE;
  int64_t first = 0, end = 0, step = 1;
  const Node* node = nullptr;
};

// `v` as a part that Slice or Split makes, or that Gather, or Split and Squeeze, take out of pairs in an axis of their own; of x the last extent is even and the same in every run.
std::optional<Part> read_part(const Rewriter& r, ValueId v);
// Whether they are the first and the second of one x.
bool is_pair(const Rewriter& r, const Part& first, const Part& second, bool interleaved);

bool is_last_axis(const Rewriter& r, int64_t axis, ValueId v);
// What a last axis is added to by Unsqueeze, which is put behind `nodes`; DBK_NONE where it is another node.
ValueId without_last_axis(const Rewriter& r, ValueId v, std::vector<const Node*>& nodes);

}  // namespace dbk

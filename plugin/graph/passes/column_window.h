// Columns of a value that Split or Slice takes out of it.
#pragma once

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

struct ColumnWindow {
  ValueId whole, part;
  int64_t first, width;
  const Node* node;  // that takes them
};

// The extent of the last axis, where it is the same in every run.
std::optional<int64_t> columns_of(const Rewriter& r, ValueId v);

// The columns that `part` is; nothing where it is something else, or not the same in every run.
std::optional<ColumnWindow> read_window(const Rewriter& r, ValueId part);

}  // namespace dbk

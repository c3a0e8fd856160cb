// Which extents a symbol may have.
#pragma once

#include <algorithm>
#include <optional>

#include "plugin/graph/graph.h"

namespace dbk {

// The least that is allowed and not below `from`, where there is one.
inline std::optional<int64_t> least_extent(const Symbol& symbol, int64_t from) {
  const int64_t start = std::max(symbol.min, from), over = start % symbol.multiple_of;
  const int64_t missing = over ? symbol.multiple_of - over : 0;
  if (start > INT64_MAX - missing || (symbol.bounded() && start + missing > symbol.max)) return std::nullopt;
  return start + missing;
}

}  // namespace dbk

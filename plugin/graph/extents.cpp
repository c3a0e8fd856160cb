#include "plugin/graph/extents.h"

#include <algorithm>

#include "plugin/graph/extent_rules.h"

namespace dbk {

Extents::Extents(const Graph& graph, const Types& types, std::span<const KnownDims> inputs)
    : table_(graph.symbols), ranked_(graph.values.size()), dims_(graph.values.size()), elements_(graph.values.size()) {
  ExtentRules(graph, types, *this).run(inputs);
}

bool Extents::fixed(ValueId v) const {
  return ranked_[v] && std::ranges::all_of(dims_[v], [&](Extent e) { return table_.value_of(e).has_value(); });
}

Extents::KnownDims Extents::known(ValueId v) const {
  if (!ranked_[v]) return std::nullopt;
  std::vector<int64_t> dims;
  for (Extent e : dims_[v]) dims.push_back(table_.value_of(e).value_or(DBK_DIM_UNKNOWN));
  return dims;
}

bool Extents::broadcasts_to(ValueId value, ValueId to) const {
  const std::vector<Extent>&from = dims_[value], &target = dims_[to];
  if (!ranked_[value] || !ranked_[to] || from.size() > target.size()) return false;
  const size_t skip = target.size() - from.size();
  for (size_t i = 0; i < from.size(); ++i)
    if (table_.broadcast(from[i], target[skip + i]) != target[skip + i]) return false;
  return true;
}

}  // namespace dbk

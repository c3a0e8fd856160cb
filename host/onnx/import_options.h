// What a caller may decide about the import of a model.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "daybreak_dims.hpp"

namespace host {

struct DimRange {
  int64_t min = 0, max = -1;  // max < 0: no upper bound
  bool fixed() const { return min == max; }
};

struct ImportOptions {
  // Can the plugin run this op (of domain "" or another)? An op that it lacks and that ONNX defines by other ops is
  // imported as those. Empty: every op is imported as it is.
  std::function<bool(const std::string& domain, const std::string& op)> knows;
  // By the name of the dimension. A fixed one becomes a number of the graph, a range a symbol with bounds.
  std::map<std::string, DimRange> dims;
  // Whether the model may lack some of them: they are told in ImportedModel::unknown_dims. Otherwise they are refused.
  bool dims_of_others = false;
  // Inputs that have a default (an initialiser of the same name) and are inputs of the graph nevertheless; other such
  // inputs are constants or parameters.
  std::set<std::string> overridden;
  // Shapes that inputs are known to get. Where one name stands for two extents in them, exporters have reused the name:
  // its dimensions are then independent of each other.
  std::map<std::string, daybreak::Dims> shapes;
};

}  // namespace host

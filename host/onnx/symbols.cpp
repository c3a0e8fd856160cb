// Symbols of dynamic dimensions; see symbols.h.
#include "symbols.h"

#include <algorithm>
#include <array>
#include <format>

#include "printable.h"

namespace host {
namespace {

constexpr std::size_t most_symbols = 10000;

using Dimension = onnx::TensorShapeProto::Dimension;

// What exporters write where they have no name. A negative number is no extent either.
bool says_nothing(const std::string& name) {
  constexpr std::array words{"", "?", "*", "None", "none", "null", "unk", "unknown", "dynamic"};
  if (std::ranges::find(words, name) != words.end()) return true;
  return name.front() == '-' && name.find_first_not_of("0123456789", 1) == std::string::npos;
}

// Names that the known shapes give two extents, and the inputs that have them.
std::map<std::string, std::string> names_of_several(const onnx::GraphProto& main,
                                       const std::map<std::string, daybreak::Dims>& shapes) {
  struct First {
    int64_t extent;
    std::string input;
  };
  std::map<std::string, First> extents;
  std::map<std::string, std::string> result;
  for (const onnx::ValueInfoProto& input : main.input()) {
    const auto known = shapes.find(input.name());
    const auto& declared = input.type().tensor_type().shape();
    if (known == shapes.end() || std::cmp_not_equal(declared.dim_size(), known->second.size())) continue;
    for (int axis = 0; axis < declared.dim_size(); ++axis) {
      if (!declared.dim(axis).has_dim_param()) continue;
      const int64_t extent = known->second[static_cast<std::size_t>(axis)];
      const auto [first, added] = extents.emplace(declared.dim(axis).dim_param(), First{extent, input.name()});
      if (!added && first->second.extent != extent)
        result.emplace(first->first, std::format("{} in {}, {} in {}", first->second.extent, in_quotes(first->second.input), extent,
                                                 in_quotes(input.name())));
    }
  }
  return result;
}

}  // namespace

Symbols::Symbols(daybreak::GraphBuilder& graph, const onnx::GraphProto& main, const ImportOptions& options)
    : graph_(graph), options_(options), reused_(names_of_several(main, options.shapes)) {}

daybreak::Dim Symbols::dim(const Dimension& dim, const std::string& input, std::size_t axis) {
  if (dim.has_dim_value() && dim.dim_value() >= 0) return dim.dim_value();
  const std::string& name = dim.dim_param();
  if (dim.has_dim_param() && !says_nothing(name) && !reused_.contains(name)) return named(name);
  return named(std::format("{}.{}", input, axis));
}

daybreak::Dim Symbols::named(const std::string& name) {
  const auto chosen = options_.dims.find(name);
  if (chosen != options_.dims.end() && chosen->second.fixed()) {
    fixed_.insert(name);
    return chosen->second.min;
  }
  const auto known = symbols_.find(name);
  if (known != symbols_.end()) return known->second;
  if (names_.size() == most_symbols)
    throw daybreak::Error(DBK_OUT_OF_RANGE, std::format("over {} dynamic dimensions", most_symbols));
  const DimRange range = chosen == options_.dims.end() ? DimRange{} : chosen->second;
  names_.push_back(name);
  return symbols_.emplace(name, graph_.symbol(name, range.min, range.max)).first->second;
}

std::vector<std::string> Symbols::unused() const {
  std::vector<std::string> result;
  for (const auto& [name, range] : options_.dims) {
    if (!symbols_.contains(name) && !fixed_.contains(name)) result.push_back(name);
  }
  return result;
}

}  // namespace host

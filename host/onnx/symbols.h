// Dynamic dimensions of a model's inputs as symbols of the graph. Dimensions of one name are one symbol, unless the
// name says nothing ("", "?", "-1" ...) or is known to stand for two extents: then each has a symbol of its own, called
// after its place: "input.axis".
#pragma once

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "daybreak_graph.hpp"
#include "import_options.h"

namespace host {

class Symbols {
 public:
  Symbols(daybreak::GraphBuilder& graph, const onnx::GraphProto& main, const ImportOptions& options);

  daybreak::Dim dim(const onnx::TensorShapeProto::Dimension& dim, const std::string& input, std::size_t axis);

  const std::vector<std::string>& names() const { return names_; }  // by index of the symbol
  // Names that stand for several extents, and "3 in 'a', 4 in 'b'".
  const std::map<std::string, std::string>& reused() const { return reused_; }
  // Names of ImportOptions::dims that no dimension has.
  std::vector<std::string> unused() const;

 private:
  daybreak::Dim named(const std::string& name);

  daybreak::GraphBuilder& graph_;
  const ImportOptions& options_;
  std::map<std::string, std::string> reused_;
  std::set<std::string> fixed_;
  std::map<std::string, daybreak::Symbol> symbols_;
  std::vector<std::string> names_;
};

}  // namespace host

// ONNX model -> graph of the ABI. Every node, attribute and tensor is carried over as it is; whether it can be run is
// the plugin's to say. Functions of the model are inlined, and nodes keep the opset that their function was written
// for.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daybreak_graph.hpp"
#include "import_options.h"
#include "model_file.h"

namespace host {

struct ModelInput {
  std::string name;
  uint32_t kind = DBK_KIND_TENSOR;
  uint32_t dtype = DBK_DTYPE_NONE;
  daybreak::Shape shape;
};

struct ImportedModel {
  daybreak::GraphBuilder graph;
  std::vector<ModelInput> inputs;
  std::vector<std::string> outputs;
  std::vector<std::string> symbols;  // names, by index
  std::vector<std::string> warnings;
  std::vector<std::string> unknown_dims;  // of ImportOptions::dims
  // Parameters borrow from here and from the model's file: both live as long as what is compiled from the graph.
  std::vector<std::shared_ptr<const std::vector<std::byte>>> memory;
};

// Throws daybreak::Error with a cause for everything that cannot be imported, each naming the file and the node.
ImportedModel import_model(ModelFile& file, const ImportOptions& options = {});

}  // namespace host

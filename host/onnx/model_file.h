// An ONNX file in memory, and the files beside it that hold its tensors. Whoever borrows from it (a graph made by
// import_model, an executable compiled from that) needs it alive.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>

#include "external_data.h"

namespace host {

class ModelFile {
 public:
  // Throws daybreak::Error naming the file and, where it is broken, the byte and the field.
  explicit ModelFile(const std::filesystem::path& path);

  const std::string& name() const { return name_; }  // the path, for messages
  const onnx::ModelProto& model() const { return model_; }
  ExternalData& external() { return external_; }

 private:
  std::string name_;
  onnx::ModelProto model_;
  ExternalData external_;
};

// One tensor in a file of its own, as ONNX's test data has them.
onnx::TensorProto read_tensor_file(const std::filesystem::path& path);

}  // namespace host

// Tensors that a model keeps in other files. A model may name only files of its own directory: absolute paths, `..` and
// symbolic links that lead out of it are refused. Each file is mapped once and stays mapped as long as this object.
#pragma once

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <map>
#include <string>

#include "mapped_file.h"

namespace host {

class ExternalData {
 public:
  explicit ExternalData(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // The `size` bytes of a tensor whose data_location is EXTERNAL. Throws daybreak::Error naming file and key.
  std::span<const std::byte> bytes(const onnx::TensorProto& tensor, uint64_t size);

 private:
  const MappedFile& file(const std::string& location);

  std::filesystem::path directory_;
  std::map<std::string, MappedFile> files_;  // by location
};

}  // namespace host

// Reading and parsing of files; see model_file.h.
#include "model_file.h"

#include <google/protobuf/stubs/logging.h>

#include <format>
#include <new>

#include "error_place.h"
#include "mapped_file.h"
#include "other_formats.h"
#include "printable.h"
#include "wire.h"

namespace host {
namespace {

constexpr std::size_t largest = 0x7FFFFFFF;  // protobuf cannot parse more at once

// Bytes that are no protobuf may be something else altogether.
void check(std::span<const std::byte> bytes, WireMessage kind) {
  try {
    check_wire(bytes, kind);
  } catch (const daybreak::Error& error) {
    const std::string format = error.status() == DBK_DATA_LOSS ? other_format(bytes) : "";
    if (!format.empty()) throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("this is {}, not ONNX", format));
    throw;
  }
}

template <class Message>
void parse(const std::filesystem::path& path, WireMessage kind, Message& message) {
  const std::string name = in_quotes(path.string());
  const MappedFile file(path);
  const std::span<const std::byte> bytes = file.bytes();
  if (bytes.size() > largest) {
    throw daybreak::Error(DBK_UNIMPLEMENTED,
                          std::format("{}: {} bytes; a file holds at most {}: save the weights as external data", name,
                                      bytes.size(), largest));
  }
  try {
    in_place(name, [&] { check(bytes, kind); });
    google::protobuf::SetLogHandler(nullptr);  // it would print; what it has to say is said here
    if (message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  } catch (const std::bad_alloc&) {
    throw daybreak::Error(DBK_OUT_OF_MEMORY, std::format("{}: no memory for {} bytes", name, bytes.size()));
  }
  throw daybreak::Error(DBK_DATA_LOSS, name + ": a list of numbers is malformed; the file is corrupt");
}

}  // namespace

ModelFile::ModelFile(const std::filesystem::path& path)
    : name_(in_quotes(path.string())), external_(path.parent_path()) {
  parse(path, WireMessage::model, model_);
  if (!model_.has_graph() && model_.opset_import().empty())
    throw daybreak::Error(DBK_INVALID_ARGUMENT, name_ + ": no ONNX model: neither a graph nor an opset is in it");
}

onnx::TensorProto read_tensor_file(const std::filesystem::path& path) {
  onnx::TensorProto result;
  parse(path, WireMessage::tensor, result);
  return result;
}

}  // namespace host

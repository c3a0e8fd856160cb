// Finding, checking and mapping files of external data; see external_data.h.
#include "external_data.h"

#include <algorithm>
#include <charconv>
#include <format>
#include <optional>

#include "daybreak_error.hpp"
#include "printable.h"

namespace host {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> entry(const onnx::TensorProto& tensor, std::string_view key) {
  for (const onnx::StringStringEntryProto& item : tensor.external_data()) {
    if (item.key() == key) return item.value();
  }
  return std::nullopt;
}

std::optional<uint64_t> number(const onnx::TensorProto& tensor, std::string_view key) {
  const std::optional<std::string> text = entry(tensor, key);
  if (!text) return std::nullopt;
  uint64_t result = 0;
  const char* end = text->data() + text->size();
  const auto [stop, failure] = std::from_chars(text->data(), end, result);
  if (failure == std::errc() && stop == end) return result;
  throw daybreak::Error(DBK_INVALID_ARGUMENT,
                        std::format("external data: {} {} is no number of bytes", key, in_quotes(*text)));
}

[[noreturn]] void refuse(const std::string& location, const std::string& why) {
  throw daybreak::Error(DBK_PERMISSION_DENIED, std::format("external data {}: {}", in_quotes(location), why));
}

// The real path of `location`, which must be below `directory` after every symbolic link is followed.
fs::path inside(const fs::path& directory, const std::string& location) {
  const fs::path relative(location);
  if (location.empty() || location.find('\0') != std::string::npos) refuse(location, "no file name");
  if (relative.is_absolute()) refuse(location, "absolute paths are not allowed; move the file next to the model");
  if (std::ranges::find(relative, fs::path("..")) != relative.end())
    refuse(location, "'..' is not allowed; move the file next to the model");
  std::error_code failure;
  const fs::path root = fs::canonical(directory.empty() ? fs::path(".") : directory, failure);
  const fs::path real = failure ? fs::path() : fs::canonical(root / relative, failure);
  if (failure) {
    throw daybreak::Error(failure == std::errc::no_such_file_or_directory ? DBK_NOT_FOUND : DBK_INVALID_ARGUMENT,
                          std::format("external data {}: {}", in_quotes(location), failure.message()));
  }
  if (std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first != root.end())
    refuse(location, "it is a symbolic link that leaves the model's directory; put the file itself there");
  return real;
}

}  // namespace

const MappedFile& ExternalData::file(const std::string& location) {
  const auto known = files_.find(location);
  if (known != files_.end()) return known->second;
  return files_.emplace(location, MappedFile(inside(directory_, location))).first->second;
}

std::span<const std::byte> ExternalData::bytes(const onnx::TensorProto& tensor, uint64_t size) {
  const std::optional<std::string> location = entry(tensor, "location");
  if (!location) throw daybreak::Error(DBK_INVALID_ARGUMENT, "external data: no location is given");
  const uint64_t offset = number(tensor, "offset").value_or(0);
  const uint64_t length = number(tensor, "length").value_or(size);
  if (length != size) {
    throw daybreak::Error(
        DBK_INVALID_ARGUMENT,
        std::format("external data {}: length {}, but the tensor takes {} bytes", in_quotes(*location), length, size));
  }
  const std::span<const std::byte> whole = file(*location).bytes();
  if (offset > whole.size() || size > whole.size() - offset) {
    throw daybreak::Error(DBK_DATA_LOSS,
                          std::format("external data {}: bytes [{}, +{}) are outside the file of {} bytes",
                                      in_quotes(*location), offset, size, whole.size()));
  }
  return whole.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(size));
}

}  // namespace host

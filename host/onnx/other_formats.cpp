// See other_formats.h.
#include "other_formats.h"

#include <cstring>
#include <string_view>

namespace host {
namespace {

using namespace std::string_view_literals;

struct Format {
  std::size_t at;  // where the mark is
  std::string_view mark;
  const char* name;
};

constexpr Format formats[] = {
    {0, "GGUF"sv, "a GGUF file"},
    {4, "TFL3"sv, "a TensorFlow Lite model"},
    {4, "ORTM"sv, "a model in ONNX Runtime's own format"},
    {0, "PK\x03\x04"sv, "a zip archive, as PyTorch writes them"},
    {0, "\x80\x02\x8a\x0a"sv, "a pickle, as PyTorch wrote them"},
    {0, "\x89HDF\r\n"sv, "an HDF5 file"},
    {0, "\x93NUMPY"sv, "a NumPy array"},
    {8, "{\""sv, "a safetensors file: weights without a graph"},
    {0, "version https://git-lfs"sv, "a Git LFS pointer: the file itself has not been fetched (git lfs pull)"},
    {0, "\x1f\x8b"sv, "a gzip file: unpack it"},
    {0, "\x28\xb5\x2f\xfd"sv, "a zstd file: unpack it"},
    {0, "\xfd"
        "7zXZ"sv, "an xz file: unpack it"},
    {0, "\x7f"
        "ELF"sv, "a program or library"},
    {0, "<?xml"sv, "an XML file"},
    {0, "<!DOCTYPE"sv, "a web page"},
    {0, "<html"sv, "a web page"},
};

}  // namespace

std::string other_format(std::span<const std::byte> bytes) {
  for (const auto& [at, mark, name] : formats) {
    if (bytes.size() >= at + mark.size() && std::memcmp(bytes.data() + at, mark.data(), mark.size()) == 0) return name;
  }
  return {};
}

}  // namespace host

// Bytes of .npy files; see npy.h. Sizes are compared with the file before anything is allocated.
#include "npy.h"

#include <algorithm>
#include <cstring>
#include <format>

#include "error_place.h"
#include "mapped_file.h"
#include "npy_header.h"
#include "npy_type.h"
#include "packed_elements.h"
#include "printable.h"
#include "whole_file.h"

namespace host {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr std::size_t longest_header = 65536;  // NumPy itself refuses over 10,000 characters

[[noreturn]] void fail(dbk_status status, const std::string& what) { throw daybreak::Error(status, what); }

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

// Splits a file into its header and its elements.
std::pair<NpyHeader, std::span<const std::byte>> split(std::span<const std::byte> file) {
  if (!text_of(file).starts_with(magic)) fail(DBK_INVALID_ARGUMENT, "no .npy file: it does not begin with \\x93NUMPY");
  if (file.size() < 8) fail(DBK_DATA_LOSS, "it ends before the header");
  const auto major = std::to_integer<unsigned>(file[6]);
  if (major < 1 || major > 3) fail(DBK_UNIMPLEMENTED, std::format(".npy version {} is unknown", major));
  const std::size_t width = major == 1 ? 2 : 4;
  if (file.size() < 8 + width) fail(DBK_DATA_LOSS, "it ends before the header");
  uint32_t length = 0;
  std::memcpy(&length, file.data() + 8, width);
  if (length > longest_header) fail(DBK_OUT_OF_RANGE, std::format("a header of {} bytes", length));
  if (length > file.size() - 8 - width) fail(DBK_DATA_LOSS, "it ends inside the header");
  return {parse_npy_header(text_of(file.subspan(8 + width, length))), file.subspan(8 + width + length)};
}

// Elements whose first axis runs fastest, in row-major order.
std::vector<std::byte> row_major(std::span<const std::byte> elements, const daybreak::Dims& dims, std::size_t size) {
  std::vector<std::byte> result(elements.size());
  daybreak::Dims index = daybreak::Dims::filled(dims.size(), 0);
  for (std::size_t to = 0; to < result.size(); to += size) {
    std::size_t from = 0;
    for (std::size_t axis = dims.size(); axis-- > 0;)
      from = from * static_cast<std::size_t>(dims[axis]) + static_cast<std::size_t>(index[axis]);
    std::memcpy(result.data() + to, elements.data() + from * size, size);
    for (std::size_t axis = dims.size(); axis-- > 0 && ++index[axis] == dims[axis];) index[axis] = 0;
  }
  return result;
}

void swap_bytes(std::vector<std::byte>& bytes, std::size_t part) {
  for (std::size_t at = 0; at < bytes.size(); at += part) std::reverse(bytes.data() + at, bytes.data() + at + part);
}

Tensor decode(std::span<const std::byte> file, uint32_t expected) {
  const auto [header, elements] = split(file);
  const NpyType type = npy_type(header.descr, expected);
  // Counted in bytes, for which dense_bytes refuses overflows.
  const uint64_t count = daybreak::dense_bytes(DBK_U8, header.shape);
  if (count > 0 && type.size > elements.size() / count)
    fail(DBK_DATA_LOSS, std::format("it ends after {} bytes of elements; {}{} takes {} each", elements.size(),
                                    header.descr, daybreak::to_string(header.shape), type.size));
  if (count * type.size != elements.size())
    fail(DBK_INVALID_ARGUMENT, std::format("{} bytes of elements, but {}{} takes {}", elements.size(), header.descr,
                                           daybreak::to_string(header.shape), count * type.size));
  Tensor result{type.dtype, header.shape, {elements.begin(), elements.end()}, {}};
  if (header.fortran_order) result.bytes = row_major(elements, header.shape, type.size);
  if (type.swapped) swap_bytes(result.bytes, type.part);
  if (type.dtype == DBK_STRING) {
    result.strings = npy_strings(result.bytes, type);
    result.bytes.clear();
  }
  if (type.packed_as != DBK_DTYPE_NONE) {
    result.bytes = pack_elements(result.bytes, type.packed_as);
    result.dtype = type.packed_as;
  }
  return result;
}

}  // namespace

Tensor read_npy(const std::filesystem::path& path, uint32_t expected) {
  const MappedFile file(path);
  return in_place(in_quotes(path.string()), [&] { return decode(file.bytes(), expected); });
}

void write_npy(const std::filesystem::path& path, const Tensor& tensor) {
  std::vector<std::byte> elements = tensor.bytes;
  if (daybreak::is_sub_byte(tensor.dtype)) elements = unpack_elements(tensor.bytes, tensor.dtype, tensor.count());
  std::string descr = npy_descr(tensor.dtype);
  if (tensor.dtype == DBK_STRING) descr = npy_string_elements(tensor.strings, elements);
  std::string header = npy_header_text({descr, false, tensor.dims});
  constexpr std::size_t alignment = 64;  // of the elements, as NumPy does it
  header.append(alignment - (10 + header.size() + 1) % alignment, ' ');
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());  // a rank of at most 32 fits by far
  constexpr std::string_view version("\x01\x00", 2);
  write_whole_file(path, {bytes_of(magic), bytes_of(version), std::as_bytes(std::span(&length, 1)), bytes_of(header), elements});
}

}  // namespace host

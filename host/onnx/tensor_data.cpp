// Reading of TensorProto; see tensor_data.h. A size is believed only when the data is there: nothing is allocated for
// elements that the message does not hold.
#include "tensor_data.h"

#include <bit>
#include <cstring>
#include <format>
#include <utility>

#include "data_type.h"
#include "external_data.h"

namespace host {
namespace {

static_assert(std::endian::native == std::endian::little, "ONNX files are little-endian");

using Message = onnx::TensorProto;

[[noreturn]] void fail(dbk_status status, const std::string& what) { throw daybreak::Error(status, what); }

template <class T>
std::span<const std::byte> bytes_of(const google::protobuf::RepeatedField<T>& list) {
  return std::as_bytes(std::span<const T>(list.data(), static_cast<std::size_t>(list.size())));
}

void require_size(const TensorData& data, uint64_t wanted, uint64_t got, const char* unit) {
  if (got == wanted) return;
  fail(DBK_INVALID_ARGUMENT, std::format("{}{} takes {} {}, but {} are there", daybreak::dtype_name(data.dtype),
                                         daybreak::to_string(data.dims), wanted, unit, got));
}

// ONNX keeps narrow types one per int32 (or uint64): `Narrow` takes the low bytes of numbers within its limits.
template <class Narrow, class Wide>
void narrow(TensorData& data, const google::protobuf::RepeatedField<Wide>& list, int64_t least, uint64_t largest,
            uint64_t count) {
  require_size(data, count, static_cast<uint64_t>(list.size()), "numbers");
  auto owned = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(count) * sizeof(Narrow));
  std::size_t at = 0;
  for (const Wide number : list) {
    if (std::cmp_less(number, least) || std::cmp_greater(number, largest)) {
      fail(DBK_INVALID_ARGUMENT, std::format("element {} is {}, which {} cannot hold", at / sizeof(Narrow), number,
                                             daybreak::dtype_name(data.dtype)));
    }
    const auto element = static_cast<Narrow>(number);
    std::memcpy(owned->data() + at, &element, sizeof element);
    at += sizeof element;
  }
  data.bytes = *owned;
  data.owned = std::move(owned);
}

void read_int32_data(TensorData& data, const Message& tensor, uint64_t count) {
  const auto& list = tensor.int32_data();
  const uint64_t bits = DBK_DTYPE_BITS(data.dtype);
  switch (data.dtype) {
    case DBK_I8:
      return narrow<int8_t>(data, list, INT8_MIN, INT8_MAX, count);
    case DBK_I16:
      return narrow<int16_t>(data, list, INT16_MIN, INT16_MAX, count);
    default:  // unsigned numbers, bools, bits of small floats, and whole bytes of packed elements
      if (bits == 16) return narrow<uint16_t>(data, list, 0, UINT16_MAX, count);
      return narrow<uint8_t>(data, list, 0, UINT8_MAX, (count * bits + 7) / 8);
  }
}

void read_typed(TensorData& data, const Message& tensor, uint64_t count) {
  const auto in_place = [&](std::span<const std::byte> bytes) {
    require_size(data, daybreak::dense_bytes(data.dtype, std::as_const(data.dims)), bytes.size(), "bytes");
    data.bytes = bytes;
  };
  switch (data.dtype) {
    case DBK_F32:
    case DBK_C64:
      return in_place(bytes_of(tensor.float_data()));
    case DBK_F64:
    case DBK_C128:
      return in_place(bytes_of(tensor.double_data()));
    case DBK_I32:
      return in_place(bytes_of(tensor.int32_data()));
    case DBK_I64:
      return in_place(bytes_of(tensor.int64_data()));
    case DBK_U64:
      return in_place(bytes_of(tensor.uint64_data()));
    case DBK_U32:
      return narrow<uint32_t>(data, tensor.uint64_data(), 0, UINT32_MAX, count);
    default:
      return read_int32_data(data, tensor, count);
  }
}

}  // namespace

uint64_t TensorData::size() const {
  uint64_t result = bytes.size();
  for (const std::string& text : strings) result += sizeof(dbk_str) + text.size();
  return result;
}

TensorData read_tensor(const Message& tensor, ExternalData* external) {
  TensorData data;
  data.dtype = dtype_of_onnx(tensor.data_type());
  if (data.dtype == DBK_DTYPE_NONE)
    fail(DBK_INVALID_ARGUMENT, std::format("{} is unknown", data_type_text(tensor.data_type())));
  if (tensor.has_segment()) fail(DBK_UNIMPLEMENTED, "tensors in segments are not supported");
  for (const int64_t extent : tensor.dims()) data.dims.push_back(extent);
  const uint64_t size = daybreak::dense_bytes(data.dtype, std::as_const(data.dims));
  const auto count = static_cast<uint64_t>(size == 0 ? 0 : data.dims.product());
  if (data.dtype == DBK_STRING) {
    require_size(data, count, static_cast<uint64_t>(tensor.string_data_size()), "strings");
    data.strings.assign(tensor.string_data().begin(), tensor.string_data().end());
  } else if (tensor.data_location() == Message::EXTERNAL) {
    if (!external) fail(DBK_UNIMPLEMENTED, "external data is not supported here");
    data.bytes = external->bytes(tensor, size);
  } else if (tensor.has_raw_data()) {
    require_size(data, size, tensor.raw_data().size(), "bytes");
    data.bytes = std::as_bytes(std::span(tensor.raw_data()));
  } else {
    read_typed(data, tensor, count);
  }
  return data;
}

}  // namespace host

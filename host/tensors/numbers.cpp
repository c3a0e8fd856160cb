// Decoding of elements; see numbers.h.
#include "numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "packed_elements.h"

namespace host {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

template <class T>
void append(std::vector<double>& result, std::span<const std::byte> bytes) {
  result.reserve(bytes.size() / sizeof(T));
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(T)) {
    T element;
    std::memcpy(&element, bytes.data() + at, sizeof element);
    result.push_back(static_cast<double>(element));
  }
}

// A sign, `exponent` bits and the rest a fraction, with subnormals; what stands for NaN and infinity is the caller's.
double small_float(unsigned bits, int total, int exponent, int bias) {
  const int fraction_bits = total - 1 - exponent;
  const int power = static_cast<int>(bits >> fraction_bits & ((1u << exponent) - 1));
  const double fraction = bits & ((1u << fraction_bits) - 1);
  const double magnitude = power == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                      : std::ldexp(fraction + (1 << fraction_bits), power - bias - fraction_bits);
  return bits >> (total - 1) ? -magnitude : magnitude;
}

double byte_float(uint32_t dtype, unsigned bits) {
  switch (dtype) {
    case DBK_F8_E4M3FN:
      return (bits & 0x7Fu) == 0x7Fu ? not_a_number : small_float(bits, 8, 4, 7);
    case DBK_F8_E4M3FNUZ:
      return bits == 0x80u ? not_a_number : small_float(bits, 8, 4, 8);
    case DBK_F8_E5M2:
      if ((bits & 0x7Fu) == 0x7Cu) return bits == 0x7Cu ? INFINITY : -INFINITY;
      return (bits & 0x7Fu) > 0x7Cu ? not_a_number : small_float(bits, 8, 5, 15);
    case DBK_F8_E5M2FNUZ:
      return bits == 0x80u ? not_a_number : small_float(bits, 8, 5, 16);
    case DBK_F8_E8M0FNU:
      return bits == 0xFFu ? not_a_number : std::ldexp(1.0, static_cast<int>(bits) - 127);
    default:
      return small_float(bits, 4, 2, 1);  // F4_E2M1FN
  }
}

std::vector<double> decode(uint32_t dtype, std::span<const std::byte> stored, std::size_t count) {
  std::vector<double> result;
  std::vector<std::byte> unpacked;
  if (daybreak::is_sub_byte(dtype)) unpacked = unpack_elements(stored, dtype, count);
  const std::span<const std::byte> bytes = daybreak::is_sub_byte(dtype) ? unpacked : stored;
  switch (dtype) {
    case DBK_I8:
    case DBK_I4:
    case DBK_I2:
      append<int8_t>(result, bytes);
      break;
    case DBK_U8:
    case DBK_U4:
    case DBK_U2:
    case DBK_BOOL:
      append<uint8_t>(result, bytes);
      break;
    case DBK_I16:
      append<int16_t>(result, bytes);
      break;
    case DBK_U16:
      append<uint16_t>(result, bytes);
      break;
    case DBK_I32:
      append<int32_t>(result, bytes);
      break;
    case DBK_U32:
      append<uint32_t>(result, bytes);
      break;
    case DBK_I64:
      append<int64_t>(result, bytes);
      break;
    case DBK_U64:
      append<uint64_t>(result, bytes);
      break;
    case DBK_F16:
      append<daybreak::half>(result, bytes);
      break;
    case DBK_BF16:
      append<daybreak::bfloat16>(result, bytes);
      break;
    case DBK_F32:
    case DBK_C64:
      append<float>(result, bytes);
      break;
    case DBK_F64:
    case DBK_C128:
      append<double>(result, bytes);
      break;
    default:
      for (const std::byte byte : bytes) result.push_back(byte_float(dtype, std::to_integer<unsigned>(byte)));
  }
  return result;
}

// Without a sum, which may overflow.
double mean_of(const std::vector<double>& numbers) {
  double mean = 0;
  std::size_t count = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) mean += (number - mean) / static_cast<double>(++count);
  return mean;
}

void add_block(NumberSummary& result, const std::vector<double>& numbers) {
  double sum = 0;
  std::size_t finite = 0;
  for (const double number : numbers) {
    result.nan += std::isnan(number);
    result.infinite += std::isinf(number);
    if (!std::isfinite(number)) continue;
    const bool first = result.finite + finite++ == 0;
    result.min = first ? number : std::min(result.min, number);
    result.max = first ? number : std::max(result.max, number);
    sum += number;
  }
  if (finite == 0) return;
  result.finite += finite;
  const double mean = std::isfinite(sum) ? sum / static_cast<double>(finite) : mean_of(numbers);
  result.mean += (mean - result.mean) * (static_cast<double>(finite) / static_cast<double>(result.finite));
}

}  // namespace

bool is_float(uint32_t dtype) {
  const uint32_t code = DBK_DTYPE_CODE(dtype);
  return dtype != DBK_STRING && (code == 2 || code == 4 || code == 5 || code >= DBK_DTYPE_CODE(DBK_F8_E4M3FN));
}

std::vector<double> numbers_of(const Tensor& tensor) { return decode(tensor.dtype, tensor.bytes, tensor.count()); }

NumberSummary summarize(const Tensor& tensor) {
  constexpr std::size_t block = 1 << 16;  // elements, whole bytes of every type
  const std::size_t bytes = block / 8 * DBK_DTYPE_BITS(tensor.dtype), count = tensor.count();
  NumberSummary result;
  for (std::size_t first = 0; first < count; first += block) {
    const std::span<const std::byte> rest = std::span(tensor.bytes).subspan(first / block * bytes);
    add_block(result, decode(tensor.dtype, rest.first(std::min(bytes, rest.size())), std::min(block, count - first)));
  }
  return result;
}

}  // namespace host

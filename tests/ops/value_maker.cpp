#include "tests/ops/value_maker.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "host_fallback/number_block.h"
#include "host_fallback/number_cast.h"

namespace ops {

namespace {

using Random = std::mt19937_64;

uint64_t hash(std::string_view text, uint64_t seed) {  // FNV-1a: the same on every machine
  for (unsigned char c : text) seed = (seed ^ c) * 0x100000001B3u;
  return seed;
}

// In [0, 1). The standard's distributions differ between libraries; this does not.
double fraction(Random& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

template <class T>
T number_between(double low, double high, Random& random) {
  if constexpr (std::is_same_v<T, dbk::Bool>) {
    return T((random() >> 40 & 1) != 0);
  } else if constexpr (std::is_integral_v<T>) {
    const double from = std::is_unsigned_v<T> ? std::max(low, 0.0) : low;
    return static_cast<T>(std::floor(from + fraction(random) * (high - from + 1)));
  } else {
    return dbk::number_cast<T>(low + fraction(random) * (high - low));
  }
}

// Every bit of an integer is random. Of a float sign and fraction are, and its exponent stays within numbers of f16.
template <class T>
T any_bits(Random& random) {
  if constexpr (std::is_same_v<T, dbk::Bool>)
    return T((random() >> 40 & 1) != 0);
  else if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random());
  else
    return dbk::number_cast<T>((random() & 1 ? 1.0 : -1.0) * std::exp2(fraction(random) * 24 - 12));
}

// Number i of `count` bit patterns. The odd step keeps low bits from being all zero.
template <class T>
T swept(int64_t i, int64_t count) {
  using Bits = std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  const auto step = static_cast<Bits>(std::numeric_limits<Bits>::max() / static_cast<uint64_t>(count) | 1);
  const auto bits = static_cast<Bits>(static_cast<Bits>(i) * step);
  T value;
  std::memcpy(static_cast<void*>(&value), &bits, sizeof(T));  // Half and its kin have a constructor
  return value;
}

template <class T>
T make_element(const Operand& operand, double low, double high, int64_t i, Random& random) {
  switch (operand.fill) {
    case Fill::Domain:
      return number_between<T>(low, high, random);
    case Fill::Bits:
      return any_bits<T>(random);
    case Fill::Sweep:
      if constexpr (!std::is_integral_v<T>) return swept<T>(i, operand.shape.count());
      break;
    case Fill::Reals:
      return dbk::number_cast<T>(operand.reals[static_cast<size_t>(i) % operand.reals.size()]);
    case Fill::List:
      return dbk::number_cast<T>(operand.list[static_cast<size_t>(i) % operand.list.size()]);
  }
  return T{};
}

// Elements of types below 16 bits that have no C++ type: numbers made in double, or codes.
void make_small(const Operand& operand, double low, double high, dbk::HostTensor& made, Random& random) {
  const int64_t count = made.type.count();
  if (operand.fill == Fill::Bits || operand.fill == Fill::Sweep) {
    for (size_t i = 0; i < made.bytes.size(); ++i)
      made.bytes[i] = static_cast<std::byte>(operand.fill == Fill::Sweep ? i : random() >> 40);
    return;
  }
  std::vector<double> values(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    double& value = values[static_cast<size_t>(i)];
    value = make_element<double>(operand, low, high, i, random);
    if (dbk::contains(dbk::SMALL_INTS, operand.dtype)) value = std::floor(value);
  }
  dbk::Tensor view = made.view();
  dbk::write_block(view, 0, count, values.data());
}

// An operand with stride 0 along axis 0 can hold only equal slabs.
void repeat_first_slab(dbk::HostTensor& made) {
  if (made.type.shape.rank() == 0 || made.type.shape[0] == 0) return;
  const size_t slab = made.bytes.size() / static_cast<size_t>(made.type.shape[0]);
  for (size_t at = slab; at < made.bytes.size(); at += slab)
    std::copy_n(made.bytes.begin(), slab, made.bytes.begin() + static_cast<ptrdiff_t>(at));
}

dbk::HostTensor make_tensor(const Operand& operand, const dbk::OpRow& row, Random& random) {
  dbk::HostTensor made;
  if (operand.dtype == DBK_DTYPE_NONE) return made;
  made.type = {operand.dtype, operand.shape};
  made.bytes.resize(static_cast<size_t>(made.type.bytes()));
  const bool own = operand.low != operand.high;
  const double low = own ? operand.low : row.low, high = own ? operand.high : row.high;
  if (!dbk::contains(dbk::PLAIN, operand.dtype)) return make_small(operand, low, high, made, random), made;
  dbk::with_type<dbk::PLAIN>(operand.dtype, [&]<class T>() {
    auto* elements = reinterpret_cast<T*>(made.bytes.data());
    for (int64_t i = 0, count = made.type.count(); i < count; ++i)
      elements[i] = make_element<T>(operand, low, high, i, random);
  });
  if (operand.layout == Layout::Repeated) repeat_first_slab(made);
  return made;
}

}  // namespace

uint64_t suite_seed() {
  static const uint64_t seed = [] {
    const char* given = std::getenv("DAYBREAK_TEST_SEED");
    return given ? std::strtoull(given, nullptr, 0) : 20250705u;
  }();
  return seed;
}

std::vector<dbk::HostTensor> make_inputs(const dbk::OpRow& row, const OpCase& test) {
  Random random(hash(test.name, hash(row.id, 0xCBF29CE484222325u ^ suite_seed())));
  std::vector<dbk::HostTensor> inputs;
  for (const Operand& operand : test.inputs) inputs.push_back(make_tensor(operand, row, random));
  return inputs;
}

std::vector<double> numbers(const dbk::HostTensor& tensor) {
  std::vector<double> result(static_cast<size_t>(tensor.type.count()));
  dbk::read_block(tensor.view(), 0, tensor.type.count(), result.data());
  return result;
}

double element(const dbk::HostTensor& tensor, int64_t i) {
  double value = 0;
  dbk::read_block(tensor.view(), i, 1, &value);
  return value;
}

}  // namespace ops

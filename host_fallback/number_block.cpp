#include "host_fallback/number_block.h"

#include "host_fallback/number_cast.h"
#include "host_fallback/packed.h"

namespace dbk {

namespace {

// Codes of a type below 16 bits that has no C++ type.
uint32_t code_at(const Tensor& tensor, uint32_t bits, int64_t i) {
  return bits == 8 ? tensor.as<uint8_t>()[i] : packed_code(tensor.as<uint8_t>(), bits, i);
}

void store_code(Tensor& tensor, uint32_t bits, int64_t i, uint32_t code) {
  if (bits == 8)
    tensor.as<uint8_t>()[i] = static_cast<uint8_t>(code);
  else
    append_packed_code(tensor.as<uint8_t>(), bits, i, code);
}

// number(code) for each element.
template <class A, class F>
void read_codes(const Tensor& tensor, int64_t first, int64_t count, A* numbers, F number) {
  const uint32_t bits = bits_of(tensor.type.dtype);
  for (int64_t i = 0; i < count; ++i) numbers[i] = number_cast<A>(number(code_at(tensor, bits, first + i)));
}

template <class A, class F>
void write_codes(Tensor& tensor, int64_t first, int64_t count, const A* numbers, F code) {
  const uint32_t bits = bits_of(tensor.type.dtype);
  for (int64_t i = 0; i < count; ++i) store_code(tensor, bits, first + i, code(numbers[i]));
}

}  // namespace

template <class A>
void read_block(const Tensor& tensor, int64_t first, int64_t count, A* numbers) {
  const DType dtype = tensor.type.dtype;
  if (contains(SMALL_INTS, dtype)) {
    read_codes(tensor, first, count, numbers, [=](uint32_t code) { return integer_of_code(code, dtype); });
  } else if (const SmallFloat* format = small_float(dtype)) {
    read_codes(tensor, first, count, numbers, [=](uint32_t code) { return small_float_value(code, *format); });
  } else if (dtype == DBK_F8_E8M0FNU) {
    read_codes(tensor, first, count, numbers, power_of_code);
  } else {
    with_type<PLAIN>(dtype, [&]<class T>() {
      const T* in = tensor.as<T>() + first;
      for (int64_t i = 0; i < count; ++i) numbers[i] = number_cast<A>(in[i]);
    });
  }
}

template <class A>
void write_block(Tensor& tensor, int64_t first, int64_t count, const A* numbers, Conversion conversion) {
  const DType dtype = tensor.type.dtype;
  if (contains(SMALL_INTS, dtype)) {
    write_codes(tensor, first, count, numbers, [](A x) { return static_cast<uint32_t>(number_cast<int32_t>(x)); });
  } else if (const SmallFloat* format = small_float(dtype)) {
    write_codes(tensor, first, count, numbers,
                [=](A x) { return small_float_code(number_cast<float>(x), *format, conversion.saturate); });
  } else if (dtype == DBK_F8_E8M0FNU) {
    write_codes(tensor, first, count, numbers,
                [=](A x) { return code_of_power(number_cast<float>(x), conversion.rounding, conversion.saturate); });
  } else {
    with_type<PLAIN>(dtype, [&]<class T>() {
      T* out = tensor.as<T>() + first;
      for (int64_t i = 0; i < count; ++i) out[i] = number_cast<T>(numbers[i]);
    });
  }
}

template void read_block(const Tensor&, int64_t, int64_t, float*);
template void read_block(const Tensor&, int64_t, int64_t, double*);
template void read_block(const Tensor&, int64_t, int64_t, int32_t*);
template void write_block(Tensor&, int64_t, int64_t, const float*, Conversion);
template void write_block(Tensor&, int64_t, int64_t, const double*, Conversion);
template void write_block(Tensor&, int64_t, int64_t, const int32_t*, Conversion);

}  // namespace dbk

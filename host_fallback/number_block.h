// Blocks of elements as numbers, whatever type stores them: for ops on types below 16 bits, which have no C++ type of
// their own, and for those that mix many types.
#pragma once

#include "host_fallback/small_float.h"
#include "host_fallback/tensor.h"

namespace dbk {

inline constexpr DTypeSet SMALL_INTS = I4 | U4 | I2 | U2,
                          FLOATS8 = F8_E4M3FN | F8_E4M3FNUZ | F8_E5M2 | F8_E5M2FNUZ,
                          SMALL_FLOATS = FLOATS8 | F8_E8M0FNU | F4_E2M1FN,
                          REAL = PLAIN | SMALL_INTS | SMALL_FLOATS;

// What a number becomes that the target cannot hold; the attributes of Cast.
struct Conversion {
  bool saturate = true;  // floats of 8 bits; other types do not ask
  PowerRounding rounding = PowerRounding::Up;
};

// Elements [first, first + count) of a tensor of types in REAL, as number_cast.h converts. A is float, double or
// int32_t; f64 and wide integers lose what A cannot hold.
template <class A>
void read_block(const Tensor& tensor, int64_t first, int64_t count, A* numbers);

// The other way. Integers of 2 and 4 bits keep the low bits of the number, its fraction cut off; floats of 8 and 4 bits
// come from f32. Where elements share bytes, `first` and, but at the end of the tensor, `count` are multiples of 4:
// blocks may be written at the same time, and bits behind the last element are zero.
template <class A>
void write_block(Tensor& tensor, int64_t first, int64_t count, const A* numbers, Conversion conversion = {});

}  // namespace dbk

// The type in which sums and products of elements are formed. Integers use an unsigned type of at least 32 bits, so
// that overflow wraps and 16-bit products cannot overflow the int they are promoted to; floats use their compute type.
#pragma once

#include <cstdint>
#include <type_traits>

#include "host_fallback/dtype.h"

namespace dbk {

template <class T, bool integer = std::is_integral_v<T>>
struct RingOf {
  using type = Acc<T>;
};
template <class T>
struct RingOf<T, true> {
  using type = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;
};
template <class T>
using Ring = typename RingOf<T>::type;

// The type of sums over many elements: double where the elements are floats.
template <class T>
using SumOf = std::conditional_t<std::is_floating_point_v<Acc<T>>, double, Ring<T>>;

}  // namespace dbk

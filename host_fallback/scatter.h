// How Scatter ops bring an update to what is there: in its place, or through the reduction that an attribute names. Of
// several updates of one element the last one stays.
#pragma once

#include <complex>

#include "host_fallback/lanes.h"
#include "host_fallback/movement.h"
#include "host_fallback/op.h"
#include "host_fallback/ring.h"

namespace dbk {

enum class Reduction : uint8_t { None, Add, Mul, Max, Min };
inline constexpr DTypeSet kScattered = PLAIN | C64 | C128;
Reduction reduction_of(const Attributes& attrs);  // None where the version has no such attribute
Reduction checked_reduction(const Infer& infer);  // throws where elements of the data cannot be reduced so

// The sum of bools is whether any is true, their product whether all are.
template <class T>
void apply_update(Reduction reduction, T& target, T update) {
  using A = Acc<T>;
  const A a = static_cast<A>(target), b = static_cast<A>(update);
  constexpr bool ordered = !requires { typename T::value_type; };  // complex numbers are not
  switch (reduction) {
    case Reduction::None:
      target = update;
      break;
    case Reduction::Add:
      target = static_cast<T>(static_cast<A>(static_cast<Ring<A>>(a) + static_cast<Ring<A>>(b)));
      break;
    case Reduction::Mul:
      target = static_cast<T>(static_cast<A>(static_cast<Ring<A>>(a) * static_cast<Ring<A>>(b)));
      break;
    case Reduction::Max:
      if constexpr (ordered) target = static_cast<T>(larger(a, b));
      break;
    case Reduction::Min:
      if constexpr (ordered) target = static_cast<T>(smaller(a, b));
      break;
  }
}

// Calls f.template operator()<T>(): with a type of the size of the elements where they are only moved, else with their own.
template <class F>
void with_update_type(DType dtype, Reduction reduction, F&& f) {
  if (dtype == DBK_C64)
    f.template operator()<std::complex<float>>();
  else if (dtype == DBK_C128)
    f.template operator()<std::complex<double>>();
  else if (reduction != Reduction::None)
    with_type<PLAIN>(dtype, f);
  else
    with_element_size(dtype, [&]<class E>() {
      if constexpr (!std::is_same_v<E, Element16>) f.template operator()<E>();
    });
}

}  // namespace dbk

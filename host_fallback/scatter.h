// How Scatter ops bring an update to what is there: in its place, or through the reduction that an attribute names. Of
// several updates of one element the last one stays.
#pragma once

#include "host_fallback/lanes.h"
#include "host_fallback/movement.h"
#include "host_fallback/op.h"
#include "host_fallback/ring.h"

namespace dbk {

enum class Reduction : uint8_t { None, Add, Mul, Max, Min };
Reduction reduction_of(const Attributes& attrs);  // None where the version has no such attribute

template <class T>
void apply_update(Reduction reduction, T& target, T update) {
  using A = Acc<T>;
  const A a = static_cast<A>(target), b = static_cast<A>(update);
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
      target = static_cast<T>(larger(a, b));
      break;
    case Reduction::Min:
      target = static_cast<T>(smaller(a, b));
      break;
  }
}

// Calls f.template operator()<T>(): with an unsigned type of the size of the elements where they are only moved, else with
// their own type.
template <class F>
void with_update_type(DType dtype, Reduction reduction, F&& f) {
  if (reduction == Reduction::None)
    with_element_size(dtype, [&]<class E>() {
      if constexpr (!std::is_same_v<E, Element16>) f.template operator()<E>();
      else fail(DBK_UNIMPLEMENTED, "no host code for {}", to_string(dtype));
    });
  else
    with_type<NUMBERS>(dtype, f);
}

}  // namespace dbk

// Complex numbers as the two real ones that they are in memory, for ops that treat both parts alike.
#pragma once

#include "host_fallback/dtype.h"

namespace dbk {

// Calls f.template operator()<T, parts>(): an element of `dtype` is `parts` numbers of type T.
template <class F>
void with_parts(DType dtype, F&& f) {
  if (dtype == DBK_C64) return f.template operator()<float, 2>();
  if (dtype == DBK_C128) return f.template operator()<double, 2>();
  with_type<PLAIN>(dtype, [&]<class T>() { f.template operator()<T, 1>(); });
}

}  // namespace dbk

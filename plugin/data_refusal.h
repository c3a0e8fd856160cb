// Ops say INVALID_ARGUMENT of whatever does not fit, also of data that they meet while they compute. The call that made them compute was right
// and can succeed with other data: it fails with OUT_OF_RANGE.
#pragma once

#include "host_fallback/error.h"

namespace dbk {

template <class F>
void refusing_data(F&& compute) {
  try {
    compute();
  } catch (Error& e) {
    for (Cause& cause : e.causes())
      if (cause.code == DBK_INVALID_ARGUMENT) cause.code = DBK_OUT_OF_RANGE;
    throw;
  }
}

}  // namespace dbk

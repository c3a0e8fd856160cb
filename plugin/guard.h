// The boundary: every function of the table runs its body through guard(), which turns any exception into a status and, where the
// caller wants one, an error object. Nothing else may cross the ABI.
#pragma once

#include <new>

#include "host_fallback/error.h"

struct dbk_error {
  std::vector<dbk::Cause> causes;
  bool is_static = false;  // the out-of-memory error, for which nothing can be allocated: not even its cause
};

namespace dbk {

// Stores the exception in flight; returns its status. Never throws.
dbk_status report_exception(dbk_error** out_error) noexcept;

template <class F>
dbk_status guard(dbk_error** out_error, F&& body) noexcept {
  if (out_error) *out_error = nullptr;
  try {
    body();
    return DBK_OK;
  } catch (...) {
    return report_exception(out_error);
  }
}

// For functions without a status: destroy functions.
template <class F>
void guard_void(F&& body) noexcept {
  try {
    body();
  } catch (...) {  // nobody to tell
  }
}

}  // namespace dbk

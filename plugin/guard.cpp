#include "plugin/guard.h"

namespace dbk {

namespace {

// Heap-held and never destroyed: it may be handed out at any time until the process ends.
dbk_error* out_of_memory_error() {
  static dbk_error* error = new dbk_error{{Cause{DBK_OUT_OF_MEMORY, "out of host memory"}}, true};
  return error;
}

dbk_status store(dbk_error** out_error, std::vector<Cause> causes) {
  const dbk_status code = causes.empty() ? DBK_INTERNAL : causes.front().code;
  if (out_error) *out_error = new dbk_error{std::move(causes)};
  return code;
}

dbk_status store_in_flight(dbk_error** out_error) {
  try {
    throw;
  } catch (Error& e) {
    return store(out_error, e.causes());
  } catch (const std::bad_alloc&) {
    if (out_error) *out_error = out_of_memory_error();
    return DBK_OUT_OF_MEMORY;
  } catch (const std::exception& e) {
    return store(out_error, {Cause{DBK_INTERNAL, std::string("internal error: ") + e.what()}});
  } catch (...) {
    return store(out_error, {Cause{DBK_INTERNAL, "internal error of an unknown kind"}});
  }
}

}  // namespace

dbk_status report_exception(dbk_error** out_error) noexcept {
  try {
    return store_in_flight(out_error);
  } catch (...) {  // no memory for the message
    return DBK_OUT_OF_MEMORY;
  }
}

}  // namespace dbk

#include "plugin/guard.h"

#include "plugin/utf8.h"

namespace dbk {

namespace {

// Needs no memory and is never destroyed, so that it can be handed out at any moment.
union OutOfMemory {
  dbk_error error;
  constexpr OutOfMemory() : error{{}, true} {}
  constexpr ~OutOfMemory() {}
};
constinit OutOfMemory out_of_memory;

dbk_status store_out_of_memory(dbk_error** out_error) {
  if (out_error) *out_error = &out_of_memory.error;
  return DBK_OUT_OF_MEMORY;
}

dbk_status store(dbk_error** out_error, std::vector<Cause> causes) {
  const dbk_status code = causes.empty() ? DBK_INTERNAL : causes.front().code;
  for (Cause& cause : causes) cause.message = valid_utf8(std::move(cause.message));  // they quote names
  if (out_error) *out_error = new dbk_error{std::move(causes)};
  return code;
}

dbk_status store_in_flight(dbk_error** out_error) {
  try {
    throw;
  } catch (Error& e) {
    return store(out_error, e.causes());
  } catch (const std::bad_alloc&) {
    return store_out_of_memory(out_error);
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
    return store_out_of_memory(out_error);
  }
}

}  // namespace dbk

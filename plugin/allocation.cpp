// Counts by standing between the plugin's code and operator new: the linker sends each call here (--wrap, see CMakeLists.txt) and the
// call goes on to the operator of the process, be it libstdc++'s, the host's own or a sanitizer's. operator delete is left alone, so
// whatever was made by whomever is freed by its own kind. The linker knows these functions by their mangled names; one that misses on
// either side does not link.
#include "plugin/allocation.h"

#include <atomic>
#include <new>

namespace {

std::atomic<uint64_t> count{0};

}  // namespace

uint64_t dbk::allocation_count() { return count.load(std::memory_order_relaxed); }

#define DBK_COUNTED(symbol, parameters, ...)       \
  extern "C" void* __real_##symbol parameters;     \
  extern "C" void* __wrap_##symbol parameters {    \
    count.fetch_add(1, std::memory_order_relaxed); \
    return __real_##symbol(__VA_ARGS__);           \
  }

DBK_COUNTED(_Znwm, (std::size_t size), size)
DBK_COUNTED(_Znam, (std::size_t size), size)
DBK_COUNTED(_ZnwmSt11align_val_t, (std::size_t size, std::align_val_t a), size, a)
DBK_COUNTED(_ZnamSt11align_val_t, (std::size_t size, std::align_val_t a), size, a)
DBK_COUNTED(_ZnwmRKSt9nothrow_t, (std::size_t size, const std::nothrow_t& t) noexcept, size, t)
DBK_COUNTED(_ZnamRKSt9nothrow_t, (std::size_t size, const std::nothrow_t& t) noexcept, size, t)
DBK_COUNTED(_ZnwmSt11align_val_tRKSt9nothrow_t, (std::size_t size, std::align_val_t a, const std::nothrow_t& t) noexcept, size, a, t)
DBK_COUNTED(_ZnamSt11align_val_tRKSt9nothrow_t, (std::size_t size, std::align_val_t a, const std::nothrow_t& t) noexcept, size, a, t)

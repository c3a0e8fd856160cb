#include "plugin/fork_guard.h"

#include <pthread.h>

#include <atomic>

namespace dbk {

namespace {
std::atomic<uint64_t> generation{0};
}

uint64_t process_generation() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { generation.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;
  return generation.load(std::memory_order_relaxed);
}

}  // namespace dbk

// Memory that ends at a page nobody may touch: a plugin that reads or writes behind a struct is killed there.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

#include "test.h"

namespace host::validate {

class GuardedMemory {
 public:
  GuardedMemory() {
    void* memory = mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(static_cast<char*>(memory) + page_, page_, PROT_NONE) != 0) {
      throw Skipped("no guard page available");
    }
    memory_ = static_cast<unsigned char*>(memory);
  }
  ~GuardedMemory() { munmap(memory_, 2 * page_); }
  GuardedMemory(const GuardedMemory&) = delete;
  GuardedMemory& operator=(const GuardedMemory&) = delete;

  // `size` bytes, aligned for any struct of the ABI; at most 7 bytes of slack before the guard page, which hold
  // `filler`.
  unsigned char* place(std::size_t size) {
    std::memset(memory_, filler, page_);
    return memory_ + ((page_ - size) & ~std::size_t{7});
  }
  bool slack_intact(const unsigned char* placed, std::size_t size) const {
    for (const unsigned char* byte = placed + size; byte < memory_ + page_; ++byte) {
      if (*byte != filler) return false;
    }
    return true;
  }

  static constexpr unsigned char filler = 0xA5;

 private:
  std::size_t page_ = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  unsigned char* memory_ = nullptr;
};

}  // namespace host::validate

// See marked_new.h. Every form, because only libstdc++ promises that one calls the other; a sanitizer's do not.
#include "marked_new.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

// Just in front of each block; malloc's own data is in that place of a stranger, so it is readable there too.
struct Header {
  uint64_t mark;
  uint64_t offset;  // of the block from the address that malloc gave
};

constexpr uint64_t kPlain = 0x6b72616d206e776f, kArray = kPlain + 1, kAligned = kPlain + 2, kAlignedArray = kPlain + 3,
                   kFreed = kPlain + 4;
constexpr std::size_t kOrdinary = 16;

std::atomic<bool> refusing;
std::atomic<long> until_refused = -1;
std::atomic<uint64_t> made, made_aligned, freed, strangers;

Header& header_of(void* block) { return static_cast<Header*>(block)[-1]; }

void* make_or_null(std::size_t size, std::size_t alignment, uint64_t mark) noexcept {
  const std::size_t offset = alignment < sizeof(Header) ? sizeof(Header) : alignment;
  if (refusing || (until_refused >= 0 && until_refused-- == 0)) return nullptr;
  auto* base =
      static_cast<char*>(std::aligned_alloc(alignment, (offset + size + alignment - 1) / alignment * alignment));
  if (!base) return nullptr;
  header_of(base + offset) = {mark, offset};
  ++made;
  if (mark >= kAligned) ++made_aligned;
  return base + offset;
}

void* make(std::size_t size, std::size_t alignment, uint64_t mark) {
  if (void* block = make_or_null(size, alignment, mark)) return block;
  throw std::bad_alloc();
}

void release(void* block, uint64_t mark) noexcept {
  if (!block) return;
  Header& header = header_of(block);
  if (header.mark != mark) {
    ++strangers;
    return;
  }
  header.mark = kFreed;
  ++freed;
  std::free(static_cast<char*>(block) - header.offset);
}

}  // namespace

void marked_refuse(int on) { refusing = on != 0; }

int marked_refuse_one(long n) {
  static bool asked = false;
  const bool done = asked && until_refused.exchange(n) < 0;
  asked = n >= 0;
  until_refused = n;
  return done;
}

marked_counts marked_now() { return {made, freed, made_aligned, strangers}; }

using std::size_t, std::align_val_t, std::nothrow_t;

void* operator new(size_t n) { return make(n, kOrdinary, kPlain); }
void* operator new[](size_t n) { return make(n, kOrdinary, kArray); }
void* operator new(size_t n, align_val_t a) { return make(n, size_t(a), kAligned); }
void* operator new[](size_t n, align_val_t a) { return make(n, size_t(a), kAlignedArray); }
void* operator new(size_t n, const nothrow_t&) noexcept { return make_or_null(n, kOrdinary, kPlain); }
void* operator new[](size_t n, const nothrow_t&) noexcept { return make_or_null(n, kOrdinary, kArray); }
void* operator new(size_t n, align_val_t a, const nothrow_t&) noexcept { return make_or_null(n, size_t(a), kAligned); }
void* operator new[](size_t n, align_val_t a, const nothrow_t&) noexcept {
  return make_or_null(n, size_t(a), kAlignedArray);
}

void operator delete(void* p) noexcept { release(p, kPlain); }
void operator delete[](void* p) noexcept { release(p, kArray); }
void operator delete(void* p, size_t) noexcept { release(p, kPlain); }
void operator delete[](void* p, size_t) noexcept { release(p, kArray); }
void operator delete(void* p, align_val_t) noexcept { release(p, kAligned); }
void operator delete[](void* p, align_val_t) noexcept { release(p, kAlignedArray); }
void operator delete(void* p, size_t, align_val_t) noexcept { release(p, kAligned); }
void operator delete[](void* p, size_t, align_val_t) noexcept { release(p, kAlignedArray); }
void operator delete(void* p, const nothrow_t&) noexcept { release(p, kPlain); }
void operator delete[](void* p, const nothrow_t&) noexcept { release(p, kArray); }
void operator delete(void* p, align_val_t, const nothrow_t&) noexcept { release(p, kAligned); }
void operator delete[](void* p, align_val_t, const nothrow_t&) noexcept { release(p, kAlignedArray); }

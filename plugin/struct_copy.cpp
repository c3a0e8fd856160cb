#include "plugin/struct_copy.h"

#include <algorithm>

namespace dbk {

void check_chain(const dbk_chain* chain, const char* what) {
  constexpr int kMaxLinks = 64;  // a longer chain is a loop
  int links = 0;
  for (const dbk_chain* link = chain; link; link = link->next) {
    if (++links > kMaxLinks) fail(DBK_INVALID_ARGUMENT, "{}: the chain has over {} links", what, kMaxLinks);
    for (const dbk_chain* other = chain; other != link; other = other->next)
      if (other->type == link->type) fail(DBK_INVALID_ARGUMENT, "{}: chain type {:#x} is there twice", what, link->type);
    if (link->type & DBK_CHAIN_REQUIRED) fail(DBK_UNIMPLEMENTED, "{}: required chain type {:#x} is unknown", what, link->type);
  }
}

void copy_text(char* to, size_t capacity, const char* from, size_t length) {
  size_t n = std::min(length, capacity - 1);
  if (n < length)
    while (n > 0 && (static_cast<unsigned char>(from[n]) & 0xC0) == 0x80) --n;  // not inside a UTF-8 sequence
  std::memcpy(to, from, n);
  to[n] = '\0';
}

std::string to_text(const dbk_str& text, const char* what) {
  if (!text.ptr && text.len) fail(DBK_INVALID_ARGUMENT, "{}: NULL text of length {}", what, text.len);
  if (text.len > (1u << 20)) fail(DBK_INVALID_ARGUMENT, "{}: text of {} bytes", what, text.len);
  return text.len ? std::string(text.ptr, text.len) : std::string();
}

}  // namespace dbk

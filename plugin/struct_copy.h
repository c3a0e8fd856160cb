// The size rules of the ABI, in one place: in-structs are copied into our own zeroed struct, out-structs are written up to the
// caller's size and not a byte further.
#pragma once

#include <cstring>
#include <type_traits>

#include "host_fallback/error.h"
#include "plugin/utf8.h"

namespace dbk {

// Sizes in ABI 1.0, below which no caller's struct may be. Fixed for ever: they do not follow sizeof when structs grow.
template <class T>
inline constexpr uint32_t kSize10 = sizeof(T);  // plain numbers in a table; structs have a row of their own
#define DBK_SIZE_1_0(T, bytes)                  \
  template <>                                   \
  inline constexpr uint32_t kSize10<T> = bytes; \
  static_assert(sizeof(T) >= bytes)
DBK_SIZE_1_0(dbk_options, 32);
DBK_SIZE_1_0(dbk_graph, 192);
DBK_SIZE_1_0(dbk_tensor, 80);
DBK_SIZE_1_0(dbk_device_info, 616);
DBK_SIZE_1_0(dbk_exec_info, 32);
DBK_SIZE_1_0(dbk_io_info, 312);
DBK_SIZE_1_0(dbk_error_info, 48);
DBK_SIZE_1_0(dbk_stats, 168);
DBK_SIZE_1_0(dbk_host, 64);
DBK_SIZE_1_0(dbk_watch, 32);
DBK_SIZE_1_0(dbk_compile_desc, 56);
DBK_SIZE_1_0(dbk_submit, 32);
DBK_SIZE_1_0(dbk_buffer_desc, 48);
DBK_SIZE_1_0(dbk_report_desc, 72);
DBK_SIZE_1_0(dbk_kv, 40);
DBK_SIZE_1_0(dbk_copy, 32);
DBK_SIZE_1_0(dbk_value, 56);
DBK_SIZE_1_0(dbk_node, 56);
DBK_SIZE_1_0(dbk_attr, 32);
DBK_SIZE_1_0(dbk_symbol, 32);
DBK_SIZE_1_0(dbk_block, 40);
DBK_SIZE_1_0(dbk_blob, 24);
#undef DBK_SIZE_1_0

// A larger struct is an uninitialised size rather than the future.
inline constexpr uint32_t kMaxStructSize = 65536;

template <class T>
void check_size(uint32_t size, const char* what) {
  if (size < kSize10<T>) fail(DBK_INVALID_ARGUMENT, "{}: size {} is below {}", what, size, kSize10<T>);
  if (size > kMaxStructSize) fail(DBK_INVALID_ARGUMENT, "{}: size {} is over {}", what, size, kMaxStructSize);
}

void check_chain(const dbk_chain* chain, const char* what);

// The first `size` bytes of a caller's struct in a zeroed one of ours. A longer struct must be zero where we do not know it.
template <class T>
T copy_known(const void* given, uint32_t size, const char* what) {
  static_assert(std::is_trivially_copyable_v<T>);
  check_size<T>(size, what);
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (uint32_t i = sizeof(T); i < size; ++i)
    if (bytes[i]) fail(DBK_UNIMPLEMENTED, "{}: byte {} is set, this plugin knows {} bytes", what, i, sizeof(T));
  T copy{};
  std::memcpy(&copy, given, std::min<size_t>(size, sizeof(T)));
  return copy;
}

// An in-struct; `what` names it in messages.
template <class T>
T copy_in(const T* given, const char* what) {
  if (!given) fail(DBK_INVALID_ARGUMENT, "{} is NULL", what);
  T copy = copy_known<T>(given, given->hdr.size, what);
  if (copy.hdr.flags) fail(DBK_INVALID_ARGUMENT, "{}: hdr.flags must be 0", what);
  check_chain(copy.hdr.next, what);
  return copy;
}

// Element `index` of an array whose elements are `stride` bytes apart.
template <class T>
T copy_element(const void* array, uint32_t stride, uint32_t index, const char* what) {
  return copy_known<T>(static_cast<const char*>(array) + size_t{index} * stride, stride, what);
}

// Checks an out-struct before any work is done, so that a failure leaves nothing half-written.
template <class T>
void check_out(const T* inout, const char* what) {
  if (!inout) fail(DBK_INVALID_ARGUMENT, "{} is NULL", what);
  check_size<T>(inout->hdr.size, what);
  if (inout->hdr.flags || inout->hdr.next) fail(DBK_INVALID_ARGUMENT, "{}: hdr.flags must be 0 and hdr.next NULL", what);
}

template <class T>
void copy_out(const T& filled, T* inout) {
  const uint32_t size = std::min<uint32_t>(inout->hdr.size, sizeof(T));
  T copy = filled;
  copy.hdr = {size, 0, nullptr};
  std::memcpy(inout, &copy, size);
}

// Text into a fixed array: NUL-terminated, cut between characters.
void copy_text(char* to, size_t capacity, const char* from, size_t length);

template <size_t N>
void copy_text(char (&to)[N], const std::string& from) {
  const std::string valid = valid_utf8(from);
  copy_text(to, N, valid.data(), valid.size());
}

template <class T>
T& required(T* pointer, const char* what) {
  if (!pointer) fail(DBK_INVALID_ARGUMENT, "{} is NULL", what);
  return *pointer;
}

// A dbk_str; `what` names it in messages.
std::string to_text(const dbk_str& text, const char* what);

}  // namespace dbk

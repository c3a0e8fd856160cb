#include "host_fallback/dtype.h"

#include <iterator>

namespace dbk {

namespace {
struct Entry {
  DType dtype;
  DTypeSet set;
  const char* name;
};
constexpr Entry kEntries[] = {
    {DBK_F32, F32, "f32"}, {DBK_F16, F16, "f16"}, {DBK_F64, F64, "f64"}, {DBK_BF16, BF16, "bf16"},
    {DBK_I8, I8, "i8"}, {DBK_I16, I16, "i16"}, {DBK_I32, I32, "i32"}, {DBK_I64, I64, "i64"},
    {DBK_U8, U8, "u8"}, {DBK_U16, U16, "u16"}, {DBK_U32, U32, "u32"}, {DBK_U64, U64, "u64"},
    {DBK_BOOL, BOOL, "bool"}, {DBK_C64, C64, "c64"}, {DBK_C128, C128, "c128"}, {DBK_STRING, STRING, "string"},
    {DBK_I4, I4, "i4"}, {DBK_U4, U4, "u4"}, {DBK_I2, I2, "i2"}, {DBK_U2, U2, "u2"},
    {DBK_F8_E4M3FN, F8_E4M3FN, "f8_e4m3fn"}, {DBK_F8_E4M3FNUZ, F8_E4M3FNUZ, "f8_e4m3fnuz"},
    {DBK_F8_E5M2, F8_E5M2, "f8_e5m2"}, {DBK_F8_E5M2FNUZ, F8_E5M2FNUZ, "f8_e5m2fnuz"},
    {DBK_F8_E8M0FNU, F8_E8M0FNU, "f8_e8m0fnu"}, {DBK_F4_E2M1FN, F4_E2M1FN, "f4_e2m1fn"},
};
}  // namespace

DTypeSet set_of(DType dtype) {
  for (const Entry& e : kEntries)
    if (e.dtype == dtype) return e.set;
  return 0;
}

const char* to_string(DType dtype) {
  for (const Entry& e : kEntries)
    if (e.dtype == dtype) return e.name;
  return "unknown dtype";
}

std::vector<const char*> names_of(DTypeSet set) {
  std::vector<const char*> names;
  for (const Entry& e : kEntries)
    if (set & e.set) names.push_back(e.name);
  return names;
}

std::string to_string_set(DTypeSet set) {
  std::string text;
  for (const char* name : names_of(set)) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

DType only_dtype(DTypeSet set) {
  for (const Entry& e : kEntries)
    if (set == e.set) return e.dtype;
  return DBK_DTYPE_NONE;
}

DType dtype_of_onnx(int64_t code) {
  constexpr DType kDTypes[] = {DBK_DTYPE_NONE, DBK_F32, DBK_U8, DBK_I8, DBK_U16, DBK_I16, DBK_I32, DBK_I64, DBK_STRING, DBK_BOOL,
                               DBK_F16, DBK_F64, DBK_U32, DBK_U64, DBK_C64, DBK_C128, DBK_BF16, DBK_F8_E4M3FN, DBK_F8_E4M3FNUZ,
                               DBK_F8_E5M2, DBK_F8_E5M2FNUZ, DBK_U4, DBK_I4, DBK_F4_E2M1FN, DBK_F8_E8M0FNU, DBK_U2, DBK_I2};
  return code >= 0 && code < static_cast<int64_t>(std::size(kDTypes)) ? kDTypes[code] : DBK_DTYPE_NONE;
}

int64_t byte_size(DType dtype, int64_t count) {
  int64_t bits;
  if (__builtin_mul_overflow(count, static_cast<int64_t>(bits_of(dtype)), &bits) || bits > INT64_MAX - 7)
    fail(DBK_INVALID_ARGUMENT, "{} elements of {} overflow a byte count", count, to_string(dtype));
  return (bits + 7) / 8;
}

}  // namespace dbk

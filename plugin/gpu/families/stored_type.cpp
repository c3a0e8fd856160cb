#include "plugin/gpu/families/stored_type.h"

namespace dbk::gpu {

namespace {

constexpr SmallFloat kHalf{16, 10, 15, 0x7BFF, 0x7C00, 0x7E00, false};

std::string_view kind_of(DType dtype) {
  if (dtype == DBK_F32) return "kind_f32";
  if (dtype == DBK_BF16) return "kind_bf16";
  if (dtype == DBK_BOOL) return "kind_bool";
  if (dtype == DBK_F8_E8M0FNU) return "kind_power";
  if (contains(I8 | I16 | I32 | I4 | I2, dtype)) return "kind_signed";
  return contains(U8 | U16 | U4 | U2, dtype) ? "kind_unsigned" : "kind_small";
}

}  // namespace

std::string stored_type(std::string_view name, DType dtype, Conversion conversion) {
  const SmallFloat* small = dtype == DBK_F16 ? &kHalf : small_float(dtype);
  const SmallFloat f = small ? *small : SmallFloat{};
  const uint32_t detail = dtype == DBK_F8_E8M0FNU ? static_cast<uint32_t>(conversion.rounding) : f.fraction;
  const uint32_t infinity = f.overflow != f.nan && f.overflow > f.largest ? f.overflow : 0;
  const bool saturates = dtype != DBK_F16 && (conversion.saturate || dtype == DBK_F4_E2M1FN);
  return std::format("const {} = Stored({}, {}u, {}u, {}u, {}u, {}u, {}u, {}, {});\n", name, kind_of(dtype),
                     bits_of(dtype), detail, f.bias, f.largest, infinity, f.nan, f.one_zero, saturates);
}

}  // namespace dbk::gpu

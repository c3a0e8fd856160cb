// What arithmetic an executable may use for its f32 values: its compile option `precision`.
#pragma once

#include <cstdint>
#include <string_view>

namespace dbk {

enum class Precision : uint8_t {
  F32,        // f32 throughout
  F16F32Acc,  // products may round their operands to f16; sums stay f32
  F16,        // and their sums may be f16, too
  Auto,       // as F16F32Acc, where that is faster and the weight allows it
};

inline constexpr std::string_view kPrecisionNames[] = {"f32", "f16_f32acc", "f16", "auto"};

inline std::string_view name_of(Precision precision) { return kPrecisionNames[static_cast<uint8_t>(precision)]; }

// F32 for what is no name.
inline Precision precision_of(std::string_view text) {
  for (uint8_t i = 0; i < 4; ++i)
    if (text == kPrecisionNames[i]) return static_cast<Precision>(i);
  return Precision::F32;
}

}  // namespace dbk

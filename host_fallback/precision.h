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

inline Precision precision_of(std::string_view text) {
  if (text == "f16_f32acc") return Precision::F16F32Acc;
  if (text == "f16") return Precision::F16;
  return text == "auto" ? Precision::Auto : Precision::F32;
}

}  // namespace dbk

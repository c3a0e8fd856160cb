// Generator of the straight-line part of the `line` convolution: sums of some channels by some neighbouring results go on
// by a number of taps, and the last program makes results of them.
#pragma once

#include <optional>
#include <string>

#include "plugin/gpu/families/epilogue.h"

namespace dbk::gpu {

inline constexpr uint32_t kLineConvTeams = 4, kLineConvDepth = 64;  // subgroups of a workgroup; most taps of a program

struct LineConv {
  uint32_t rows, columns;   // the tile of a subgroup: channels by results
  uint32_t depth;           // taps
  bool transposed = false;  // weights of ConvTranspose, found by a list of offsets

  bool operator==(const LineConv&) const = default;
};

struct ConvFinish {
  bool has_bias;
  Epilogue epilogue;  // operands are bound behind the bias, and behind them the sums, where the result does not hold them

  bool operator==(const ConvFinish&) const = default;
  DType stored() const { return epilogue.stored(DBK_F32); }
  uint32_t reads() const { return (has_bias ? 3u : 2u) + static_cast<uint32_t>(epilogue.operands.size()) + (stored() == DBK_F32 ? 0u : 1u); }
};

// Without `finish` the sums are stored, for another program to go on.
std::string line_conv_text(const LineConv& tile, const std::optional<ConvFinish>& finish);
std::string line_conv_label(const LineConv& tile, const std::optional<ConvFinish>& finish);

}  // namespace dbk::gpu

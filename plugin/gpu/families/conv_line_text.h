// Generator of the straight-line part of the `line` convolution: sums of 4 channels by 16 neighbouring results go on by a
// number of taps.
#pragma once

#include <cstdint>
#include <string>

namespace dbk::gpu {

inline constexpr uint32_t kLineConvRows = 4, kLineConvColumns = 16, kLineConvTeams = 4, kLineConvDepth = 64;

std::string line_conv_text(uint32_t depth);

}  // namespace dbk::gpu

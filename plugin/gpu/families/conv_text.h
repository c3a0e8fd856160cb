// Generator of the `direct` convolution, plain and transposed: each lane owns positions of the result, a workgroup owns a block of channels;
// weights are read at addresses that depend on the workgroup alone, sums live in registers.
#pragma once

#include <string>

#include "plugin/gpu/families/epilogue.h"

namespace dbk::gpu {

struct DirectConv {
  uint32_t lanes;                // invocations per workgroup
  uint32_t channels, positions;  // register tile of a lane
  bool transposed = false;       // ConvTranspose

  bool operator==(const DirectConv&) const = default;
};

struct ConvBytes {
  DType x, w;
  bool x_zero, w_zero;  // whether there are zero points

  bool operator==(const ConvBytes&) const = default;
};

// Sums of bytes, in 32 bits. Binds x, w, both zero points, the sums.
std::string integer_conv_text(const DirectConv& tile, const ConvBytes& bytes);
std::string integer_conv_label(const DirectConv& tile, const ConvBytes& bytes);

// Operands of the epilogue are bound behind the bias.
std::string direct_conv_text(const DirectConv& tile, DType dtype, bool has_bias, const Epilogue& epilogue = {});
std::string direct_conv_label(const DirectConv& tile, DType dtype, bool has_bias, const Epilogue& epilogue = {});

}  // namespace dbk::gpu

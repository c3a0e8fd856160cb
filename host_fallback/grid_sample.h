// What GridSample on every device agrees on: modes, and places of the input as a grid names them.
#pragma once

#include "host_fallback/op.h"

namespace dbk {

enum class GridMode : uint8_t { Nearest, Linear, Cubic };
enum class GridPadding : uint8_t { Zeros, Border, Reflection };

GridMode grid_mode(const Attributes& attrs);
GridPadding grid_padding(const Attributes& attrs);

}  // namespace dbk

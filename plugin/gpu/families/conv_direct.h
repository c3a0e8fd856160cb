// The `direct` convolution, which takes everything: its tile, and the dispatch of a program of conv_text.h.
#pragma once

#include "host_fallback/conv.h"
#include "plugin/gpu/families/conv_text.h"

namespace dbk::gpu {

// Independent of extents that may change: weights that are inputs (not `fixed`) get the tile for many channels.
DirectConv direct_tile(const Convolution& c, bool fixed, bool transposed, const Capabilities& caps);

// Of program 0. `zero_step`: of integers, from the zero point of the weights of one channel to the next.
Dispatch direct_dispatch(const Convolution& c, const DirectConv& tile, std::vector<Argument> args, const Capabilities& caps, uint32_t zero_step = 0);

std::string direct_tile_text(const DirectConv& tile);  // for people

}  // namespace dbk::gpu

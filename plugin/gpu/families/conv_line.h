// The `line` convolution for CPU adapters (line.h): the input is stored in phases (kernels/conv/phases.wgsl), so that
// every tap of 16 neighbouring results is a run of 16 elements; then straight-line programs multiply by some taps at a time, as the
// `line` matmul does; a last step takes the results out of the sums. All convolutions share the programs: where taps lie
// is a list of offsets in their params.
#pragma once

#include "host_fallback/conv.h"
#include "plugin/gpu/families/epilogue.h"
#include "plugin/gpu/families/line.h"

namespace dbk::gpu {

// What decides which programs a node has, whatever the extents; and whether they pay for these extents.
bool line_conv_possible(const TypedNode& node, const Capabilities& caps);
bool line_conv_fits(const Convolution& c, const Capabilities& caps);

void line_conv_programs(bool has_bias, const Epilogue& epilogue, std::vector<Program>& out);
// `first`: the index of the first program above.
void line_conv_launch(const Convolution& c, bool has_bias, const Epilogue& epilogue, const Capabilities& caps, uint32_t first, std::vector<Dispatch>& out);

}  // namespace dbk::gpu

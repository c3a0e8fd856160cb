// The `line` convolution for CPU adapters (line.h), plain and transposed: straight-line programs multiply by some taps at a
// time, as the `line` matmul does, and add to sums that lie where the results go. All convolutions share the programs: where
// the elements under a tap lie is a list of offsets in their params. conv_phases.h stores the input so that those of
// neighbouring results are a run.
#pragma once

#include "host_fallback/conv.h"
#include "plugin/gpu/families/conv_line_text.h"
#include "plugin/gpu/families/line.h"

namespace dbk::gpu {

struct ConvNode {
  Convolution c;
  bool transposed;
  ConvFinish finish;
};

// What decides which programs a node has, whatever the extents.
bool line_conv_possible(const TypedNode& node, const Capabilities& caps);

void line_conv_programs(const ConvNode& node, std::vector<Program>& out);
// False where they do not take these extents, or do not pay. `first`: the index of the first program above.
bool line_conv_launch(const ConvNode& node, const Capabilities& caps, uint32_t first, std::vector<Dispatch>& out);

}  // namespace dbk::gpu

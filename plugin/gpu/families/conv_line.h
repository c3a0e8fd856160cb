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

// Empty, or why not. What decides which programs a node has, whatever the extents; and, where it has them, whether they take these extents and pay.
std::string refuse_line_conv(const TypedNode& node, const Capabilities& caps);
std::string refuse_line_conv_extents(const ConvNode& node, const Capabilities& caps);

void line_conv_programs(const ConvNode& node, std::vector<Program>& out);
// Of extents that are not refused. `first`: the index of the first program above.
void line_conv_launch(const ConvNode& node, const Capabilities& caps, uint32_t first, std::vector<Dispatch>& out);

std::string line_conv_tile(const ConvNode& node);  // for people

}  // namespace dbk::gpu

// Families whose work falls in rows that are folded (reductions, softmax, norms). The body is one file of kernels/ with
// run_row and combine; a frame decides who shares a row: one invocation, one workgroup or one subgroup. A node has a
// program per frame that the adapter can run, and each launch takes the best for its extents.
#pragma once

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

// Adds a program per frame. `body` sets everything but the frame; `label` is completed with the frame's name.
void row_programs(const Capabilities& caps, const std::string& label, uint32_t reads, uint32_t writes,
                  void (*body)(const TypedNode&, ProgramText&), const TypedNode& node, std::vector<Program>& out);

uint32_t row_program_count(const Capabilities& caps);

// `neighbours`: equal places of consecutive rows are consecutive in memory.
struct RowGrid {
  uint32_t program;
  std::array<uint32_t, 3> groups;
};
RowGrid row_grid(int64_t rows, int64_t length, bool neighbours, const Capabilities& caps);

}  // namespace dbk::gpu

// Rows of f32 on CPU adapters without bounds checks: kernels/_line_rows.wgsl, in two or three dispatches of straight-line code. For ops that
// need something of a whole row (a largest element, a mean) before the terms of its sums are known, and those before a result is.
#pragma once

#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

enum class RowStage : uint32_t { First, Second, Result };

// What is the same for all extents of a node.
struct LineRows {
  bool has_first;    // else the terms depend on nothing
  uint32_t sources;  // operands that make the elements, bound from 0 on in every stage
  uint32_t others;   // operands that only results read, behind them
  uint32_t results;
  // Adds the op's files to the text of a stage; results are bound from `results_at` on.
  void (*body)(const TypedNode&, RowStage, uint32_t results_at, ProgramText&);

  bool operator==(const LineRows&) const = default;
};

struct LineRowParams {
  uint32_t rows, length, parts = 0, zero = 0;
  float epsilon = 0;
  uint32_t skip_rows = 1;
  float skip_inverse = 1;
  uint32_t pad = 0;
};
static_assert(sizeof(LineRowParams) == 32);

// Whether such rows are cut into segments, and worth it.
bool line_rows_fit(int64_t rows, int64_t length, const Capabilities& caps);

void line_row_programs(const LineRows& form, const std::string& label, const TypedNode& node, std::vector<Program>& out);

// `args` are sources, others and results, in order; the programs of line_row_programs begin at `first_program`. Fills params.parts.
void line_row_launch(const LineRows& form, uint32_t first_program, const std::vector<Argument>& args, LineRowParams params,
                     std::vector<Dispatch>& out);

}  // namespace dbk::gpu

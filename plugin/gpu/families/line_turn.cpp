#include "plugin/gpu/families/line_turn.h"

#include "plugin/gpu/families/line_text.h"

namespace dbk::gpu {

namespace {

// Elements of a matrix in blocks, the last of which is full, too.
int64_t matrix_size(const Product& p, const Panel& panel) { return static_cast<int64_t>(ceil_div(panel.count, kLineColumns)) * kLineColumns * p.k; }

// Matrices of B, each once, however often the batch repeats it.
int64_t matrices(const Product& p) {
  int64_t count = 1;
  for (uint32_t d = 0; d < p.batch.extent.rank(); ++d)
    if (p.batch.strides[1][d] != 0) count *= p.batch.extent[d];
  return count;
}

}  // namespace

bool may_be_in_blocks(const Product& p) {
  const bool all_rows = !p.trans_a || p.fixed;
  return p.b_fixed && p.b_matrix && p.n % kLineColumns == 0 && all_rows;
}

bool will_be_in_blocks(const Product& p) { return p.panels.empty() ? may_be_in_blocks(p) : in_blocks(p); }

uint64_t turned_bytes(const Product& p, const Panel& panel) { return static_cast<uint64_t>(byte_size(p.dtype, matrices(p) * matrix_size(p, panel))); }

Argument turned_b(const Product& p, const Panel& panel) { return scratch(kTurnedMemory, turned_bytes(p, panel)); }

Product reading_turned(const Product& p, const Panel& panel) {
  Product read = p;
  int64_t stride = matrix_size(p, panel);
  for (uint32_t d = p.batch.extent.rank(); d-- > 0;) {
    int64_t& turned = read.batch.strides[1][d];
    if (turned == 0) continue;
    turned = stride;
    stride *= p.batch.extent[d];
  }
  return read;
}

Program turn_program(const Product& p) { return {line_turn_label(p.dtype), written_by<line_turn_text>(p.dtype), 1, 1}; }

Dispatch turn_dispatch(const Product& p, uint32_t panel, uint32_t program, const Capabilities& caps) {
  const Panel& part = p.panels[panel];
  Product turn = p;  // its rows are steps of k, its A the turned matrices
  turn.m = p.k;
  turn.batch.strides[0] = reading_turned(p, part).batch.strides[1];
  for (uint32_t d = 0; d < p.batch.extent.rank(); ++d)
    if (p.batch.strides[1][d] == 0) turn.batch.extent[d] = 1;
  const ProductParams params = params_of(turn, part, kLineTurnSteps, kLineColumns);
  return {program, {{Argument::Kind::Input, 1, panel}, turned_b(p, part)}, grid_of(ceil_div(params.tiles, kLineTurnTeams), caps), to_params(params)};
}

}  // namespace dbk::gpu

// Products of bytes on matrices of subgroups, exact: kernels/integer_matmul/coop.wgsl. Both operands are packed first (coop_operand.h), a
// weight B once. Bytes that are unsigned where matrices are signed, or the other way round, are moved by 128, and zero points with them.
#pragma once

#include "host_fallback/matmul_layout.h"
#include "host_fallback/strided.h"
#include "plugin/gpu/families/coop_text.h"

namespace dbk::gpu {

struct ByteProduct {
  MatmulLayout layout;
  ByteForm form;
  StridedLoop<4> batch;  // strides of A, B and their zero points, in bytes
  int64_t a_zero_row = 0, b_zero_column = 0;
  bool b_weight = false;     // a matrix that never changes
  std::vector<Panel> panels;  // of B

  bool stored() const { return !panels.empty() && panels[0].operand != OperandForm::None; }  // B, for this kernel
};

// Empty, or why not: ever, whatever extents runs may change, and with these.
std::string refuse_byte_coop(const ByteProduct& product, const Capabilities& caps);
std::string refuse_byte_coop_extents(const ByteProduct& product, const Capabilities& caps);

// How it wants the weight B stored, of a product that it does not refuse; empty: as it is.
std::vector<Panel> byte_coop_storage(const ByteProduct& product, const Capabilities& caps);

void byte_coop_programs(const ByteProduct& product, const Capabilities& caps, std::vector<Program>& out);
uint32_t byte_coop_program_count(const ByteProduct& product);

// Sums of 32 bits go to `sums`, [batch..., m, n]. Programs count from its first; scratch memories 0 and 1 are its own.
struct ByteArguments {
  Argument a, b, a_zero, b_zero, sums;
};
void byte_coop_launch(const ByteProduct& product, const ByteArguments& arguments, uint32_t first_program, const Capabilities& caps,
                      std::vector<Dispatch>& out);

std::string byte_coop_tile(const ByteProduct& product, const Capabilities& caps);  // for people

}  // namespace dbk::gpu

// Families that copy a box of elements by strides (kernels/_move.wgsl), one dispatch per box. There are two programs:
// one moves 16 bytes at a time, for boxes whose rows allow it on both sides, the other single elements. Elements that share
// words need a box that is dense on the output's side (kernels/_move_packed.wgsl).
#pragma once

#include "plugin/gpu/families/strides.h"

namespace dbk::gpu {

// y[out_start + c . out] = x[in_start + c . in] over the coordinates c of `loop` (operand 0: in, operand 1: out).
struct Box {
  StridedLoop<2> loop;
  int64_t in_start = 0, out_start = 0;
};

// `dims`: the most that a box of this node has left after collapsing.
void move_programs(DType dtype, uint32_t dims, std::vector<Program>& out);
// Whether all of a box lies in whole units of 16 bytes on both sides.
bool moves_vectors(Box box, DType dtype);
// From input `in` to output `to`. Nothing for an empty box.
void push_move(Box box, DType dtype, uint32_t dims, uint32_t in, const Capabilities& caps, std::vector<Dispatch>& out,
               uint32_t to = 0);

}  // namespace dbk::gpu

// What a node must give: its host op computed in double from the operands as rounded to their type, integers in their
// own type, ops that only move bit for bit.
#pragma once

#include <span>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

enum class Kind : uint8_t { Cpu, Gpu };  // whose arithmetic computes the node

struct Expected {
  dbk::HostTensor exact;      // f64 where the op computes with floats; dtype NONE for an output nobody wants
  dbk::HostTensor flushed;    // the same from operands whose f32 denormals are zero; dtype NONE where there are none
  std::vector<double> drift;  // by element (drift.h); empty: none
};

// Whether the op moves elements without looking at them.
bool moves(const dbk::OpRow& row);

// Whether the op gives integers of which a rounding decides (round(x / scale)): computed in the operands' own types, with operands that
// leave every conforming adapter one answer, and compared bit for bit.
bool discrete(const dbk::OpRow& row);
// Codes are made of its operand in f32 and then computed with: in double they would be others, so f32 is the oracle's type.
bool computes_with_codes(const dbk::OpRow& row);

std::vector<Expected> expect(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs,
                             Kind kind);

}  // namespace ops

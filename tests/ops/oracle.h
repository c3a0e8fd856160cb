// What a node must give: its host op computed in double from the operands as rounded to their type, integers in their
// own type, ops that only move bit for bit. For sums each element also has its scale, the sum of the magnitudes of its
// terms.
#pragma once

#include <span>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

struct Expected {
  dbk::HostTensor exact;      // f64 where the op computes with floats; dtype NONE for an output nobody wants
  std::vector<double> scale;  // by element; empty: the magnitude of the element itself
};

// Whether the op moves elements without looking at them.
bool moves(const dbk::OpRow& row);

std::vector<Expected> expect(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs);

}  // namespace ops

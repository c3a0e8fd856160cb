// Judges one case on one device: right numbers, the same in host memory and in buffers, twice, with nothing else
// touched.
#pragma once

#include <map>
#include <string>

#include "tests/ops/device_list.h"
#include "tests/ops/op_case.h"

namespace ops {

struct Outcome {
  std::string problem;  // empty, or one line: op, case, device, kernel, worst element, expected, actual, allowed, seed
  std::map<DType, double> used;  // by type of result: the largest error as a part of the allowed one, where the device
                                 // itself computed it
};

Outcome check_case(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row,
                   const OpCase& test);

}  // namespace ops

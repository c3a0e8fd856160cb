// Judges one case on one device: right numbers, the same in host memory and in buffers, twice, with nothing else
// touched.
#pragma once

#include <string>

#include "tests/ops/device_list.h"
#include "tests/ops/op_case.h"

namespace ops {

// Empty, or what is wrong, in one line: op, case, device, kernel, worst element, expected, actual, allowed, seed.
std::string check_case(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row,
                       const OpCase& test);

}  // namespace ops

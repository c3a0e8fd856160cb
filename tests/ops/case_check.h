// Judges one case on one device: right numbers, the same in host memory and in buffers, twice, with nothing else
// touched.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "host_fallback/tensor.h"
#include "tests/ops/device_list.h"
#include "tests/ops/op_case.h"

namespace ops {

// A number that any other bit of a result changes: two runs of a suite that print the same have computed the same bits.
class BitDigest {
 public:
  void add(const std::vector<dbk::HostTensor>& tensors);
  void add(const BitDigest& other);
  uint64_t value() const { return value_; }

 private:
  void add(std::span<const std::byte> bytes);
  uint64_t value_ = 0xCBF29CE484222325;  // FNV-1a
};

struct Outcome {
  std::string problem;  // empty, or one line: op, case, device, kernel, worst element, expected, actual, allowed, seed
  std::map<DType, double> used;  // by type of result: the largest error as a part of the allowed one, where the device
                                 // itself computed it
  BitDigest bits;  // of the results
  std::vector<dbk::TensorType> types;  // of the results; dtype NONE for those nobody wants
  dbk_status refused = DBK_OK;         // what the plugin answered where it refused the case; then there is a problem, too
};

Outcome check_case(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row,
                   const OpCase& test);

}  // namespace ops

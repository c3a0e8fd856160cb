// One case on one device: a graph of that node alone, compiled, and run with its operands in host memory or in buffers.
// Whatever goes wrong besides wrong numbers (damage, a different placement, bits that change between runs) is a
// Failure.
#pragma once

#include <vector>

#include "tests/ops/device_list.h"
#include "tests/ops/guarded_tensor.h"
#include "tests/ops/oracle.h"
#include "tests/ops/requirement.h"

namespace ops {

class NodeRun {
 public:
  NodeRun(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row, const OpCase& test,
          const std::vector<dbk::HostTensor>& inputs);

  // Twice from and to guarded host memory, in the layouts of the case. One tensor per output, dtype NONE where not
  // wanted.
  std::vector<dbk::HostTensor> in_host_memory();
  // From and to guarded buffers; operands that decide shapes stay in host memory, as the ABI wants.
  std::vector<dbk::HostTensor> in_buffers();

  const std::string& kernel() const { return kernel_; }
  bool rounds_operands() const { return rounds_operands_; }  // of an f32 product, to f16
  // A GPU's nodes that are placed on the host have the CPU's arithmetic.
  Kind kind() const { return expected_place() == "gpu" ? Kind::Gpu : Kind::Cpu; }

 private:
  void check_placement();
  std::string expected_place() const;
  std::vector<dbk::TensorType> output_types() const;
  bool late() const;  // only a run tells the shapes
  std::vector<dbk::HostTensor> read_outputs();
  Layout output_layout() const;
  std::vector<dbk::HostTensor> by_position(const std::vector<dbk::HostTensor>& outputs) const;

  const DeviceList& list_;
  const daybreak::DeviceInfo& device_;
  const dbk::OpRow& row_;
  const OpCase& case_;
  const std::vector<dbk::HostTensor>& inputs_;
  std::vector<size_t> bound_;  // operand of each graph input
  std::string kernel_;
  bool rounds_operands_ = false;
  std::vector<GuardedTensor> sources_, targets_;  // borrowed by the run, so they go after it
  daybreak::Executable exec_;
  daybreak::Run run_;
};

}  // namespace ops

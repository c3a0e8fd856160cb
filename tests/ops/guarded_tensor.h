// A tensor in host memory with known bytes around it and, where it is strided, between its elements. The plugin must
// leave those bytes alone, and every byte of an input.
#pragma once

#include <string>
#include <vector>

#include "daybreak.hpp"
#include "tests/ops/op_case.h"

namespace ops {

inline constexpr std::byte kSentinel{0xA5};

class GuardedTensor {
 public:
  // For writing: elements start out as sentinels too.
  GuardedTensor(const dbk::TensorType& type, Layout layout);
  // For reading.
  GuardedTensor(const dbk::HostTensor& content, Layout layout);

  daybreak::View view() const;
  daybreak::MutableView writable();

  dbk::HostTensor content() const;
  void wipe();  // all sentinels again

  // Empty, or what was touched. For a tensor that was read, and for one that was written.
  std::string damage_when_read() const;
  std::string damage_when_written() const;

 private:
  template <class F>
  void each_run(F&& f) const;  // f(offset in storage, offset in the dense tensor, bytes), in order of the dense tensor

  dbk::TensorType type_;
  size_t element_ = 0;
  bool dense_ = false;
  daybreak::Dims dims_, strides_;
  size_t start_ = 0;  // of element 0 in storage
  std::vector<std::byte> storage_, original_;
};

}  // namespace ops

// A tensor in device memory, at a multiple of 256 bytes, with known bytes before it and behind it. A run may write
// behind an output up to the next multiple of 16 bytes (daybreak.h); everything else must stay, and every byte of an
// input.
#pragma once

#include <string>
#include <vector>

#include "daybreak.hpp"
#include "host_fallback/tensor.h"

namespace ops {

class GuardedBuffer {
 public:
  GuardedBuffer(const daybreak::Context& context, uint32_t device, const dbk::TensorType& type, uint64_t offset);
  GuardedBuffer(const daybreak::Context& context, uint32_t device, const dbk::HostTensor& content, uint64_t offset);

  void bind(daybreak::Run& run, uint32_t role, uint32_t index) const;

  dbk::HostTensor content();
  std::string damage_when_read();  // empty, or what was touched
  std::string damage_when_written();

 private:
  std::vector<std::byte> read_all();

  dbk::TensorType type_;
  uint64_t offset_;
  std::vector<std::byte> original_;
  daybreak::Buffer buffer_;
};

}  // namespace ops

// Memory that oneDNN's kernels use besides operands, as parts of one block that comes later, and how they are executed.
#pragma once

#include <dnnl.hpp>

#include "host_fallback/error.h"

namespace dbk {

// A place in the block for every part, each at a multiple of 64 bytes.
class OnednnScratch {
 public:
  dnnl::memory add(const dnnl::memory::desc& desc, const dnnl::engine& engine) {
    parts_.push_back({dnnl::memory(desc, engine, nullptr), bytes_});
    bytes_ += (desc.get_size() + 63) / 64 * 64;
    return parts_.back().memory;
  }
  uint64_t bytes() const { return bytes_; }
  void place(std::byte* block) {
    for (Part& part : parts_) part.memory.set_data_handle(block ? block + part.offset : nullptr);
  }

 private:
  struct Part {
    dnnl::memory memory;
    uint64_t offset;
  };
  std::vector<Part> parts_;
  uint64_t bytes_ = 0;
};

// The scratchpad is given by us.
inline dnnl::primitive_attr onednn_attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

// The C function: the C++ one builds its argument list anew, which allocates.
inline void onednn_execute(const dnnl::primitive& primitive, const dnnl::stream& stream, const std::vector<dnnl_exec_arg_t>& arguments) {
  const dnnl_status_t status =
      dnnl_primitive_execute(primitive.get(), stream.get(), static_cast<int>(arguments.size()), arguments.data());
  if (status != dnnl_success) fail(DBK_INTERNAL, "oneDNN failed with status {}", static_cast<int>(status));
  dnnl_stream_wait(stream.get());
}

}  // namespace dbk

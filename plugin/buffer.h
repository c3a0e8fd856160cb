// Device memory that a host holds: bound as input or output of runs, or mapped.
#pragma once

#include "plugin/context.h"

namespace dbk {

class Buffer : public Child {
 public:
  Buffer(std::shared_ptr<Context> context, const dbk_buffer_desc& desc);
  ~Buffer() override;

  Device& device() const { return *device_; }
  Context& context() const { return *context_; }
  uint64_t size() const { return bytes_; }
  void check_alive() const;  // FAILED_PRECONDITION after the context closed or the device was made anew
  const char* unusable() const;  // why runs cannot use it now; null where they can
  void check_usage(uint32_t usage) const;  // DBK_BUFFER_*
  std::shared_ptr<DeviceBuffer> memory() const;  // of one that is alive

  void write(uint64_t offset, const void* src, uint64_t len);
  void read(uint64_t offset, void* dst, uint64_t len);
  void copy_from(uint64_t offset, Buffer& src, uint64_t src_offset, uint64_t len);
  void* map(uint32_t mode, uint64_t offset, uint64_t len);
  void unmap();
  void close();  // buffer_destroy: ends the mapping and gives lent memory back, whatever runs keep
  void release_device() override;

 private:
  void check_range(uint64_t offset, uint64_t len) const;

  std::shared_ptr<Context> context_;
  Device* device_;
  uint64_t bytes_;
  uint32_t usage_;
  std::shared_ptr<DeviceBuffer> memory_;
  uint64_t life_ = 0;  // of the device, when the memory was made
  bool lent_ = false;  // the memory is the host's
  bool mapped_ = false, closed_ = false;
};

}  // namespace dbk

// A Dawn device with its error policy: allocation failures become OUT_OF_MEMORY, a lost device UNAVAILABLE, and anything Dawn reports
// outside an error scope is a defect of ours and fails the work it belongs to. All calls happen on the device's worker.
#pragma once

#include <atomic>
#include <mutex>

#include "plugin/gpu/adapter.h"
#include "plugin/gpu/blob_cache.h"

namespace dbk::gpu {

class DawnDevice {
 public:
  DawnDevice(std::shared_ptr<DawnInstance> instance, const wgpu::Adapter& adapter, const AdapterTraits& traits, bool validation,
             std::shared_ptr<CacheFolder> cache);
  ~DawnDevice();

  const wgpu::Device& device() const { return device_; }
  const wgpu::Queue& queue() const { return queue_; }
  const AdapterTraits& traits() const { return traits_; }
  const BlobCache& blobs() const { return *blobs_; }
  void wait(wgpu::Future future) const { instance_->wait(future); }
  void submit(const wgpu::CommandEncoder& encoder) const;
  wgpu::Future submitted() const;  // done when all is that was submitted until now; must be waited for
  void wait_for_queue() const { wait(submitted()); }

  // A buffer of at least `bytes`, rounded up to 16. Throws OUT_OF_MEMORY with the size.
  wgpu::Buffer allocate(uint64_t bytes, wgpu::BufferUsage usage, const char* label) const;
  // Host memory as a buffer, without a copy, and its end: returns when the driver has let the memory go. HostMemory pairs them.
  wgpu::Buffer import(void* memory, uint64_t bytes, wgpu::BufferUsage usage) const;
  void end_import(wgpu::Buffer& buffer) const noexcept;

  // Bytes into a buffer, any length and alignment of `len`; offset is a multiple of 4.
  void write(const wgpu::Buffer& buffer, uint64_t offset, const void* src, uint64_t len) const;
  // The whole of a mappable buffer, until it is unmapped. Nothing that uses it may be in the queue or be submitted meanwhile.
  std::byte* map(const wgpu::Buffer& buffer, wgpu::MapMode mode) const;
  // Bytes out of a mappable buffer.
  void read_mapped(const wgpu::Buffer& buffer, uint64_t offset, void* dst, uint64_t len) const;
  // Bytes out of any buffer, over a temporary one. Allocates.
  void read_copy(const wgpu::Buffer& buffer, uint64_t offset, void* dst, uint64_t len) const;

  // Whether a rehearsal is worth another round: the threads of a software adapter take some, once in the life of a device.
  bool takes_another_round() { return warm_up_rounds_ > 0 && warm_up_rounds_-- > 0; }

  bool lost() const { return state_->lost; }
  // Throws UNAVAILABLE when the device is lost, INTERNAL with the text of an error reported since the last call.
  void check() const;
  // Runs f inside error scopes and throws what Dawn found in it; `what` names the work.
  template <class F>
  void scoped(const std::string& what, F&& f) const {
    push_scopes();
    try {
      f();
    } catch (...) {
      drop_scopes();
      throw;
    }
    pop_scopes(what);
  }

 private:
  struct State {  // outlives the device in Dawn's callbacks
    std::atomic<bool> lost{false}, failed{false};
    std::atomic<int64_t> imports{0};  // that Dawn has not let go of
    std::mutex mutex;
    std::string message;
  };
  void map_range(const wgpu::Buffer& buffer, wgpu::MapMode mode, uint64_t offset, uint64_t size) const;
  void push_scopes() const;
  void pop_scopes(const std::string& what) const;
  void drop_scopes() const noexcept;

  std::shared_ptr<DawnInstance> instance_;
  AdapterTraits traits_;
  std::unique_ptr<State> state_;
  std::unique_ptr<BlobCache> blobs_;  // which Dawn asks as long as there is a device
  wgpu::Device device_;
  wgpu::Queue queue_;
  int warm_up_rounds_ = 16;
};

}  // namespace dbk::gpu

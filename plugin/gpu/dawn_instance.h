// One Dawn instance per context: adapters, waiting, and Dawn's own messages on their way to the host's log.
#pragma once

#include <dawn/native/DawnNative.h>
#include <webgpu/webgpu_cpp.h>

#include <memory>
#include <vector>

#include "plugin/log.h"

namespace dbk::gpu {

inline std::string to_text(wgpu::StringView view) { return std::string(std::string_view(view)); }

class DawnInstance {
 public:
  explicit DawnInstance(const Log& log);

  // Every adapter but Dawn's Null backend, which accepts work and does none of it.
  std::vector<wgpu::Adapter> adapters(wgpu::BackendType backend) const;  // Undefined: of every backend
  // Waits without a timeout: finite waits inside Dawn have deadlocked on software drivers.
  void wait(wgpu::Future future) const;
  Log& log() { return log_; }

 private:
  Log log_;  // before instance_: Dawn may log until it is gone
  std::unique_ptr<dawn::native::Instance> instance_;
};

}  // namespace dbk::gpu

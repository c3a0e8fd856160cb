// What Dawn and the driver made of a kernel's text, kept for the next process. Dawn asks and tells from the worker and from its own
// threads, several at once. Its keys name Dawn's version, adapter, driver, toggles and the text; ours adds which library that was.
#pragma once

#include <span>
#include <unordered_map>

#include "plugin/cache_folder.h"
#include "plugin/gpu/adapter.h"

namespace dbk::gpu {

class BlobCache {
 public:
  BlobCache(std::shared_ptr<CacheFolder> folder, const DeviceInfo& info);

  // Dawn's two questions: the size of the value of a key, 0 where there is none (`room` is empty then), and the value itself.
  size_t load(std::string_view key, std::span<uint8_t> room) noexcept;
  void store(std::string_view key, std::string_view value) noexcept;

  bool on() const { return folder_->on(); }
  uint64_t hits() const { return hits_; }
  uint64_t misses() const { return misses_; }

 private:
  std::optional<std::string> fetch(const std::string& key);

  std::shared_ptr<CacheFolder> folder_;
  std::string identity_;
  std::atomic<uint64_t> hits_{0}, misses_{0};
  std::mutex mutex_;
  std::unordered_map<std::string, std::string> asked_;  // answers between the first question and the second
};

}  // namespace dbk::gpu

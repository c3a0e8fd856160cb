#include "plugin/gpu/blob_cache.h"

#include <algorithm>

namespace dbk::gpu {

// Dawn has no releases, and builds of distributions may leave its commit out of the keys.
BlobCache::BlobCache(std::shared_ptr<CacheFolder> folder, const DeviceInfo& info)
    : folder_(std::move(folder)),
      identity_(std::format("{}\n{}\n{}\n", info.runtime, info.name, info.driver)) {}

// What the first question found, or what is there now: the file may have come, gone or changed between the two.
std::optional<std::string> BlobCache::fetch(const std::string& key) {
  {
    std::lock_guard lock(mutex_);
    if (auto known = asked_.extract(key)) return std::move(known.mapped());
  }
  return folder_->load(CacheFolder::file_of(key), key);
}

size_t BlobCache::load(std::string_view dawn_key, std::span<uint8_t> room) noexcept try {
  const std::string key = identity_ + std::string(dawn_key);
  std::optional<std::string> value = fetch(key);
  if (!value) {
    ++misses_;
    return 0;
  }
  const size_t size = value->size();
  if (room.empty()) {
    std::lock_guard lock(mutex_);
    asked_[key] = std::move(*value);
    return size;
  }
  if (room.size() != size) return 0;
  std::ranges::copy(*value, room.begin());
  ++hits_;
  return size;
} catch (...) {  // no memory: not there
  return 0;
}

void BlobCache::store(std::string_view dawn_key, std::string_view value) noexcept try {
  const std::string key = identity_ + std::string(dawn_key);
  folder_->store(CacheFolder::file_of(key), key, value);
} catch (...) {
}

}  // namespace dbk::gpu

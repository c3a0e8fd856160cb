#include "plugin/cpu/packed_weights.h"

namespace dbk {

std::shared_ptr<std::byte[]> PackedWeights::get(const WeightId& weight, const Layout& layout, uint64_t bytes,
                                                const std::function<void(std::byte*)>& pack) {
  const std::pair key(weight, layout);
  if (const auto found = packed_.find(key); found != packed_.end()) return found->second.memory;
  const std::shared_ptr<std::byte[]> memory = allocate_bytes(bytes, "a weight in the order that its kernel wants");
  pack(memory.get());
  packed_[key] = {memory, bytes};
  bytes_ += bytes;
  stats_.add(&Stats::weight_bytes, bytes);
  return memory;
}

void PackedWeights::keep_only(const Weights& current) {
  std::erase_if(packed_, [&](const auto& entry) {
    const WeightId& id = entry.first.first;
    if (current[id.value].revision == id.revision) return false;
    bytes_ -= entry.second.bytes;
    stats_.subtract(&Stats::weight_bytes, entry.second.bytes);
    return true;
  });
}

}  // namespace dbk

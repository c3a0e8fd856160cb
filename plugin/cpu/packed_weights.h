// Weights in the order of elements that a library's kernels want: of an executable, made once and shared by its runs.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "plugin/device.h"

namespace dbk {

// Which bytes a weight is: another revision has others.
struct WeightId {
  ValueId value = DBK_NONE;
  uint64_t offset = 0, revision = 0;  // offset: of a view
  auto operator<=>(const WeightId&) const = default;
};

using Layout = std::vector<uint8_t>;  // a library's own description; equal where the orders are

class PackedWeights {
 public:
  explicit PackedWeights(Stats& stats) : stats_(stats) {}
  ~PackedWeights() { stats_.subtract(&Stats::weight_bytes, bytes_); }

  // [worker] The weight in that order; `pack` writes it where nobody has asked before.
  std::shared_ptr<std::byte[]> get(const WeightId& weight, const Layout& layout, uint64_t bytes, const std::function<void(std::byte*)>& pack);
  // [worker] Lets go of those whose weights have been replaced. Runs keep theirs until they are bound anew.
  void keep_only(const Weights& current);

 private:
  struct Packed {
    std::shared_ptr<std::byte[]> memory;
    uint64_t bytes = 0;
  };

  Stats& stats_;
  std::map<std::pair<WeightId, Layout>, Packed> packed_;
  uint64_t bytes_ = 0;
};

}  // namespace dbk

// Draws what drawn cases consist of: extents, shapes, axes, layouts. The same seed and number draw the same case everywhere.
#pragma once

#include <algorithm>
#include <random>

#include "tests/ops/op_case.h"

namespace ops {

using Ints = std::vector<int64_t>;

class Dice {
 public:
  Dice(uint64_t seed, uint64_t number) : random_(seed * 0x9E3779B97F4A7C15u + number) {}

  int64_t between(int64_t low, int64_t high) { return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1)); }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  const T& of(const std::vector<T>& list) { return list[static_cast<size_t>(between(0, static_cast<int64_t>(list.size()) - 1))]; }

  // Mostly small, now and then beside a vector, a subgroup or a workgroup, seldom nothing.
  int64_t extent(bool may_be_empty = true) {
    if (may_be_empty && chance(2)) return 0;
    return chance(25) ? of(Ints{1, 1, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129, 255, 257}) : between(1, 9);
  }
  Shape shape(int64_t least_rank, int64_t most_rank, bool may_be_empty = true) {
    constexpr int64_t kMost = 20'000;  // elements: the oracle computes them in double, one by one
    Shape shape;
    const int64_t rank = between(least_rank, most_rank);
    for (int64_t d = 0, count = 1; d < rank; ++d) {
      const int64_t drawn = extent(may_be_empty);
      shape.push_back(count * drawn <= kMost ? drawn : 1);
      count *= shape[static_cast<size_t>(d)];
    }
    return shape;
  }
  // A shape that broadcasts to `whole`.
  Shape part_of(const Shape& whole) {
    Shape part;
    for (auto d = static_cast<uint32_t>(chance(40) ? between(0, whole.rank()) : 0); d < whole.rank(); ++d)
      part.push_back(chance(25) ? 1 : whole[d]);
    return part;
  }
  int64_t axis(const Shape& shape) {
    const auto rank = static_cast<int64_t>(shape.rank());
    return between(-rank, rank - 1);
  }
  Ints axes(const Shape& shape) {  // in any order, each once
    Ints all;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.rank()); ++d)
      if (chance(50)) all.push_back(chance(30) ? d - static_cast<int64_t>(shape.rank()) : d);
    std::shuffle(all.begin(), all.end(), random_);
    return all;
  }
  Ints permutation(const Shape& shape) {
    Ints perm;
    for (int64_t d = 0; d < static_cast<int64_t>(shape.rank()); ++d) perm.push_back(d);
    std::shuffle(perm.begin(), perm.end(), random_);
    return perm;
  }
  Operand laid(const Operand& operand) {
    using enum Layout;
    return chance(30) ? operand.in(of(std::vector{Unaligned, Transposed, Sliced, Reversed, Repeated})) : operand;
  }
  Operand weight(const Operand& operand) { return chance(50) ? operand.as(Origin::Param) : laid(operand); }

 private:
  std::mt19937_64 random_;
};

}  // namespace ops

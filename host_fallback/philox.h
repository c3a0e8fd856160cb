// Random numbers without state: number i of a seed is a function of both (Philox 4x32 with 10 rounds, Salmon et al. 2011), so runs repeat
// and threads need not agree on an order.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace dbk {

class Philox {
 public:
  using Block = std::array<uint32_t, 4>;
  explicit Philox(uint64_t seed) : key_{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)} {}

  // Block i of the sequence.
  Block block(uint64_t i) const { return block(Block{static_cast<uint32_t>(i), static_cast<uint32_t>(i >> 32), 0, 0}); }
  Block block(Block counter) const {
    uint32_t key0 = key_[0], key1 = key_[1];
    for (int round = 0; round < 10; ++round) {
      const uint64_t a = uint64_t{0xD2511F53} * counter[0], b = uint64_t{0xCD9E8D57} * counter[2];
      counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key0, static_cast<uint32_t>(b),
                 static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key1, static_cast<uint32_t>(a)};
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    return counter;
  }

  // Multiples of 2^-53 in [0, 1): number i.
  double uniform(uint64_t i) const {
    const Block b = block(i / 2);
    return unit(b[i % 2 * 2], b[i % 2 * 2 + 1]);
  }

  // Normally distributed, mean 0 and variance 1: number i (Box and Muller's pairs).
  double normal(uint64_t i) const {
    const Block b = block(i / 2);
    const double radius = std::sqrt(-2 * std::log(1 - unit(b[0], b[1]))), angle = 2 * std::numbers::pi * unit(b[2], b[3]);
    return radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
  }

 private:
  static double unit(uint32_t high, uint32_t low) { return static_cast<double>((uint64_t{high} << 32 | low) >> 11) * 0x1p-53; }
  uint32_t key_[2];
};

}  // namespace dbk

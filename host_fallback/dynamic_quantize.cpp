#include "host_fallback/dynamic_quantize.h"

#include <atomic>

namespace dbk {

namespace {

struct Range {
  float low = 0, high = 0;
};

Range range_of(const float* numbers, int64_t count) {
  std::atomic<float> low{0}, high{0};  // min and max give the same in any order
  parallel_ranges(count, kElementGrain, [&low, &high, numbers](int64_t begin, int64_t end) {
    Range part;
    for (int64_t i = begin; i < end; ++i) {
      part.low = numbers[i] < part.low ? numbers[i] : part.low;
      part.high = numbers[i] > part.high ? numbers[i] : part.high;
    }
    for (float seen = low; part.low < seen && !low.compare_exchange_weak(seen, part.low);) {
    }
    for (float seen = high; part.high > seen && !high.compare_exchange_weak(seen, part.high);) {
    }
  });
  return {low, high};
}

}  // namespace

DynamicScale dynamic_scale(const float* numbers, int64_t count) {
  const Range range = range_of(numbers, count);
  const float scale = range.high == range.low ? 1.0f / 255 : (range.high - range.low) / 255;
  return {scale, quantized(-range.low / scale, 0.0f, 0.0f, 255.0f)};
}

}  // namespace dbk

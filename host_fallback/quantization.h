// What ops that quantise share: which scale and zero point belong to an element, and the steps between numbers and
// their codes.
#pragma once

#include "host_fallback/number_block.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"

namespace dbk {

// With a tensor seen as [outer, extent, inner], the scale of element (o, a, j) is that at
// o * outer_step + a / block * block_step + j * inner_step. One scale for all: all steps are 0.
struct Granularity {
  int64_t extent = 1, inner = 1, block = 1;
  int64_t outer_step = 0, block_step = 0, inner_step = 0;
  bool single() const { return outer_step == 0 && block_step == 0 && inner_step == 0; }
};

// From the shapes of the tensor and its scales: one, one for each index of `axis`, or one for each block along `axis`.
// Throws where they do not fit.
Granularity granularity_of(const Shape& x, const Shape& scale, int64_t axis, int64_t block_size);

// Calls f(first, n, places) on blocks of elements of a tensor, on all cores; places[i] is where the scale of element
// first + i is, null where there is but one.
template <class F>
void for_scaled_blocks(const Granularity& g, int64_t count, F f) {
  parallel_ranges((count + kStage - 1) / kStage, grain_of(4 * kStage), [&g, f, count](int64_t begin, int64_t end) {
    int64_t places[kStage];
    for (int64_t first = begin * kStage, last = std::min(end * kStage, count); first < last; first += kStage) {
      const int64_t n = std::min(kStage, last - first);
      if (g.single()) {
        f(first, n, static_cast<const int64_t*>(nullptr));
        continue;
      }
      int64_t j = first % g.inner, a = first / g.inner % g.extent, o = first / g.inner / g.extent;
      for (int64_t i = 0; i < n; ++i) {
        places[i] = o * g.outer_step + a / g.block * g.block_step + j * g.inner_step;
        if (++j < g.inner) continue;
        j = 0;
        if (++a < g.extent) continue;
        a = 0;
        ++o;
      }
      f(first, n, static_cast<const int64_t*>(places));
    }
  });
}

// Scales or zero points of a block of elements; without a tensor all are `otherwise`.
template <class A>
void gather_numbers(const Tensor* tensor, const int64_t* places, int64_t n, A otherwise, A* numbers) {
  if (!tensor) {
    std::fill_n(numbers, n, otherwise);
  } else if (!places) {
    read_block(*tensor, 0, 1, numbers);
    std::fill_n(numbers, n, numbers[0]);
  } else {
    for (int64_t i = 0, run = 0; i < n; i = run) {  // a run of equal places is read once
      for (run = i + 1; run < n && places[run] == places[i];) ++run;
      read_block(*tensor, places[i], 1, numbers + i);
      std::fill(numbers + i + 1, numbers + run, numbers[i]);
    }
  }
}

// The least and the largest number of an integer type of up to 16 bits.
struct IntegerRange {
  double low, high;
};
IntegerRange integer_range(DType dtype);

// The code of a real number: its quotient with the scale to the nearest integer, ties to even, plus the zero point,
// within the range. NaN is the zero point.
template <class A>
A quantized(A quotient, A zero, A low, A high) {
  const A whole = quotient != quotient ? A(0) : std::rint(quotient);
  return std::min(std::max(whole + zero, low), high);
}

// Codes of bytes for floats and back, with one scale for all: what networks do most, in loops that vectorise.
template <class T>
void quantize_bytes(const float* numbers, int64_t count, float scale, float zero, T* codes) {
  constexpr auto low = static_cast<float>(std::numeric_limits<T>::min()),
                 high = static_cast<float>(std::numeric_limits<T>::max());
  parallel_ranges(count, kElementGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      codes[i] = static_cast<T>(static_cast<int32_t>(quantized(numbers[i] / scale, zero, low, high)));
  });
}

template <class T>
void dequantize_bytes(const T* codes, int64_t count, float scale, float zero, float* numbers) {
  parallel_ranges(count, kElementGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) numbers[i] = (static_cast<float>(codes[i]) - zero) * scale;
  });
}

// The number of a tensor of one element.
inline float single_number(const Tensor& tensor) {
  float number = 0;
  read_block(tensor, 0, 1, &number);
  return number;
}

// A quotient in the precision of f16 or bf16; other types are computed in.
template <class A>
A in_precision(A x, DType dtype) {
  if (dtype == DBK_F16) return static_cast<A>(static_cast<float>(Half(static_cast<float>(x))));
  if (dtype == DBK_BF16) return static_cast<A>(static_cast<float>(BFloat16(static_cast<float>(x))));
  return x;
}

}  // namespace dbk

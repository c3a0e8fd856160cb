// Resize: one pass per axis that changes, innermost first, each a weighted sum of a few rows of the one before. Sums are formed in double
// and rounded once; the nearest neighbour is a copy, for every type. Integers round to the nearest, ties to even.
#include <cmath>

#include "host_fallback/movement.h"
#include "host_fallback/number_cast.h"
#include "host_fallback/resize.h"
#include "host_fallback/resize_sampling.h"

namespace dbk {

namespace {

const Tensor* value_of(const void* context, size_t i) {
  const Infer& infer = *static_cast<const Infer*>(context);
  return infer.has(i) ? &infer.value(i) : nullptr;
}
const Tensor* tensor_of(const void* context, size_t i) {
  const Compute& c = *static_cast<const Compute*>(context);
  return c.has(i) ? &c.in(i) : nullptr;
}

ResizeSpec spec_of(const Compute& c) { return resize_spec(c.attrs(), c.in(0).shape(), tensor_of, &c); }

// One axis of a tensor seen as [outer, axis, inner].
struct Pass {
  int64_t outer = 1, in, out, inner = 1, taps;
  const int64_t* place;   // [out][taps]
  const double* weight;   // [out][taps]
  const uint8_t* inside;  // [out]
};

// Parts of the work memory: the tables of one pass, and two buffers for what lies between passes.
struct Work {
  int64_t samples = 0, rows = 0, between = 0;  // elements of each
  int64_t unit;                                // bytes of an element of a buffer: a double, or what is moved

  Work(const TensorType& in, const ResizeSpec& spec) : unit(std::max<int64_t>(8, bits_of(in.dtype) / 8)) {
    Shape shape = in.shape;
    for (uint32_t d = spec.rank; d-- > 0;) {
      samples = std::max(samples, spec.axes[d].out * AxisSampler(spec, d).taps());
      rows = std::max(rows, spec.axes[d].out);
      shape[d] = spec.axes[d].out;
      between = std::max(between, shape.count());
    }
  }
  int64_t bytes() const { return samples * 16 + 2 * between * unit + rows; }
  int64_t* places(std::byte* work) const { return reinterpret_cast<int64_t*>(work); }
  double* weights(std::byte* work) const { return reinterpret_cast<double*>(work + samples * 8); }
  std::byte* buffer(std::byte* work, int64_t i) const { return work + samples * 16 + i * between * unit; }
  uint8_t* insides(std::byte* work) const { return reinterpret_cast<uint8_t*>(buffer(work, 2)); }
};

template <class To>
To stored(double sum) {
  if constexpr (std::is_integral_v<To>) return number_cast<To>(std::nearbyint(sum));
  else return number_cast<To>(sum);
}

// Elements [0, n) of one row of the result, from the rows of its taps.
template <class From, class To>
void blend_row(const From* in, const Pass& p, int64_t row, double outside, To* out) {
  const int64_t* place = p.place + row * p.taps;
  const double* weight = p.weight + row * p.taps;
  constexpr int64_t kBlock = 256;
  double sum[kBlock];
  for (int64_t first = 0; first < p.inner; first += kBlock) {
    const int64_t n = std::min(kBlock, p.inner - first);
    std::fill_n(sum, n, p.inside[row] ? 0.0 : outside);
    for (int64_t t = 0; t < p.taps && p.inside[row]; ++t) {
      if (weight[t] == 0) continue;
      const From* x = in + place[t] * p.inner + first;
      for (int64_t i = 0; i < n; ++i) sum[i] += weight[t] * static_cast<double>(x[i]);
    }
    for (int64_t i = 0; i < n; ++i) out[first + i] = stored<To>(sum[i]);
  }
}

template <class From, class To>
void blend(const From* in, const Pass& p, double outside, To* out) {
  parallel_ranges(p.outer * p.out, grain_of(p.inner * p.taps), [=, &p](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      blend_row(in + row / p.out * p.in * p.inner, p, row % p.out, outside, out + row * p.inner);
  });
}

template <class E>
void choose(const E* in, const Pass& p, E outside, E* out) {
  parallel_ranges(p.outer * p.out, grain_of(p.inner), [=, &p](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t at = row % p.out;
      const E* from = in + (row / p.out * p.in + p.place[at]) * p.inner;
      if (!p.inside[at]) std::fill_n(out + row * p.inner, p.inner, outside);
      else if (p.inner == 1) out[row] = *from;
      else std::memcpy(out + row * p.inner, from, static_cast<size_t>(p.inner) * sizeof(E));
    }
  });
}

// Calls run(pass, index, last) for each axis that changes, innermost first.
template <class F>
void for_passes(const Compute& c, const ResizeSpec& spec, const Work& work, F&& run) {
  Shape shape = c.in(0).shape();
  int64_t left = 0, index = 0;
  for (uint32_t d = 0; d < spec.rank; ++d) left += spec.axes[d].plain() ? 0 : 1;
  for (uint32_t d = spec.rank; d-- > 0;) {
    if (spec.axes[d].plain()) continue;
    const AxisSampler sampler(spec, d);
    Pass p{1, spec.axes[d].in, spec.axes[d].out, 1, sampler.taps(), work.places(c.work()), work.weights(c.work()), work.insides(c.work())};
    for (uint32_t k = 0; k < d; ++k) p.outer *= shape[k];
    for (uint32_t k = d + 1; k < spec.rank; ++k) p.inner *= shape[k];
    for (int64_t at = 0; at < p.out; ++at)
      work.insides(c.work())[at] = sampler.sample(at, work.places(c.work()) + at * p.taps, work.weights(c.work()) + at * p.taps);
    run(p, index++, --left == 0);
    shape[d] = p.out;
  }
}

template <class E>
void choose_all(Compute& c, const ResizeSpec& spec, const Work& work, E outside) {
  const E* from = c.in(0).as<E>();
  for_passes(c, spec, work, [&](const Pass& p, int64_t index, bool last) {
    E* to = last ? c.out(0).as<E>() : reinterpret_cast<E*>(work.buffer(c.work(), index % 2));
    choose(from, p, outside, to);
    from = to;
  });
}

template <class T>
void blend_all(Compute& c, const ResizeSpec& spec, const Work& work) {
  const double* between = nullptr;
  for_passes(c, spec, work, [&](const Pass& p, int64_t index, bool last) {
    double* next = reinterpret_cast<double*>(work.buffer(c.work(), index % 2));
    if (index == 0 && last) blend(c.in(0).as<T>(), p, spec.outside, c.out(0).as<T>());
    else if (index == 0) blend(c.in(0).as<T>(), p, spec.outside, next);
    else if (last) blend(between, p, spec.outside, c.out(0).as<T>());
    else blend(between, p, spec.outside, next);
    between = next;
  });
}

// The bits of `value` in the type of the elements; zero in those that hold no numbers.
template <class E>
E element_of(DType dtype, double value) {
  E bits{};
  if (contains(NUMBERS, dtype))
    with_type<NUMBERS>(dtype, [&]<class T>() {
      const T number = number_cast<T>(value);
      if constexpr (sizeof(T) == sizeof(E)) std::memcpy(&bits, &number, sizeof(E));
    });
  return bits;
}

}  // namespace

void infer_resize(Infer& infer) {
  const ResizeSpec spec = resize_spec(infer.attrs(), infer.shape(0), value_of, &infer);
  if (spec.mode != Interpolation::Nearest && !contains(NUMBERS, infer.in(0).dtype))
    fail(DBK_UNIMPLEMENTED, "mode '{}' of {}", infer.attrs().text("mode"), to_string(infer.in(0).dtype));
  Shape out;
  for (uint32_t d = 0; d < spec.rank; ++d) out.push_back(spec.axes[d].out);
  infer.out(0, infer.in(0).dtype, out);
}

int64_t resize_work_bytes(const Compute& c) { return Work(c.in(0).type, spec_of(c)).bytes(); }

void compute_resize(Compute& c) {
  const DType dtype = c.in(0).type.dtype;
  if (c.out(0).count() == 0) return;
  const ResizeSpec spec = spec_of(c);
  if (std::all_of(spec.axes.begin(), spec.axes.begin() + spec.rank, [](const ResizeAxis& a) { return a.plain(); }))
    return copy_bytes(c.in(0).data, c.out(0).data, c.in(0).type.bytes());
  const Work work(c.in(0).type, spec);
  if (spec.mode == Interpolation::Nearest)
    with_element_size(dtype, [&]<class E>() { choose_all<E>(c, spec, work, element_of<E>(dtype, spec.outside)); });
  else
    with_type<NUMBERS>(dtype, [&]<class T>() { blend_all<T>(c, spec, work); });
}

extern constinit const HostOp host_resize{MOVABLE, kResizeInputs, infer_resize, compute_resize, 0, nullptr, 0, resize_work_bytes};

}  // namespace dbk

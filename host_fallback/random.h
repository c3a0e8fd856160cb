// Frame of the ops that make random numbers: every element is a function of the seed and of its place. A seed is a number of any size; 0 where
// a node has none (the plugin gives such nodes their own before they get here). An op is a functor with
//   explicit F(const Attributes&)  and  template <class T> T element(const Philox&, uint64_t i) const
#pragma once

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/philox.h"

namespace dbk {

inline Philox generator_of(const Attributes& attrs) {
  const AttributeValue* seed = attrs.find("seed");
  if (!seed) return Philox(0);
  if (const int64_t* whole = std::get_if<int64_t>(seed)) return Philox(static_cast<uint64_t>(*whole));
  return Philox(std::bit_cast<uint64_t>(attrs.real("seed")));
}

// The type that attribute dtype names, among `allowed`.
inline DType random_dtype(const Attributes& attrs, DTypeSet allowed) {
  const DType dtype = dtype_of_onnx(attrs.integer("dtype"));
  if (!contains(allowed, dtype)) fail(DBK_INVALID_ARGUMENT, "dtype is {}, not one of {}", attrs.integer("dtype"), to_string_set(allowed));
  return dtype;
}

inline void infer_random(Infer& infer) {
  const Shape shape(infer.attrs().integers("shape"));
  for (int64_t extent : shape)
    if (extent < 0) fail(DBK_INVALID_ARGUMENT, "shape is {}", to_string(shape));
  infer.out(0, random_dtype(infer.attrs(), FLOATS), shape);
}

inline void infer_random_like(Infer& infer) {
  const DType dtype = infer.attrs().has("dtype") ? random_dtype(infer.attrs(), FLOATS) : infer.in(0).dtype;
  if (!contains(FLOATS, dtype)) fail(DBK_INVALID_ARGUMENT, "the input is {}: dtype is needed", to_string(dtype));
  infer.out(0, dtype, infer.shape(0));
}

template <class F>
void compute_random(Compute& c) {
  const F f(c.attrs());
  const Philox generator = generator_of(c.attrs());
  with_type<FLOATS>(c.out(0).type.dtype, [&]<class T>() {
    T* out = c.out(0).as<T>();
    parallel_ranges(c.out(0).count(), grain_of(16), [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) out[i] = f.template element<T>(generator, static_cast<uint64_t>(i));
    });
  });
}

struct Uniform {
  double low, high;
  explicit Uniform(const Attributes& attrs) : low(attrs.real("low")), high(attrs.real("high")) {}
  // Below `high` in the element's own type, too.
  template <class T>
  T element(const Philox& generator, uint64_t i) const {
    const T value = number_cast<T>(low + (high - low) * generator.uniform(i));
    return static_cast<double>(value) >= high && low < high ? number_cast<T>(low) : value;
  }
};

struct Normal {
  double mean, scale;
  explicit Normal(const Attributes& attrs) : mean(attrs.real("mean")), scale(attrs.real("scale")) {}
  template <class T>
  T element(const Philox& generator, uint64_t i) const {
    return number_cast<T>(mean + scale * generator.normal(i));
  }
};

}  // namespace dbk

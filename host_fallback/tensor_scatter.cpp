// TensorScatter: a copy of a cache in which each batch has an update written from its own position on.
#include "host_fallback/tensor_scatter.h"

#include "host_fallback/movement.h"
#include "host_fallback/packed.h"

namespace dbk {

namespace {

constexpr size_t kCache = 0, kUpdate = 1, kStart = 2;

void infer(Infer& infer) {
  tensor_scatter_of(infer.attrs(), OperandTypes(infer));
  infer.out(0, infer.in(kCache).dtype, infer.shape(kCache));
}

int64_t start_of(const Compute& c, int64_t batch) { return c.has(kStart) ? c.in(kStart).as<int64_t>()[batch] : 0; }

void check_starts(const TensorScatter& t, const Compute& c) {
  const int64_t most = t.circular ? INT32_MAX : t.extent - t.length;
  for (int64_t b = 0; b < t.batch; ++b)
    if (const int64_t start = start_of(c, b); start < 0 || start > most)
      fail(DBK_OUT_OF_RANGE, "write_indices has {} at position {}, which is outside [0, {}]", start, b, most);
}

// Calls f(first element of the update, first element of the cache) for each run of t.inner elements of rows [begin, end).
template <class F>
void for_updates(const Compute& c, const TensorScatter& t, int64_t begin, int64_t end, F f) {
  for (int64_t row = begin; row < end; ++row)
    for (int64_t i = 0; i < t.length; ++i) {
      const int64_t to = (start_of(c, row / t.outer) + i) % t.extent;
      f((row * t.length + i) * t.inner, (row * t.extent + to) * t.inner);
    }
}

// Elements that share bytes, one by one.
void scatter_codes(Compute& c, const TensorScatter& t) {
  const uint32_t bits = bits_of(c.in(kCache).type.dtype);
  const auto* update = c.in(kUpdate).as<uint8_t>();
  auto* out = c.out(0).as<uint8_t>();
  for_updates(c, t, 0, t.batch * t.outer, [=](int64_t from, int64_t to) {
    for (int64_t j = 0; j < t.inner; ++j) replace_packed_code(out, bits, to + j, packed_code(update, bits, from + j));
  });
}

void compute(Compute& c) {
  const TensorScatter t = tensor_scatter_of(c.attrs(), OperandTypes(c));
  check_starts(t, c);
  copy_bytes(c.in(kCache).data, c.out(0).data, c.out(0).type.bytes());
  if (c.in(kUpdate).count() == 0) return;
  if (bits_of(c.in(kCache).type.dtype) < 8) return scatter_codes(c, t);
  with_element_size(c.in(kCache).type.dtype, [&]<class E>() {
    const E* update = c.in(kUpdate).as<E>();
    E* out = c.out(0).as<E>();
    parallel_ranges(t.batch * t.outer, grain_of(t.length * t.inner), [&c, t, update, out](int64_t begin, int64_t end) {
      for_updates(c, t, begin, end, [=](int64_t from, int64_t to) { std::copy_n(update + from, t.inner, out + to); });
    });
  });
}

}  // namespace

TensorScatter tensor_scatter_of(const Attributes& attrs, const OperandTypes& in) {
  const Shape &cache = in.shape(kCache), &update = in.shape(kUpdate);
  const uint32_t axis = normalize_axis(attrs.integer("axis"), cache.rank());
  if (axis == 0) fail(DBK_INVALID_ARGUMENT, "axis is {}, the batch's", attrs.integer("axis"));
  const std::string& mode = attrs.text("mode");
  if (mode != "linear" && mode != "circular") fail(DBK_INVALID_ARGUMENT, "mode is '{}', neither linear nor circular", mode);
  Shape expected = cache;
  if (update.rank() == cache.rank() && update[axis] <= cache[axis]) expected[axis] = update[axis];
  if (update != expected)
    fail(DBK_INVALID_ARGUMENT, "an update of shape {} does not fit a cache of shape {} along axis {}", to_string(update), to_string(cache), axis);
  if (in.has(kStart) && in.shape(kStart) != Shape{cache[0]})
    fail(DBK_INVALID_ARGUMENT, "write_indices are {}, not {}", to_string(in.shape(kStart)), to_string(Shape{cache[0]}));
  TensorScatter t{.batch = cache[0], .extent = cache[axis], .length = update[axis], .circular = mode == "circular"};
  for (uint32_t d = 1; d < cache.rank(); ++d)
    if (d != axis) (d < axis ? t.outer : t.inner) *= cache[d];
  return t;
}

extern constinit const HostOp host_tensor_scatter{STORED, 0, infer, compute};

}  // namespace dbk

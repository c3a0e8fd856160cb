// OneHot: an axis of `depth` places is added at `axis`; each index has values[1] at its place, values[0] elsewhere. Indices
// outside [-depth, depth) have values[0] everywhere.
#include "host_fallback/lines.h"
#include "host_fallback/movement.h"
#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

int64_t depth_of(const Tensor& depth) {
  int64_t value = 0;
  with_type<NUMBERS>(depth.type.dtype, [&]<class T>() { value = number_cast<int64_t>(*depth.as<T>()); });
  return value;
}

void infer(Infer& infer) {
  if (infer.value(1).count() != 1) fail(DBK_INVALID_ARGUMENT, "depth has shape {}, not one element", to_string(infer.shape(1)));
  if (infer.shape(2) != Shape{2}) fail(DBK_INVALID_ARGUMENT, "values have shape {}, not [2]", to_string(infer.shape(2)));
  const int64_t depth = depth_of(infer.value(1));
  if (depth < 0) fail(DBK_INVALID_ARGUMENT, "depth is {}", depth);
  const Shape& in = infer.shape(0);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), in.rank() + 1);
  Shape out;
  for (uint32_t d = 0; d <= in.rank(); ++d) out.push_back(d == axis ? depth : in[d - (d > axis)]);
  infer.out(0, infer.in(2).dtype, out);
}

// Of `extent` places the one that an index names, -1 where it names none.
template <class I>
int64_t place_of(I index, int64_t extent) {
  if constexpr (std::is_unsigned_v<I>) return index < static_cast<uint64_t>(extent) ? static_cast<int64_t>(index) : -1;
  const int64_t wanted = number_cast<int64_t>(index);
  return wanted < 0 ? wanted + extent : wanted;
}

template <class E, class I>
void fill(const I* index, const E* values, E* out, const Lines& lines) {
  parallel_ranges(lines.count(), grain_of(lines.n), [=](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const int64_t place = place_of(index[line], lines.n);
      for (int64_t i = 0; i < lines.n; ++i) out[lines.first(line) + i * lines.inner] = values[i == place];
    }
  });
}

void compute(Compute& c) {
  const Shape& out = c.out(0).shape();
  const Lines lines = lines_of(out, normalize_axis(c.attrs().integer("axis"), out.rank()));
  if (c.out(0).count() == 0) return;
  with_type<NUMBERS>(c.in(0).type.dtype, [&]<class I>() {
    with_element_size(c.out(0).type.dtype, [&]<class E>() { fill(c.in(0).as<I>(), c.in(2).as<E>(), c.out(0).as<E>(), lines); });
  });
}

}  // namespace

extern constinit const HostOp host_one_hot{NUMBERS, 1u << 1, infer, compute};

}  // namespace dbk

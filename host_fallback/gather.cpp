// Gather: slices of the input along `axis`, at the given indices; negative ones count from the end. Every index is
// checked before anything is copied.
#include "host_fallback/op.h"
#include "host_fallback/index_check.h"
#include "host_fallback/movement.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape &data = infer.shape(0), &indices = infer.shape(1);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), data.rank());
  Shape out;
  for (uint32_t d = 0; d < axis; ++d) out.push_back(data[d]);
  for (int64_t d : indices) out.push_back(d);
  for (uint32_t d = axis + 1; d < data.rank(); ++d) out.push_back(data[d]);
  infer.out(0, infer.in(0).dtype, out);
}

// The input as [outer, extent, inner].
struct Extents {
  int64_t outer = 1, extent = 1, inner = 1;
};

template <class E, class I>
void gather(const Extents& e, const E* in, const I* index, int64_t indices, E* out) {
  parallel_ranges(e.outer * indices, grain_of(e.inner), [=](int64_t begin, int64_t end) {
    int64_t position = begin % indices, base = begin / indices * e.extent;
    for (int64_t block = begin; block < end; ++block) {
      const int64_t i = index[position];
      const E* from = in + (base + (i < 0 ? i + e.extent : i)) * e.inner;
      if (e.inner == 1)
        out[block] = *from;
      else
        std::memcpy(out + block * e.inner, from, static_cast<size_t>(e.inner) * sizeof(E));
      if (++position < indices) continue;
      position = 0;
      base += e.extent;
    }
  });
}

void compute(Compute& c) {
  const Shape& data = c.in(0).shape();
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), data.rank());
  Extents e;
  for (uint32_t d = 0; d < data.rank(); ++d) (d < axis ? e.outer : d > axis ? e.inner : e.extent) *= data[d];
  with_type<I32 | I64>(c.in(1).type.dtype, [&]<class I>() {
    check_indices<I>(c.in(1), e.extent);
    if (c.out(0).count() == 0) return;
    with_element_size(c.in(0).type.dtype, [&]<class E>() {
      gather(e, c.in(0).as<E>(), c.in(1).as<I>(), c.in(1).count(), c.out(0).as<E>());
    });
  });
}

}  // namespace

extern constinit const HostOp host_gather{MOVABLE, 0, infer, compute};

}  // namespace dbk

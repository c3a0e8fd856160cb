// ScatterND: the data, with slices of the updates brought to the coordinates that the last axis of the indices holds. Every
// index is checked before anything is written; negative ones count from the end.
#include "host_fallback/scatter.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape &data = infer.shape(0), &indices = infer.shape(1), &updates = infer.shape(2);
  checked_reduction(infer);
  if (data.rank() < 1 || indices.rank() < 1)
    fail(DBK_INVALID_ARGUMENT, "data and indices have ranks {} and {}, not at least 1", data.rank(), indices.rank());
  const int64_t depth = indices[indices.rank() - 1];
  if (depth > data.rank()) fail(DBK_INVALID_ARGUMENT, "coordinates have {} numbers, the data {} axes", depth, data.rank());
  Shape wanted;
  for (uint32_t d = 0; d + 1 < indices.rank(); ++d) wanted.push_back(indices[d]);
  for (uint32_t d = static_cast<uint32_t>(depth); d < data.rank(); ++d) wanted.push_back(data[d]);
  if (updates != wanted)
    fail(DBK_INVALID_ARGUMENT, "updates have shape {}, data and indices want {}", to_string(updates), to_string(wanted));
  infer.out(0, infer.in(0).dtype, data);
}

struct Layout {
  int64_t tuples, depth, inner = 1;
  Shape strides;
};

void check_tuples(const Layout& layout, const Shape& data, const int64_t* index) {
  for (int64_t t = 0; t < layout.tuples; ++t)
    for (int64_t k = 0; k < layout.depth; ++k)
      if (const int64_t i = index[t * layout.depth + k], extent = data[static_cast<size_t>(k)]; i < -extent || i >= extent)
        fail(DBK_OUT_OF_RANGE, "indices has {} at position {}, which is outside [{}, {})", i, t * layout.depth + k, -extent, extent);
}

void compute(Compute& c) {
  const Shape &data = c.in(0).shape(), &indices = c.in(1).shape();
  Layout layout{0, indices[indices.rank() - 1], 1, dense_strides(data)};
  layout.tuples = 1;
  for (uint32_t d = 0; d + 1 < indices.rank(); ++d) layout.tuples *= indices[d];
  for (uint32_t d = static_cast<uint32_t>(layout.depth); d < data.rank(); ++d) layout.inner *= data[d];
  const int64_t* index = c.in(1).as<int64_t>();
  check_tuples(layout, data, index);
  copy_bytes(c.in(0).data, c.out(0).data, c.out(0).type.bytes());
  const Reduction reduction = reduction_of(c.attrs());
  with_update_type(c.in(0).type.dtype, reduction, [&]<class T>() {
    const T* update = c.in(2).as<T>();
    for (int64_t t = 0; t < layout.tuples; ++t) {
      int64_t offset = 0;
      for (int64_t k = 0; k < layout.depth; ++k) {
        const int64_t i = index[t * layout.depth + k];
        offset += (i < 0 ? i + data[static_cast<size_t>(k)] : i) * layout.strides[static_cast<size_t>(k)];
      }
      for (int64_t j = 0; j < layout.inner; ++j) apply_update(reduction, c.out(0).as<T>()[offset + j], update[t * layout.inner + j]);
    }
  });
}

}  // namespace

extern constinit const HostOp host_scatter_nd{kScattered, 0, infer, compute};

}  // namespace dbk

// GatherND: the last axis of the indices holds coordinates in the first axes of the data, behind `batch_dims` axes that
// both share; each picks a slice. Every index is checked before anything is copied; negative ones count from the end.
#include "host_fallback/op.h"
#include "host_fallback/movement.h"

namespace dbk {

namespace {

int64_t batch_dims_of(const Attributes& attrs) { return attrs.integer_or("batch_dims", 0); }

void infer(Infer& infer) {
  const Shape &data = infer.shape(0), &indices = infer.shape(1);
  const int64_t batch = batch_dims_of(infer.attrs()), data_rank = data.rank(), index_rank = indices.rank();
  if (data_rank < 1 || index_rank < 1) fail(DBK_INVALID_ARGUMENT, "data and indices have ranks {} and {}, not at least 1", data_rank, index_rank);
  if (batch < 0 || batch >= std::min(data_rank, index_rank))
    fail(DBK_INVALID_ARGUMENT, "batch_dims {} is outside [0, {})", batch, std::min(data_rank, index_rank));
  const int64_t depth = indices[indices.rank() - 1];
  if (depth < 1 || depth > data_rank - batch)
    fail(DBK_INVALID_ARGUMENT, "coordinates have {} numbers, and {} axes of the data follow batch_dims", depth, data_rank - batch);
  Shape out;
  for (uint32_t d = 0; d < batch; ++d)
    if (data[d] != indices[d])
      fail(DBK_INVALID_ARGUMENT, "batch axis {} has extent {} in the data and {} in the indices", d, data[d], indices[d]);
  for (uint32_t d = 0; d + 1 < indices.rank(); ++d) out.push_back(indices[d]);
  for (int64_t d = batch + depth; d < data_rank; ++d) out.push_back(data[static_cast<size_t>(d)]);
  infer.out(0, infer.in(0).dtype, out);
}

// The data as [batches, indexed axes..., inner].
struct Layout {
  int64_t batches = 1, inner = 1, depth, tuples;  // tuples: of all batches
  const int64_t* extents;                         // of the indexed axes
  const int64_t* strides;
};

int64_t offset_of(const Layout& layout, const int64_t* tuple) {
  int64_t offset = 0;
  for (int64_t k = 0; k < layout.depth; ++k)
    offset += (tuple[k] < 0 ? tuple[k] + layout.extents[k] : tuple[k]) * layout.strides[k];
  return offset;
}

void check_indices(const Layout& layout, const int64_t* index) {
  for (int64_t t = 0; t < layout.tuples; ++t)
    for (int64_t k = 0; k < layout.depth; ++k)
      if (const int64_t i = index[t * layout.depth + k]; i < -layout.extents[k] || i >= layout.extents[k])
        fail(DBK_OUT_OF_RANGE, "indices has {} at position {}, which is outside [{}, {})", i, t * layout.depth + k, -layout.extents[k], layout.extents[k]);
}

void compute(Compute& c) {
  const Shape &data = c.in(0).shape(), &indices = c.in(1).shape(), strides = dense_strides(data);
  const auto batch = static_cast<uint32_t>(batch_dims_of(c.attrs()));
  Layout layout;
  layout.depth = indices[indices.rank() - 1];
  layout.tuples = c.in(1).count() / layout.depth;
  layout.extents = data.data() + batch;
  layout.strides = strides.data() + batch;
  for (uint32_t d = 0; d < batch; ++d) layout.batches *= data[d];
  for (uint32_t d = batch + static_cast<uint32_t>(layout.depth); d < data.rank(); ++d) layout.inner *= data[d];
  const int64_t* index = c.in(1).as<int64_t>();
  check_indices(layout, index);
  if (c.out(0).count() == 0) return;
  const int64_t per_batch = layout.tuples / layout.batches, batch_size = c.in(0).count() / layout.batches;
  with_element_size(c.in(0).type.dtype, [&]<class E>() {
    const E* in = c.in(0).as<E>();
    E* out = c.out(0).as<E>();
    parallel_ranges(layout.tuples, grain_of(layout.inner), [&layout, in, out, index, per_batch, batch_size](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t)
        std::memcpy(out + t * layout.inner, in + t / per_batch * batch_size + offset_of(layout, index + t * layout.depth),
                    static_cast<size_t>(layout.inner) * sizeof(E));
    });
  });
}

}  // namespace

extern constinit const HostOp host_gather_nd{MOVABLE, 0, infer, compute};

}  // namespace dbk

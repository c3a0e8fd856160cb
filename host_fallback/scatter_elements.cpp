// ScatterElements: the data, with each update brought, along `axis`, to the line that has its other coordinates. Every index
// is checked before anything is written.
#include "host_fallback/index_check.h"
#include "host_fallback/scatter.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape &data = infer.shape(0), &indices = infer.shape(1), &updates = infer.shape(2);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), data.rank());
  checked_reduction(infer);
  bool fits = data.rank() == indices.rank();
  for (uint32_t d = 0; fits && d < data.rank(); ++d) fits = d == axis || indices[d] <= data[d];
  if (!fits || updates != indices)
    fail(DBK_INVALID_ARGUMENT, "indices of shape {} and updates of shape {} do not fit data of shape {} along axis {}",
         to_string(indices), to_string(updates), to_string(data), axis);
  infer.out(0, infer.in(0).dtype, data);
}

template <class T, class I>
void scatter(const Compute& c, Tensor& out, Reduction reduction) {
  const Shape& data = out.shape();
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), data.rank());
  Shape strides = dense_strides(data);
  const int64_t step = strides[axis], extent = data[axis];
  strides[axis] = 0;
  const StridedLoop<1> loop(c.in(1).shape(), {strides});
  const I* index = c.in(1).as<I>();
  const T* update = c.in(2).as<T>();
  T* to = out.as<T>();
  for_runs(loop, 0, c.in(1).count(), [&](int64_t first, const Offsets<1>& at, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      const int64_t place = index[first + i] < 0 ? index[first + i] + extent : index[first + i];
      apply_update(reduction, to[at[0] + i * loop.step(0) + place * step], update[first + i]);
    }
  });
}

void compute(Compute& c) {
  const Shape& data = c.in(0).shape();
  const int64_t extent = data[normalize_axis(c.attrs().integer("axis"), data.rank())];
  const Reduction reduction = reduction_of(c.attrs());
  with_type<I32 | I64>(c.in(1).type.dtype, [&]<class I>() {
    check_indices<I>(c.in(1), extent);
    copy_bytes(c.in(0).data, c.out(0).data, c.out(0).type.bytes());
    if (c.in(1).count() == 0) return;
    with_update_type(c.in(0).type.dtype, reduction, [&]<class T>() { scatter<T, I>(c, c.out(0), reduction); });
  });
}

}  // namespace

extern constinit const HostOp host_scatter_elements{kScattered, 0, infer, compute};

}  // namespace dbk

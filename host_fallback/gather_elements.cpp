// GatherElements: the output has the shape of the indices; each picks, along `axis`, from the line of the data that has its
// other coordinates.
#include "host_fallback/index_check.h"
#include "host_fallback/movement.h"
#include "host_fallback/op.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape &data = infer.shape(0), &indices = infer.shape(1);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), data.rank());
  bool fits = data.rank() == indices.rank();
  for (uint32_t d = 0; fits && d < data.rank(); ++d) fits = d == axis || indices[d] <= data[d];
  if (!fits)
    fail(DBK_INVALID_ARGUMENT, "indices of shape {} do not fit data of shape {} along axis {}", to_string(indices),
         to_string(data), axis);
  infer.out(0, infer.in(0).dtype, indices);
}

template <class E, class I>
void gather(const Compute& c, Tensor& out) {
  const Shape& data = c.in(0).shape();
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), data.rank());
  const int64_t extent = data[axis];
  Shape strides = dense_strides(data);
  const int64_t step = strides[axis];
  strides[axis] = 0;  // the index decides there
  const StridedLoop<1> loop(out.shape(), {strides});
  const E* from = c.in(0).as<E>();
  const I* index = c.in(1).as<I>();
  E* to = out.as<E>();
  parallel_ranges(out.count(), kElementGrain, [&loop, from, index, to, extent, step](int64_t begin, int64_t end) {
    for_runs(loop, begin, end, [&](int64_t first, const Offsets<1>& at, int64_t n) {
      for (int64_t i = 0; i < n; ++i) {
        const int64_t place = index[first + i];
        to[first + i] = from[at[0] + i * loop.step(0) + (place < 0 ? place + extent : place) * step];
      }
    });
  });
}

void compute(Compute& c) {
  const Shape& data = c.in(0).shape();
  const int64_t extent = data[normalize_axis(c.attrs().integer("axis"), data.rank())];
  with_type<I32 | I64>(c.in(1).type.dtype, [&]<class I>() {
    check_indices<I>(c.in(1), extent);
    if (c.out(0).count() == 0) return;
    with_element_size(c.in(0).type.dtype, [&]<class E>() { gather<E, I>(c, c.out(0)); });
  });
}

}  // namespace

extern constinit const HostOp host_gather_elements{MOVABLE, 0, infer, compute};

}  // namespace dbk

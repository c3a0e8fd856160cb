// ArrayFeatureExtractor: the elements of the last axis at the given places. A vector counts as a matrix of one row.
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  if (x.rank() == 0) fail(DBK_INVALID_ARGUMENT, "the input has no axis");
  Shape out = x.rank() == 1 ? Shape{1, 0} : x;
  out[out.rank() - 1] = infer.in(1).count();
  infer.out(0, infer.in(0).dtype, out);
}

void compute(Compute& c) {
  const Shape& x = c.in(0).shape();
  const int64_t extent = x[x.rank() - 1], places = c.in(1).count(), count = c.out(0).count();
  const int64_t* index = c.in(1).as<int64_t>();
  for (int64_t i = 0; i < places; ++i)
    if (index[i] < 0 || index[i] >= extent)
      fail(DBK_OUT_OF_RANGE, "Y has {} at position {}, which is outside [0, {})", index[i], i, extent);
  with_element_size(c.in(0).type.dtype, [&]<class E>() {
    for (int64_t i = 0; i < count; ++i) c.out(0).as<E>()[i] = c.in(0).as<E>()[i / places * extent + index[i % places]];
  });
}

}  // namespace

extern constinit const HostOp host_array_feature_extractor{F32 | F64 | I32 | I64, 0, infer, compute};

}  // namespace dbk

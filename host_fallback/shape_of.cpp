// Shape: the extents of the input, or since version 15 of its axes from `start` to `end`, as NumPy slices them.
#include <algorithm>

#include "host_fallback/op.h"

namespace dbk {

namespace {

struct Range {
  int64_t first, last;
};

Range range_of(const Attributes& attrs, int64_t rank) {
  const auto place = [&](std::string_view name, int64_t otherwise) {
    const int64_t at = attrs.integer_or(name, otherwise);
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t first = place("start", 0);
  return {first, std::max(first, place("end", rank))};
}

void infer(Infer& infer) {
  const Range range = range_of(infer.attrs(), infer.shape(0).rank());
  infer.out(0, DBK_I64, {range.last - range.first});
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const Range range = range_of(c.attrs(), shape.rank());
  std::copy(shape.begin() + range.first, shape.begin() + range.last, c.out(0).as<int64_t>());
}

}  // namespace

extern constinit const HostOp host_shape_of{.dtypes = STORED, .shape_inputs = 0, .infer = infer, .compute = compute, .type_inputs = 1};

}  // namespace dbk

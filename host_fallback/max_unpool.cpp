// MaxUnpool: what MaxPool kept goes back to where its indices say, the rest is 0. Indices count within a tensor of the shape that the
// attributes give; a larger output_shape puts that into its corner.
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

// The shape before pooling, as the attributes tell it.
Shape unpooled(const Attributes& attrs, const Shape& x) {
  const std::vector<int64_t>& kernel = attrs.integers("kernel_shape");
  if (x.rank() < 3 || kernel.size() != x.rank() - 2)
    fail(DBK_INVALID_ARGUMENT, "kernel_shape has {} numbers for an input of shape {}", kernel.size(), to_string(x));
  const auto entry = [&](const char* name, size_t i, size_t wanted, int64_t otherwise) {
    if (!attrs.has(name)) return otherwise;
    const std::vector<int64_t>& list = attrs.integers(name);
    if (list.size() != wanted) fail(DBK_INVALID_ARGUMENT, "{} has {} numbers, not {}", name, list.size(), wanted);
    if (list[i] < 0 || list[i] > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "{} has {}", name, list[i]);
    return list[i];
  };
  Shape shape{x[0], x[1]};
  const size_t axes = kernel.size();
  for (size_t i = 0; i < axes; ++i) {
    if (kernel[i] < 1 || kernel[i] > INT32_MAX) fail(DBK_INVALID_ARGUMENT, "kernel_shape has {}", kernel[i]);
    const int64_t pads = entry("pads", i, 2 * axes, 0) + entry("pads", axes + i, 2 * axes, 0);
    const int64_t extent = (x[i + 2] - 1) * entry("strides", i, axes, 1) - pads + kernel[i];
    shape.push_back(std::max<int64_t>(extent, 0));
  }
  return shape;
}

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  if (!(infer.shape(1) == x)) fail(DBK_INVALID_ARGUMENT, "indices are {}, the input {}", to_string(infer.shape(1)), to_string(x));
  Shape shape = unpooled(infer.attrs(), x);
  if (infer.has(2)) {
    const Shape wanted(to_integers(infer.value(2)));
    bool fits = wanted.rank() == shape.rank();
    for (uint32_t d = 0; fits && d < shape.rank(); ++d) fits = wanted[d] >= shape[d];
    if (!fits) fail(DBK_INVALID_ARGUMENT, "output_shape is {}, smaller than {}", to_string(wanted), to_string(shape));
    shape = wanted;
  }
  infer.out(0, infer.in(0).dtype, shape);
}

// Offset in the output of element `index` of the unpooled tensor.
int64_t offset_of(int64_t index, const Shape& unpooled, const Shape& strides) {
  int64_t offset = 0;
  for (uint32_t d = unpooled.rank(); d-- > 0; index /= unpooled[d]) offset += index % unpooled[d] * strides[d];
  return offset;
}

void compute(Compute& c) {
  const Shape shape = unpooled(c.attrs(), c.in(0).shape()), strides = dense_strides(c.out(0).shape());
  const int64_t* indices = c.in(1).as<int64_t>();
  const int64_t places = shape.count();
  with_element_size(c.in(0).type.dtype, [&]<class E>() {
    std::fill_n(c.out(0).as<E>(), c.out(0).count(), E{});
    for (int64_t i = 0, n = c.in(0).count(); i < n; ++i) {
      if (indices[i] < 0 || indices[i] >= places)
        fail(DBK_OUT_OF_RANGE, "I has {} at position {}, which is outside [0, {})", indices[i], i, places);
      c.out(0).as<E>()[offset_of(indices[i], shape, strides)] = c.in(0).as<E>()[i];
    }
  });
}

}  // namespace

extern constinit const HostOp host_max_unpool{FLOATS, 0b100, infer, compute};

}  // namespace dbk

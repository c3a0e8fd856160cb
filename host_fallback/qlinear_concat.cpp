// QLinearConcat: tensors of codes one after another along `axis`, each with its own scale and zero point, in codes of
// the result. Inputs are the result's scale and zero point, then (tensor, scale, zero point) of each operand.
#include "host_fallback/qlinear_elementwise.h"

namespace dbk {

namespace {

constexpr size_t kFirst = 2, kPerTensor = 3;

void infer(Infer& infer) {
  require_scale_and_zero(infer, 0, "Y_scale or Y_zero_point");
  const size_t given = infer.input_count() - kFirst;
  if (given == 0 || given % kPerTensor != 0)
    fail(DBK_INVALID_ARGUMENT, "{} inputs after Y_zero_point, not threes", given);
  const DType dtype = infer.in(1).dtype;
  Shape out = infer.shape(kFirst);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), out.rank());
  out[axis] = 0;
  for (size_t i = kFirst; i < infer.input_count(); i += kPerTensor) {
    if (infer.in(i).dtype != dtype || infer.in(i + 1).dtype != DBK_F32 || infer.in(i + 2).dtype != dtype)
      fail(DBK_INVALID_ARGUMENT, "inputs {} to {} are no {} tensor, f32 scale and {} zero point", i, i + 2,
           to_string(dtype), to_string(dtype));
    require_scale_and_zero(infer, i + 1, "a scale or zero point");
    Shape next = infer.shape(i);
    if (next.rank() != out.rank())
      fail(DBK_INVALID_ARGUMENT, "shapes {} and {} have other ranks", to_string(infer.shape(kFirst)), to_string(next));
    const int64_t extent = next[axis];
    next[axis] = out[axis];
    if (next != out)
      fail(DBK_INVALID_ARGUMENT, "shapes {} and {} differ beside axis {}", to_string(infer.shape(kFirst)),
           to_string(infer.shape(i)), axis);
    out[axis] += extent;
  }
  infer.out(0, dtype, out);
}

template <class T>
void concatenate(Compute& c, uint32_t axis) {
  const ScaleAndZero to(c, 0);
  int64_t outer = 1, inner = 1;
  for (uint32_t d = 0; d < axis; ++d) outer *= c.out(0).shape()[d];
  for (uint32_t d = axis + 1; d < c.out(0).shape().rank(); ++d) inner *= c.out(0).shape()[d];
  const int64_t row = c.out(0).shape()[axis] * inner;
  T* out = c.out(0).as<T>();
  for (size_t i = kFirst; i < c.input_count(); i += kPerTensor) {
    T table[256];
    fill_code_table(ScaleAndZero(c, i + 1), to, [](float x) { return x; }, table);
    const int64_t part = c.in(i).shape()[axis] * inner;
    const T* in = c.in(i).as<T>();
    parallel_ranges(outer, grain_of(part), [&table, in, out, part, row](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r)
        for (int64_t j = 0; j < part; ++j) out[r * row + j] = table[static_cast<uint8_t>(in[r * part + j])];
    });
    out += part;
  }
}

void compute(Compute& c) {
  const uint32_t axis = normalize_axis(c.attrs().integer("axis"), c.out(0).shape().rank());
  with_type<kCodeTypes>(c.out(0).type.dtype, [&]<class T>() { concatenate<T>(c, axis); });
}

}  // namespace

extern constinit const HostOp host_qlinear_concat{
    .dtypes = kCodeTypes, .shape_inputs = 0, .infer = infer, .compute = compute, .main_input = 1};

}  // namespace dbk

// EyeLike: a matrix of the input's shape, ones on the diagonal that `k` names and zeros elsewhere, of the type `dtype` or
// the input's.
#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  if (infer.shape(0).rank() != 2) fail(DBK_INVALID_ARGUMENT, "the input has rank {}, not 2", infer.shape(0).rank());
  const DType dtype = infer.attrs().has("dtype") ? dtype_of_onnx(infer.attrs().integer("dtype")) : infer.in(0).dtype;
  if (!contains(PLAIN, dtype)) {
    if (infer.attrs().has("dtype")) fail(DBK_INVALID_ARGUMENT, "dtype is {}, not one of {}", infer.attrs().integer("dtype"), to_string_set(PLAIN));
    fail(DBK_UNIMPLEMENTED, "EyeLike of type {} is not implemented", to_string(dtype));
  }
  infer.out(0, dtype, infer.shape(0));
}

void compute(Compute& c) {
  const int64_t rows = c.out(0).shape()[0], columns = c.out(0).shape()[1];
  const int64_t k = std::clamp(c.attrs().integer("k"), -rows, columns);  // beyond both corners there is no diagonal
  with_type<PLAIN>(c.out(0).type.dtype, [&]<class T>() {
    T* out = c.out(0).as<T>();
    std::fill_n(out, rows * columns, T{});
    for (int64_t row = std::max<int64_t>(-k, 0); row < std::min(rows, columns - k); ++row)
      out[row * columns + row + k] = number_cast<T>(uint8_t{1});
  });
}

}  // namespace

extern constinit const HostOp host_eye_like{.dtypes = PLAIN, .shape_inputs = 0, .infer = infer, .compute = compute, .type_inputs = 1};

}  // namespace dbk

// DFT: the Fourier transform along one axis of real numbers or of pairs in the last axis, cut or filled up with zeros to dft_length. Onesided gives the
// first half of a real signal's spectrum, and onesided with inverse takes one. Computed in double (fft.h).
#include "host_fallback/dft.h"

#include "host_fallback/fft.h"
#include "host_fallback/number_cast.h"

namespace dbk {

DftSpec dft_spec(const Attributes& attrs, const Shape& x, const Tensor* length, const Tensor* axis) {
  const uint32_t rank = x.rank();
  if (rank < 2 || (x[rank - 1] != 1 && x[rank - 1] != 2))
    fail(DBK_INVALID_ARGUMENT, "the input has shape {}, not [..., 1] or [..., 2]", to_string(x));
  DftSpec spec{};
  const auto scalar = [](const Tensor& tensor, const char* name) {
    if (tensor.count() != 1) fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not one number", name, to_string(tensor.shape()));
    return integer_at(tensor, 0);
  };
  spec.axis = normalize_axis(attrs.has("axis") ? attrs.integer("axis") : axis ? scalar(*axis, "axis") : -2, rank);
  if (spec.axis == rank - 1) fail(DBK_INVALID_ARGUMENT, "axis {} holds real and imaginary parts", spec.axis);
  const bool onesided = attrs.integer("onesided") != 0;
  spec.inverse = attrs.integer("inverse") != 0;
  spec.half_in = spec.real_out = spec.inverse && onesided;
  spec.real_in = x[rank - 1] == 1;
  if (onesided && !spec.inverse && !spec.real_in) fail(DBK_INVALID_ARGUMENT, "onesided is 1 for complex numbers");
  if (spec.half_in && spec.real_in) fail(DBK_INVALID_ARGUMENT, "onesided and inverse are 1 for real numbers");
  const int64_t extent = x[spec.axis];
  spec.length = length ? scalar(*length, "dft_length") : spec.half_in ? 2 * (extent - 1) : extent;
  if (spec.length < 1 || spec.length > (int64_t{1} << 40)) fail(DBK_INVALID_ARGUMENT, "dft_length is {}", spec.length);
  spec.bins = onesided && !spec.inverse ? spec.length / 2 + 1 : spec.length;
  return spec;
}

namespace {

template <class Args, class Value>
DftSpec spec_of(const Args& args, const Shape& x, Value value) {
  return dft_spec(args.attrs(), x, args.has(1) ? value(1) : nullptr, args.has(2) ? value(2) : nullptr);
}

DftSpec spec_of(const Compute& c) {
  return spec_of(c, c.in(0).shape(), [&](size_t i) { return &c.in(i); });
}

void infer(Infer& infer) {
  const DftSpec spec = spec_of(infer, infer.shape(0), [&](size_t i) { return &infer.value(i); });
  Shape out = infer.shape(0);
  out[spec.axis] = spec.bins;
  out[out.rank() - 1] = spec.real_out ? 1 : 2;
  infer.out(0, infer.in(0).dtype, out);
}

// One line of the input, `step` elements apart.
template <class T>
void read_line(const T* in, int64_t extent, int64_t step, const DftSpec& spec, Complex* line) {
  const int64_t given = std::min(extent, spec.half_in ? spec.length / 2 + 1 : spec.length);
  for (int64_t k = 0; k < given; ++k)
    line[k] = {static_cast<double>(in[k * step]), spec.real_in ? 0 : static_cast<double>(in[k * step + 1])};
  std::fill(line + given, line + spec.length, Complex{});
  if (!spec.half_in) return;
  line[0].im = 0;
  if (spec.length % 2 == 0) line[spec.length / 2].im = 0;
  for (int64_t k = 1; 2 * k < spec.length; ++k) line[spec.length - k] = line[k].conjugate();
}

template <class T>
void transform(Compute& c, const DftSpec& spec) {
  const Shape &x = c.in(0).shape(), &y = c.out(0).shape();
  int64_t outer = 1, inner = 1;
  for (uint32_t d = 0; d < spec.axis; ++d) outer *= x[d];
  for (uint32_t d = spec.axis + 1; d + 1 < x.rank(); ++d) inner *= x[d];
  const int64_t parts_in = spec.real_in ? 1 : 2, parts_out = spec.real_out ? 1 : 2, extent = x[spec.axis];
  const double scale = spec.inverse ? 1 / static_cast<double>(spec.length) : 1;
  Fft fft(spec.length, c.work());
  for (int64_t i = 0; i < outer * inner; ++i) {
    const T* in = c.in(0).as<T>() + (i / inner * extent * inner + i % inner) * parts_in;
    T* out = c.out(0).as<T>() + (i / inner * y[spec.axis] * inner + i % inner) * parts_out;
    read_line(in, extent, inner * parts_in, spec, fft.line());
    fft.transform(spec.inverse);
    for (int64_t k = 0; k < spec.bins; ++k) {
      out[k * inner * parts_out] = number_cast<T>(fft.line()[k].re * scale);
      if (!spec.real_out) out[k * inner * parts_out + 1] = number_cast<T>(fft.line()[k].im * scale);
    }
  }
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() { transform<T>(c, spec_of(c)); });
}

int64_t work_bytes(const Compute& c) { return Fft::work_bytes(spec_of(c).length); }

}  // namespace

extern constinit const HostOp host_dft{FLOATS, 0b110, infer, compute, 0, nullptr, 0, work_bytes};

}  // namespace dbk

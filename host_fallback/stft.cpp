// STFT: the Fourier transforms of frames of a signal, each times the window, frame_step apart. Frames that do not fit are left out.
// Computed in double (fft.h).
#include "host_fallback/stft.h"

#include "host_fallback/fft.h"
#include "host_fallback/number_cast.h"

namespace dbk {

using enum Frames::Input;

Frames stft_frames(const Attributes& attrs, const Shape& signal, const Shape* window, const Tensor& step, const Tensor* length) {
  const bool flat = signal.rank() == 2;  // real numbers without an axis for their parts
  if (signal.rank() < 2 || signal.rank() > 3 || (!flat && signal[2] != 1 && signal[2] != 2))
    fail(DBK_INVALID_ARGUMENT, "the signal has shape {}, not [batch, samples, 1 or 2]", to_string(signal));
  const auto scalar = [](const Tensor& tensor, const char* name) {
    if (tensor.count() != 1 || integer_at(tensor, 0) < 1)
      fail(DBK_INVALID_ARGUMENT, "{} is {}", name, tensor.count() == 1 ? integer_at(tensor, 0) : 0);
    return integer_at(tensor, 0);
  };
  Frames f{signal[0], signal[1], signal[1], scalar(step, "frame_step"), 0, 0, flat || signal[2] == 1};
  if (window) {
    if (window->rank() != 1) fail(DBK_INVALID_ARGUMENT, "the window has shape {}", to_string(*window));
    f.length = (*window)[0];
  }
  if (length) {
    const int64_t given = scalar(*length, "frame_length");
    if (window && given != f.length) fail(DBK_INVALID_ARGUMENT, "frame_length is {}, the window has {}", given, f.length);
    f.length = given;
  }
  if (f.length < 1) fail(DBK_INVALID_ARGUMENT, "frames have {} samples", f.length);
  const bool onesided = attrs.integer("onesided") != 0;
  if (onesided && !f.real) fail(DBK_INVALID_ARGUMENT, "onesided is 1 for complex numbers");
  f.count = f.samples < f.length ? 0 : (f.samples - f.length) / f.step + 1;
  f.bins = onesided ? f.length / 2 + 1 : f.length;
  return f;
}

namespace {

Frames frames_of(const Compute& c) {
  return stft_frames(c.attrs(), c.in(kSignal).shape(), c.has(kWindow) ? &c.in(kWindow).shape() : nullptr, c.in(kStep),
                     c.has(kLength) ? &c.in(kLength) : nullptr);
}

void infer(Infer& infer) {
  const Frames f = stft_frames(infer.attrs(), infer.shape(kSignal), infer.has(kWindow) ? &infer.shape(kWindow) : nullptr, infer.value(kStep),
                               infer.has(kLength) ? &infer.value(kLength) : nullptr);
  infer.out(0, infer.in(kSignal).dtype, {f.batch, f.count, f.bins, 2});
}

template <class T>
void transform(Compute& c, const Frames& f) {
  const T* window = c.has(kWindow) ? c.in(kWindow).as<T>() : nullptr;
  T* out = c.out(0).as<T>();
  const int64_t parts = f.real ? 1 : 2;
  Fft fft(f.length, c.work());
  for (int64_t i = 0; i < f.batch * f.count; ++i) {
    const T* in = c.in(kSignal).as<T>() + (i / f.count * f.samples + i % f.count * f.step) * parts;
    for (int64_t k = 0; k < f.length; ++k) {
      const double weight = window ? static_cast<double>(window[k]) : 1;
      fft.line()[k] = {weight * static_cast<double>(in[k * parts]), f.real ? 0 : weight * static_cast<double>(in[k * parts + 1])};
    }
    fft.transform(false);
    for (int64_t k = 0; k < f.bins; ++k) {
      *out++ = number_cast<T>(fft.line()[k].re);
      *out++ = number_cast<T>(fft.line()[k].im);
    }
  }
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  with_type<FLOATS>(c.in(kSignal).type.dtype, [&]<class T>() { transform<T>(c, frames_of(c)); });
}

int64_t work_bytes(const Compute& c) { return Fft::work_bytes(frames_of(c).length); }

}  // namespace

extern constinit const HostOp host_stft{FLOATS, 0b1010, infer, compute, 0, nullptr, 0, work_bytes};

}  // namespace dbk

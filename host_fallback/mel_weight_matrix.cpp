// MelWeightMatrix: [dft_length / 2 + 1, num_mel_bins], each column a triangle over the spectrum's bins, between edges that are evenly spaced
// on the mel scale, 2595 log10(1 + f / 700).
#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/scalar_operand.h"

namespace dbk {

namespace {

enum : size_t { kBins, kLength, kRate, kLow, kHigh };

void infer(Infer& infer) {
  const auto scalar = [&](size_t i, const char* name) {
    const Tensor& tensor = infer.value(i);
    if (tensor.count() != 1 || integer_at(tensor, 0) < 0)
      fail(DBK_INVALID_ARGUMENT, "{} is {}", name, tensor.count() == 1 ? integer_at(tensor, 0) : 0);
    return integer_at(tensor, 0);
  };
  const int64_t bins = scalar(kBins, "num_mel_bins"), length = scalar(kLength, "dft_length");
  for (size_t i : {kRate, kLow, kHigh})
    if (infer.in(i).count() != 1) fail(DBK_INVALID_ARGUMENT, "input {} has shape {}, not one number", i, to_string(infer.shape(i)));
  const DType dtype = dtype_of_onnx(infer.attrs().integer("output_datatype"));
  if (!contains(NUMBERS, dtype)) fail(DBK_INVALID_ARGUMENT, "output_datatype is {}", infer.attrs().integer("output_datatype"));
  infer.out(0, dtype, {length / 2 + 1, bins});
}

double mel_of(double hertz) { return 2595 * std::log10(1 + hertz / 700); }
double hertz_of(double mel) { return 700 * (std::pow(10, mel / 2595) - 1); }

void compute(Compute& c) {
  const int64_t bins = c.out(0).shape()[1], rows = c.out(0).shape()[0], length = integer_at(c.in(kLength), 0);
  const int64_t rate = integer_at(c.in(kRate), 0);
  if (rate < 1) fail(DBK_INVALID_ARGUMENT, "sample_rate is {}", rate);
  const double low = mel_of(real_at(c.in(kLow), 0)), step = (mel_of(real_at(c.in(kHigh), 0)) - low) / static_cast<double>(bins + 2);
  const auto edge = [&](int64_t i) {
    const double hertz = hertz_of(low + static_cast<double>(i) * step);
    const double at = std::floor(static_cast<double>(length + 1) * hertz / static_cast<double>(rate));
    if (!(at >= 0 && at < static_cast<double>(rows))) fail(DBK_OUT_OF_RANGE, "an edge of {} Hz lies outside the spectrum", hertz);
    return static_cast<int64_t>(at);
  };
  with_type<NUMBERS>(c.out(0).type.dtype, [&]<class T>() {
    T* out = c.out(0).as<T>();
    std::fill_n(out, rows * bins, T{});
    const auto set = [&](int64_t row, int64_t bin, double value) { out[row * bins + bin] = number_cast<T>(value); };
    for (int64_t bin = 0; bin < bins; ++bin) {
      const int64_t left = edge(bin), centre = edge(bin + 1), right = edge(bin + 2);
      if (left == centre) set(centre, bin, 1);
      else
        for (int64_t i = left; i <= centre; ++i) set(i, bin, static_cast<double>(i - left) / static_cast<double>(centre - left));
      for (int64_t i = centre; i < right; ++i) set(i, bin, static_cast<double>(right - i) / static_cast<double>(right - centre));
    }
  });
}

}  // namespace

extern constinit const HostOp host_mel_weight_matrix{I32 | I64, 0b11, infer, compute};

}  // namespace dbk

// The discrete Fourier transform of one line of any length, in double: powers of two by Stockham's passes of two, other lengths as a
// convolution of a power of two (Bluestein). Tables and lines lie in memory of the caller.
#pragma once

#include <cstdint>
#include <vector>

namespace dbk {

struct Complex {
  double re = 0, im = 0;
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  Complex conjugate() const { return {re, -im}; }
};

// exp(-2 pi i k / n) for 0 <= k < n, accurate for every k.
Complex unit_root(int64_t k, int64_t n);
inline bool is_power_of_two(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

// Factors of a length, in the order in which kernels transform by them: as many fours as there are, a two, other primes.
std::vector<int64_t> radices_of(int64_t length);

class Fft {
 public:
  static int64_t work_bytes(int64_t length);
  // `work` has work_bytes(length) bytes and stays the transform's. length > 0.
  Fft(int64_t length, void* work);
  // The line to transform, `length` numbers; transform() leaves the result there. Not scaled.
  Complex* line() { return line_; }
  void transform(bool inverse);

 private:
  // Transforms `size_` numbers; the result is where the function says: in `data` or in `spare_`.
  Complex* forward(Complex* data);
  int64_t length_, size_;  // size_: the power of two
  Complex *line_, *spare_, *roots_, *chirp_ = nullptr, *filter_ = nullptr;
};

}  // namespace dbk

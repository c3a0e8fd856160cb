#include "host_fallback/fft.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dbk {

namespace {

int64_t power_of_two_from(int64_t n) {
  int64_t power = 1;
  while (power < n) power *= 2;
  return power;
}

int64_t padded(int64_t length) { return is_power_of_two(length) ? length : power_of_two_from(2 * length - 1); }

}  // namespace

Complex unit_root(int64_t k, int64_t n) {
  // The angle is reduced to an eighth of the circle with integers, where sine and cosine are at their best.
  int64_t eighth = 8 * k / n, rest = 8 * k % n;
  const bool mirrored = eighth % 2 != 0;
  if (mirrored) rest = n - rest, ++eighth;
  const double angle = std::numbers::pi / 4 * static_cast<double>(rest) / static_cast<double>(n);
  const double c = std::cos(angle), s = mirrored ? -std::sin(angle) : std::sin(angle);
  switch (eighth / 2 % 4) {
    case 0: return {c, -s};
    case 1: return {-s, -c};
    case 2: return {-c, s};
    default: return {s, c};
  }
}

std::vector<int64_t> radices_of(int64_t length) {
  std::vector<int64_t> radices;
  const auto divide = [&](int64_t factor) {
    for (; length % factor == 0; length /= factor) radices.push_back(factor);
  };
  divide(4);
  divide(2);
  for (int64_t factor = 3; factor * factor <= length; factor += 2) divide(factor);
  if (length > 1) radices.push_back(length);
  return radices;
}

int64_t Fft::work_bytes(int64_t length) {
  const int64_t size = padded(length), numbers = 2 * size + size / 2 + (size == length ? 0 : length + size) + 1;
  return numbers * static_cast<int64_t>(sizeof(Complex));
}

Fft::Fft(int64_t length, void* work) : length_(length), size_(padded(length)) {
  line_ = static_cast<Complex*>(work);
  spare_ = line_ + size_;
  roots_ = spare_ + size_;
  for (int64_t k = 0; k < size_ / 2; ++k) roots_[k] = unit_root(k, size_);
  if (size_ == length_) return;
  chirp_ = roots_ + size_ / 2;
  filter_ = chirp_ + length_;
  for (int64_t k = 0; k < length_; ++k) chirp_[k] = unit_root(k * k % (2 * length_), 2 * length_);
  std::fill_n(line_, size_, Complex{});
  for (int64_t k = 0; k < length_; ++k) line_[k] = line_[k > 0 ? size_ - k : 0] = chirp_[k].conjugate();
  std::copy_n(forward(line_), size_, filter_);
}

Complex* Fft::forward(Complex* data) {
  Complex *from = data, *to = data == line_ ? spare_ : line_;
  const int64_t half = size_ / 2;
  for (int64_t done = 1; done < size_; done *= 2) {
    for (int64_t j = 0; j < half; ++j) {
      const int64_t k = j % done, at = (j / done) * 2 * done + k;
      const Complex a = from[j], b = from[j + half] * roots_[k * (half / done)];
      to[at] = a + b;
      to[at + done] = a - b;
    }
    std::swap(from, to);
  }
  return from;
}

void Fft::transform(bool inverse) {
  if (inverse)
    for (int64_t k = 0; k < length_; ++k) line_[k] = line_[k].conjugate();
  if (size_ == length_) {
    if (const Complex* result = forward(line_); result != line_) std::copy_n(result, length_, line_);
  } else {
    for (int64_t k = 0; k < length_; ++k) line_[k] = line_[k] * chirp_[k];
    std::fill(line_ + length_, line_ + size_, Complex{});
    Complex* product = forward(line_);
    for (int64_t k = 0; k < size_; ++k) product[k] = (product[k] * filter_[k]).conjugate();  // the inverse, by conjugates
    const Complex* result = forward(product);
    const double scale = 1 / static_cast<double>(size_);
    for (int64_t k = 0; k < length_; ++k) {
      const Complex r = result[k].conjugate();
      line_[k] = Complex{r.re * scale, r.im * scale} * chirp_[k];
    }
  }
  if (inverse)
    for (int64_t k = 0; k < length_; ++k) line_[k] = line_[k].conjugate();
}

}  // namespace dbk

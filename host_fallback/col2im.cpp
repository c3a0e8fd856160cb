// Col2Im: columns of blocks become an image again; where blocks overlap their elements are added, floats in double; of bools any
// that is true counts. The inverse of cutting
// windows out: element (c, tap) of column w belongs where tap `tap` of window w lies.
#include "host_fallback/complex_parts.h"
#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/ring.h"
#include "host_fallback/windows.h"

namespace dbk {

namespace {

// Windows over the image; `out` counts columns along each axis.
Windows windows_of(const Attributes& attrs, const Tensor& image, const Tensor& block) {
  if (image.count() != block.count() || image.count() < 1)
    fail(DBK_INVALID_ARGUMENT, "image_shape has {} numbers, block_shape {}", image.count(), block.count());
  Shape input{1, 1}, kernel;
  for (int64_t i = 0; i < image.count(); ++i) {
    input.push_back(integer_at(image, i));
    kernel.push_back(integer_at(block, i));
    if (integer_at(image, i) < 1) fail(DBK_INVALID_ARGUMENT, "image_shape has {}", integer_at(image, i));
  }
  return sliding_windows(attrs, input, kernel);
}

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  const Windows w = windows_of(infer.attrs(), infer.value(1), infer.value(2));
  if (x.rank() != 3 || x[1] % w.taps() != 0 || x[2] != w.out_count())
    fail(DBK_INVALID_ARGUMENT, "the input is {}, not [batch, channels * {}, {}]", to_string(x), w.taps(), w.out_count());
  Shape out{x[0], x[1] / w.taps()};
  for (uint32_t d = 0; d < w.rank; ++d) out.push_back(w[d].in);
  infer.out(0, infer.in(0).dtype, out);
}

// Calls f(offset in the columns of a channel) for every block element that lies at `place` of the image.
template <class F>
void for_blocks_at(const Windows& w, const int64_t* place, uint32_t axis, int64_t tap, int64_t column, F& f) {
  if (axis == w.rank) return f(tap * w.out_count() + column);
  const WindowAxis& a = w[axis];
  for (int64_t k = 0; k < a.kernel; ++k) {
    const int64_t at = place[axis] + a.begin - k * a.dilation;
    if (at < 0 || at % a.stride != 0 || at / a.stride >= a.out) continue;
    for_blocks_at(w, place, axis + 1, tap * a.kernel + k, column * a.out + at / a.stride, f);
  }
}

template <class T, int parts>
void add_up(Compute& c, const Windows& w) {
  using Sum = std::conditional_t<std::is_same_v<T, Bool>, bool, SumOf<T>>;
  const T* in = c.in(0).as<T>();
  T* out = c.out(0).as<T>();
  const int64_t pixels = w.in_count(), columns = w.taps() * w.out_count();
  parallel_ranges(c.out(0).count() * parts, grain_of(w.taps()), [=, &w](int64_t begin, int64_t end) {
    int64_t place[DBK_MAX_RANK];
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = i / parts % pixels;
      for (uint32_t d = w.rank; d-- > 0; rest /= w[d].in) place[d] = rest % w[d].in;
      Sum sum = 0;
      const T* at = in + i / parts / pixels * columns * parts + i % parts;
      auto add = [&sum, at](int64_t offset) { sum = static_cast<Sum>(sum + static_cast<Sum>(at[offset * parts])); };
      for_blocks_at(w, place, 0, 0, 0, add);
      out[i] = number_cast<T>(sum);
    }
  });
}

void compute(Compute& c) {
  if (c.out(0).count() == 0) return;
  const Windows w = windows_of(c.attrs(), c.in(1), c.in(2));
  with_parts(c.in(0).type.dtype, [&]<class T, int parts>() { add_up<T, parts>(c, w); });
}

}  // namespace

extern constinit const HostOp host_col2im{PLAIN | C64 | C128, 0b110, infer, compute};

}  // namespace dbk

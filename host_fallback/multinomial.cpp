// Multinomial: classes drawn with probabilities whose logarithms, up to a constant, are the rows of the operand. The class is the largest of
// logarithm + Gumbel noise, so rows need no normalisation.
#include <cmath>

#include "host_fallback/random.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const Shape& x = infer.shape(0);
  const int64_t samples = infer.attrs().integer("sample_size");
  if (x.rank() != 2) fail(DBK_INVALID_ARGUMENT, "the input has shape {}, not [batch, classes]", to_string(x));
  if (samples < 0) fail(DBK_INVALID_ARGUMENT, "sample_size is {}", samples);
  if (x[1] == 0 && x[0] * samples > 0) fail(DBK_INVALID_ARGUMENT, "no class to draw from");
  infer.out(0, random_dtype(infer.attrs(), I32 | I64), {x[0], samples});
}

template <class P>
int64_t draw(const P* row, int64_t classes, const Philox& generator, uint64_t first) {
  int64_t best = 0;
  double most = -INFINITY;
  for (int64_t k = 0; k < classes; ++k) {
    const double noise = -std::log(-std::log(generator.uniform(first + static_cast<uint64_t>(k)) + 0x1p-54));
    const double value = static_cast<double>(row[k]) + noise;
    if (value > most) most = value, best = k;
  }
  return best;
}

void compute(Compute& c) {
  const Philox generator = generator_of(c.attrs());
  const int64_t classes = c.in(0).shape()[1], samples = c.out(0).shape()[1];
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class P>() {
    with_type<I32 | I64>(c.out(0).type.dtype, [&]<class T>() {
      for (int64_t i = 0, n = c.out(0).count(); i < n; ++i)
        c.out(0).as<T>()[i] = static_cast<T>(draw(c.in(0).as<P>() + i / samples * classes, classes, generator, static_cast<uint64_t>(i * classes)));
    });
  });
}

}  // namespace

extern constinit const HostOp host_multinomial{FLOATS, 0, infer, compute};

}  // namespace dbk

// Dropout: in training, elements are 0 with probability `ratio` and divided by what that leaves otherwise; else the operand itself and a mask of ones.
// Before version 12 there is no training, and before 10 the mask is of the operand's type.
#include "host_fallback/movement.h"
#include "host_fallback/number_block.h"
#include "host_fallback/random.h"
#include "host_fallback/staging.h"

namespace dbk {

namespace {

enum : size_t { kData, kRatio, kTraining };

void infer(Infer& infer) {
  const char* names[] = {"", "ratio", "training_mode"};
  for (size_t i : {kRatio, kTraining})
    if (infer.has(i) && infer.in(i).count() != 1)
      fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not one element", names[i], to_string(infer.shape(i)));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
  infer.out(1, infer.version() < 10 ? infer.in(0).dtype : DBK_BOOL, infer.shape(0));
}

double ratio_of(const Tensor& tensor) {
  double ratio = 0;
  read_block(tensor, 0, 1, &ratio);
  return ratio;
}

template <class T>
void keep_all(Tensor& mask) {
  std::fill_n(mask.as<T>(), mask.count(), number_cast<T>(uint8_t{1}));
}

void compute(Compute& c) {
  const bool training = c.has(kTraining) && *c.in(kTraining).as<Bool>();
  const double ratio = !training ? 0 : c.has(kRatio) ? ratio_of(c.in(kRatio)) : 0.5;
  if (!(ratio >= 0 && ratio < 1)) fail(DBK_INVALID_ARGUMENT, "ratio is {}, which is outside [0, 1)", ratio);
  const int64_t count = c.in(kData).count();
  if (ratio == 0) {
    if (c.wants(0)) copy_bytes(c.in(kData).data, c.out(0).data, c.in(kData).type.bytes());
    if (c.wants(1)) with_type<FLOATS | BOOL>(c.out(1).type.dtype, [&]<class T>() { keep_all<T>(c.out(1)); });
    return;
  }
  const Philox generator = generator_of(c.attrs());
  const double scale = 1 / (1 - ratio);
  double block[kStage];
  for (int64_t first = 0; first < count; first += kStage) {
    const int64_t n = std::min(kStage, count - first);
    read_block(c.in(kData), first, n, block);
    for (int64_t i = 0; i < n; ++i) {
      const bool kept = generator.uniform(static_cast<uint64_t>(first + i)) >= ratio;
      block[i] = kept ? block[i] * scale : 0.0;
      if (c.wants(1)) c.out(1).as<Bool>()[first + i] = Bool(kept);
    }
    if (c.wants(0)) write_block(c.out(0), first, n, block);
  }
}

}  // namespace

extern constinit const HostOp host_dropout{FLOATS | FLOATS8, 0, infer, compute};

}  // namespace dbk

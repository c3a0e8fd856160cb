// Cast: every element to the type named by `to`; number_cast.h has the rules, number_block.h those of types below 16 bits.
#include "host_fallback/cast.h"

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/staging.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  const int64_t to = infer.attrs().integer("to");
  const DType dtype = dtype_of_onnx(to);
  if (dtype == DBK_DTYPE_NONE) fail(DBK_INVALID_ARGUMENT, "to is {}, which is no element type", to);
  if (!contains(REAL, dtype)) fail(DBK_UNIMPLEMENTED, "Cast to {} is not implemented", to_string(dtype));
  conversion_of(infer.attrs());
  infer.out(0, dtype, infer.shape(0));
}

template <class To, class From>
void convert(const Tensor& source, Tensor& target) {
  const From* in = source.as<From>();
  To* out = target.as<To>();
  parallel_ranges(source.count(), kElementGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = number_cast<To>(in[i]);
  });
}

// By way of A, in blocks.
template <class A>
void convert_blocks(const Tensor& source, Tensor& target, Conversion conversion) {
  const int64_t count = source.count(), blocks = (count + kStage - 1) / kStage;
  parallel_ranges(blocks, grain_of(8 * kStage), [&source, &target, conversion, count](int64_t begin, int64_t end) {
    A numbers[kStage];
    for (int64_t first = begin * kStage, last = std::min(end * kStage, count); first < last; first += kStage) {
      const int64_t n = std::min(kStage, last - first);
      read_block(source, first, n, numbers);
      write_block(target, first, n, numbers, conversion);
    }
  });
}

void compute(Compute& c) { cast_elements(c.in(0), c.out(0), conversion_of(c.attrs())); }

}  // namespace

Conversion conversion_of(const Attributes& attrs) {
  Conversion conversion;
  conversion.saturate = attrs.integer_or("saturate", 1) != 0;
  if (!attrs.has("round_mode")) return conversion;
  const std::string& mode = attrs.text("round_mode");
  if (mode == "down")
    conversion.rounding = PowerRounding::Down;
  else if (mode == "nearest")
    conversion.rounding = PowerRounding::Nearest;
  else if (mode != "up")
    fail(DBK_INVALID_ARGUMENT, "round_mode is '{}', not up, down or nearest", mode);
  return conversion;
}

void cast_elements(const Tensor& in, Tensor& out, Conversion conversion) {
  const DType from = in.type.dtype, to = out.type.dtype;
  if (contains(PLAIN, from) && contains(PLAIN, to)) {
    with_type<PLAIN>(from, [&]<class From>() { with_type<PLAIN>(to, [&]<class To>() { convert<To, From>(in, out); }); });
  } else if (contains(SMALL_INTS, from) || (contains(SMALL_INTS, to) && contains(INTS, from))) {  // integers wrap
    convert_blocks<int32_t>(in, out, conversion);
  } else {  // f32 has all numbers of the small types
    convert_blocks<float>(in, out, conversion);
  }
}

extern constinit const HostOp host_cast{REAL, 0, infer, compute};

}  // namespace dbk

// ai.daybreak.Attention, which fusion makes of the many nodes that exporters write: heads lie side by side in windows of the last
// axis of q, k and v, so that one packed tensor serves all three, and the result lies the same way.
#include "host_fallback/attention_rows.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

enum Input : size_t { kQ, kK, kV, kMask };

void infer(Infer& infer) {
  const AttentionGeometry g = windowed_attention(infer.attrs(), infer.shape(kQ), infer.shape(kK), infer.shape(kV),
                                                 infer.has(kMask) ? &infer.shape(kMask) : nullptr);
  infer.out(0, infer.in(kQ).dtype, {g.batch, g.queries, g.y.row});
}

void compute(Compute& c) {
  const Tensor* mask = c.has(kMask) ? &c.in(kMask) : nullptr;
  const AttentionGeometry g = windowed_attention(c.attrs(), c.in(kQ).shape(), c.in(kK).shape(), c.in(kV).shape(),
                                                 mask ? &mask->shape() : nullptr);
  with_type<FLOATS>(c.in(kQ).type.dtype, [&]<class T>() {
    AttentionTensors<T> tensors{c.in(kQ).as<T>(), c.in(kK).as<T>(), c.in(kV).as<T>(), c.out(0).as<T>()};
    if (mask) tensors.mask = mask->data, tensors.add_mask = mask_adder<Acc<T>>(mask->type.dtype);
    attention<T>(g, tensors);
  });
}

}  // namespace

extern constinit const HostOp host_daybreak_attention{FLOATS, 0, infer, compute};

}  // namespace dbk

// Where: x where the condition holds, y elsewhere; all three broadcast.
#include "host_fallback/op.h"
#include "host_fallback/movement.h"
#include "host_fallback/strided.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  if (infer.in(1).dtype != infer.in(2).dtype)
    fail(DBK_INVALID_ARGUMENT, "X is {} and Y is {}", to_string(infer.in(1).dtype), to_string(infer.in(2).dtype));
  infer.out(0, infer.in(1).dtype, broadcast(infer.shape(0), broadcast(infer.shape(1), infer.shape(2))));
}

template <class E>
void select_run(const uint8_t* c, int64_t step_c, const E* x, int64_t step_x, const E* y, int64_t step_y, E* out,
                int64_t n) {
  // Both sides are read whatever the condition, so that the choice becomes a vector blend.
  const auto choose = [](uint8_t condition, E a, E b) { return condition != 0 ? a : b; };
  if (step_c == 0) {
    *c ? copy_run(x, step_x, out, n) : copy_run(y, step_y, out, n);
  } else if (step_c == 1 && step_x == 1 && step_y == 1) {
    for (int64_t i = 0; i < n; ++i) out[i] = choose(c[i], x[i], y[i]);
  } else if (step_c == 1 && step_x == 1 && step_y == 0) {
    const E value = *y;
    for (int64_t i = 0; i < n; ++i) out[i] = choose(c[i], x[i], value);
  } else if (step_c == 1 && step_x == 0 && step_y == 1) {
    const E value = *x;
    for (int64_t i = 0; i < n; ++i) out[i] = choose(c[i], value, y[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = choose(c[i * step_c], x[i * step_x], y[i * step_y]);
  }
}

template <class E>
void select(const Tensor& condition, const Tensor& x, const Tensor& y, Tensor& out) {
  const Shape& shape = out.shape();
  const StridedLoop<3> loop(shape, {broadcast_strides(condition.shape(), shape), broadcast_strides(x.shape(), shape),
                                    broadcast_strides(y.shape(), shape)});
  const uint8_t* pc = condition.as<uint8_t>();
  const E *px = x.as<E>(), *py = y.as<E>();
  E* po = out.as<E>();
  parallel_ranges(out.count(), kElementGrain, [&loop, pc, px, py, po](int64_t begin, int64_t end) {
    for_runs(loop, begin, end, [&](int64_t first, const Offsets<3>& at, int64_t n) {
      select_run(pc + at[0], loop.step(0), px + at[1], loop.step(1), py + at[2], loop.step(2), po + first, n);
    });
  });
}

void compute(Compute& c) {
  with_element_size(c.out(0).type.dtype, [&]<class E>() { select<E>(c.in(0), c.in(1), c.in(2), c.out(0)); });
}

}  // namespace

extern constinit const HostOp host_where{MOVABLE, 0, infer, compute, 1};

}  // namespace dbk

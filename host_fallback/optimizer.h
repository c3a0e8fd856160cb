// Frame of the training steps of ai.onnx.preview.training: operands are the rate R, the count T of steps so far, then n tensors of parameters, n of
// gradients and n of each state; results are the n new parameters and the new states. An optimizer is a functor with `kStates` and
//   void operator()(double x, double gradient, const double* state, double& new_x, double* new_state) const
// made from attributes, R and T. Steps are double.
#pragma once

#include <cmath>

#include "host_fallback/number_cast.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"
#include "host_fallback/scalar_operand.h"

namespace dbk {

// Numbers of parameter tensors.
template <class F>
size_t optimized_tensors(size_t inputs) {
  constexpr size_t kRoles = 2 + F::kStates;
  if (inputs < 2 + kRoles || (inputs - 2) % kRoles != 0)
    fail(DBK_INVALID_ARGUMENT, "{} inputs are not R, T and {} for each tensor", inputs, kRoles);
  return (inputs - 2) / kRoles;
}

template <class F>
void infer_optimizer(Infer& infer) {
  const size_t n = optimized_tensors<F>(infer.input_count());
  for (size_t i : {0, 1})
    if (infer.in(i).count() != 1) fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not one element", i ? "T" : "R", to_string(infer.shape(i)));
  for (size_t i = 2; i < infer.input_count(); ++i) {
    const TensorType& first = infer.in(2 + (i - 2) % n);
    if (!(infer.in(i) == first))
      fail(DBK_INVALID_ARGUMENT, "input {} is {} {}, its tensor {} {}", i, to_string(infer.in(i).dtype), to_string(infer.shape(i)),
           to_string(first.dtype), to_string(first.shape));
  }
  for (size_t i = 0; i < n * (1 + F::kStates); ++i) infer.out(i, infer.in(2 + i % n).dtype, infer.shape(2 + i % n));
}

template <class F>
void compute_optimizer(Compute& c) {
  const size_t n = optimized_tensors<F>(c.input_count());
  const F step(c.attrs(), real_at(c.in(0), 0), static_cast<double>(*c.in(1).as<int64_t>()));
  for (size_t tensor = 0; tensor < n; ++tensor)
    with_type<F32 | F64>(c.in(2 + tensor).type.dtype, [&]<class T>() {
      for (int64_t i = 0, count = c.in(2 + tensor).count(); i < count; ++i) {
        const auto operand = [&](size_t role) { return static_cast<double>(c.in(2 + role * n + tensor).template as<T>()[i]); };
        double state[F::kStates], new_state[F::kStates], x;
        for (size_t s = 0; s < F::kStates; ++s) state[s] = operand(2 + s);
        step(operand(0), operand(1), state, x, new_state);
        if (c.wants(tensor)) c.out(tensor).template as<T>()[i] = number_cast<T>(x);
        for (size_t s = 0; s < F::kStates; ++s)
          if (const size_t out = (1 + s) * n + tensor; c.wants(out)) c.out(out).template as<T>()[i] = number_cast<T>(new_state[s]);
      }
    });
}

// R is the main operand; the tensors may be of another type.
template <class F>
inline constexpr HostOp optimizer_op{F32 | F64, 0, infer_optimizer<F>, compute_optimizer<F>};

}  // namespace dbk

// LSTM, for products with the state that ops make in their own ways. Gates are stored in ONNX's order: input, output,
// forget, cell; peepholes as input, output, forget.
#pragma once

#include "host_fallback/recurrent.h"

namespace dbk {

inline constexpr int64_t kLstmGates = 4;
inline constexpr std::string_view kLstmActivations[] = {"Sigmoid", "Tanh", "Tanh"};

// The next states of sequence b. `gates` are the projected inputs and become the gates.
template <class T>
void advance_lstm(const Direction<T>& run, const Activations& f, const T* peepholes, bool coupled, Acc<T>* gates,
                  int64_t b) {
  using A = Acc<T>;
  const int64_t n = run.r.hidden;
  const A* recurrent = run.recurrent + b * run.r.width();
  A *h = run.h + b * n, *c = run.c + b * n, *squashed = run.spare + b * n;
  A *input = gates, *output = gates + n, *forget = gates + 2 * n, *cell = gates + 3 * n;
  for (int64_t i = 0; i < kLstmGates * n; ++i) gates[i] += recurrent[i];
  if (peepholes)
    for (int64_t i = 0; i < n; ++i) {
      input[i] += static_cast<A>(peepholes[i]) * c[i];
      forget[i] += static_cast<A>(peepholes[2 * n + i]) * c[i];
    }
  f[0].apply(input, n);
  if (coupled)
    for (int64_t i = 0; i < n; ++i) forget[i] = 1 - input[i];
  else
    f[0].apply(forget, n);
  f[1].apply(cell, n);
  for (int64_t i = 0; i < n; ++i) c[i] = forget[i] * c[i] + input[i] * cell[i];
  if (peepholes)
    for (int64_t i = 0; i < n; ++i) output[i] += static_cast<A>(peepholes[n + i]) * c[i];
  f[0].apply(output, n);
  for (int64_t i = 0; i < n; ++i) squashed[i] = c[i];
  Activation unclipped = f[2];
  unclipped.clip = 0;  // a gate's input it is not
  unclipped.apply(squashed, n);
  for (int64_t i = 0; i < n; ++i) h[i] = output[i] * squashed[i];
}

// multiply(run) makes `run.recurrent` of the state before each step.
template <class T, class Multiply>
void run_lstm(Compute& c, Multiply multiply) {
  const Recurrence r = recurrence_of(c.attrs(), c.in(kSequence).shape(), c.in(kStateWeights).shape(), kLstmGates);
  const bool coupled = c.attrs().integer("input_forget") != 0;
  Activations functions;
  run_recurrent<T>(
      c, r, 2,
      [&](const Direction<T>& run) {
        functions = activations_of(c.attrs(), kLstmActivations, run.d);
        if (run.biases) add_bias(run.biases + r.width(), r.width(), run.projected, r.steps * r.batch, r.width());
      },
      multiply,
      [&](const Direction<T>& run, Acc<T>* gates, int64_t b) {
        const T* peepholes = c.has(kPeepholes) ? c.in(kPeepholes).as<T>() + run.d * 3 * r.hidden : nullptr;
        advance_lstm(run, functions, peepholes, coupled, gates, b);
      });
}

// The product with the weights as they are.
template <class T>
void multiply_state(const Direction<T>& run, const Acc<T>* state) {
  const Recurrence& r = run.r;
  multiply_rows_by_rows(run.state_weights, r.width(), state, r.batch, r.hidden, run.recurrent, r.width());
}

}  // namespace dbk

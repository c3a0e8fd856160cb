// LSTM. Gates are stored in ONNX's order: input, output, forget, cell; peepholes as input, output, forget.
#include "host_fallback/recurrent.h"

namespace dbk {

namespace {

constexpr int64_t kGates = 4;
constexpr std::string_view kDefaults[] = {"Sigmoid", "Tanh", "Tanh"};

void infer(Infer& infer) { infer_recurrent(infer, kGates, std::size(kDefaults), 2); }
int64_t work_bytes(const Compute& c) { return recurrent_work_bytes(c, kGates); }

// The next states of sequence b. `gates` are the projected inputs and become the gates.
template <class T>
void advance(const Direction<T>& run, const Activations& f, const T* peepholes, bool coupled, Acc<T>* gates, int64_t b) {
  using A = Acc<T>;
  const int64_t n = run.r.hidden;
  const A* recurrent = run.recurrent + b * run.r.width();
  A *h = run.h + b * n, *c = run.c + b * n, *squashed = run.spare + b * n;
  A *input = gates, *output = gates + n, *forget = gates + 2 * n, *cell = gates + 3 * n;
  for (int64_t i = 0; i < kGates * n; ++i) gates[i] += recurrent[i];
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

template <class T>
void compute_as(Compute& c) {
  const Recurrence r = recurrence_of(c.attrs(), c.in(kSequence).shape(), c.in(kStateWeights).shape(), kGates);
  const bool coupled = c.attrs().integer("input_forget") != 0;
  Activations functions;
  run_recurrent<T>(
      c, r, 2,
      [&](const Direction<T>& run) {
        functions = activations_of(c.attrs(), kDefaults, run.d);
        if (run.biases) add_bias(run.biases + r.width(), r.width(), run.projected, r.steps * r.batch, r.width());
      },
      [&](const Direction<T>& run) {
        multiply_rows_by_rows(run.state_weights, r.width(), run.h, r.batch, r.hidden, run.recurrent, r.width());
      },
      [&](const Direction<T>& run, Acc<T>* gates, int64_t b) {
        const T* peepholes = c.has(kPeepholes) ? c.in(kPeepholes).as<T>() + run.d * 3 * r.hidden : nullptr;
        advance(run, functions, peepholes, coupled, gates, b);
      });
}

void compute(Compute& c) {
  with_type<FLOATS>(c.in(kSequence).type.dtype, [&]<class T>() { compute_as<T>(c); });
}

}  // namespace

extern constinit const HostOp host_lstm{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk

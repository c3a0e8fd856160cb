// GRU. Gates are stored in ONNX's order: update, reset, hidden. The reset gate scales the state before its product with the
// weights of the hidden gate or, with linear_before_reset, after it.
#include "host_fallback/recurrent.h"

namespace dbk {

namespace {

constexpr int64_t kGates = 3;
constexpr std::string_view kDefaults[] = {"Sigmoid", "Tanh"};

void infer(Infer& infer) { infer_recurrent(infer, kGates, std::size(kDefaults), 1); }
int64_t work_bytes(const Compute& c) { return recurrent_work_bytes(c, kGates); }

// The next state of sequence b. `gates` are the projected inputs and become the gates.
template <class T>
void advance(const Direction<T>& run, const Activations& f, bool linear, Acc<T>* gates, int64_t b) {
  using A = Acc<T>;
  const int64_t n = run.r.hidden;
  A *recurrent = run.recurrent + b * run.r.width(), *h = run.h + b * n, *scaled = run.spare + b * n;
  A *update = gates, *reset = gates + n, *hidden = gates + 2 * n;
  for (int64_t i = 0; i < 2 * n; ++i) gates[i] += recurrent[i];
  f[0].apply(update, 2 * n);
  if (linear) {
    const T* bias = run.biases ? run.biases + run.r.width() + 2 * n : nullptr;
    for (int64_t i = 0; i < n; ++i)
      hidden[i] += reset[i] * (recurrent[2 * n + i] + (bias ? static_cast<A>(bias[i]) : A(0)));
  } else {
    for (int64_t i = 0; i < n; ++i) scaled[i] = reset[i] * h[i];
    multiply_rows_by_rows(run.state_weights + 2 * n * n, n, scaled, 1, n, recurrent + 2 * n, n);
    for (int64_t i = 0; i < n; ++i) hidden[i] += recurrent[2 * n + i];
  }
  f[1].apply(hidden, n);
  for (int64_t i = 0; i < n; ++i) h[i] = (1 - update[i]) * hidden[i] + update[i] * h[i];
}

template <class T>
void compute_as(Compute& c) {
  const Recurrence r = recurrence_of(c.attrs(), c.in(kSequence).shape(), c.in(kStateWeights).shape(), kGates);
  const bool linear = c.attrs().integer_or("linear_before_reset", 0) != 0;
  const int64_t in_parallel = (linear ? 3 : 2) * r.hidden;  // gates whose products with the state wait for nothing
  Activations functions;
  run_recurrent<T>(
      c, r, 1,
      [&](const Direction<T>& run) {
        functions = activations_of(c.attrs(), kDefaults, run.d);
        const int64_t count = linear ? 2 * r.hidden : r.width();
        if (run.biases) add_bias(run.biases + r.width(), count, run.projected, r.steps * r.batch, r.width());
      },
      [&](const Direction<T>& run) {
        multiply_rows_by_rows(run.state_weights, in_parallel, run.h, r.batch, r.hidden, run.recurrent, r.width());
      },
      [&](const Direction<T>& run, Acc<T>* gates, int64_t b) { advance(run, functions, linear, gates, b); });
}

void compute(Compute& c) {
  with_type<FLOATS>(c.in(kSequence).type.dtype, [&]<class T>() { compute_as<T>(c); });
}

}  // namespace

extern constinit const HostOp host_gru{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk

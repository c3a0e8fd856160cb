// RNN: the next state is f(input, state), one gate.
#include "host_fallback/recurrent.h"

namespace dbk {

namespace {

constexpr int64_t kGates = 1;
constexpr std::string_view kDefaults[] = {"Tanh"};

void infer(Infer& infer) { infer_recurrent(infer, kGates, std::size(kDefaults), 1); }
int64_t work_bytes(const Compute& c) { return recurrent_work_bytes(c, kGates); }

template <class T>
void compute_as(Compute& c) {
  const Recurrence r = recurrence_of(c.attrs(), c.in(kSequence).shape(), c.in(kStateWeights).shape(), kGates);
  Activations functions;
  run_recurrent<T>(
      c, r, 1,
      [&](const Direction<T>& run) {
        functions = activations_of(c.attrs(), kDefaults, run.d);
        if (run.biases) add_bias(run.biases + r.width(), r.width(), run.projected, r.steps * r.batch, r.width());
      },
      [&](const Direction<T>& run) {
        multiply_rows_by_rows(run.state_weights, r.width(), run.h, r.batch, r.hidden, run.recurrent, r.width());
      },
      [&](const Direction<T>& run, Acc<T>* gate, int64_t b) {
        Acc<T>* h = run.h + b * r.hidden;
        for (int64_t i = 0; i < r.hidden; ++i) h[i] = gate[i] + run.recurrent[b * r.hidden + i];
        functions[0].apply(h, r.hidden);
      });
}

void compute(Compute& c) {
  with_type<FLOATS>(c.in(kSequence).type.dtype, [&]<class T>() { compute_as<T>(c); });
}

}  // namespace

extern constinit const HostOp host_rnn{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk

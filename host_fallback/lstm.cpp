// LSTM.
#include "host_fallback/lstm_steps.h"

namespace dbk {

namespace {

void infer(Infer& infer) { infer_recurrent(infer, kLstmGates, std::size(kLstmActivations), 2); }
int64_t work_bytes(const Compute& c) { return recurrent_work_bytes(c, kLstmGates); }

void compute(Compute& c) {
  with_type<FLOATS>(c.in(kSequence).type.dtype, [&]<class T>() {
    run_lstm<T>(c, [](const Direction<T>& run) { multiply_state(run, run.h); });
  });
}

}  // namespace

extern constinit const HostOp host_lstm{.dtypes = FLOATS, .shape_inputs = 0, .infer = infer, .compute = compute, .work_bytes = work_bytes};

}  // namespace dbk

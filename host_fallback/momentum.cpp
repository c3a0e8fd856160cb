// Momentum: v = alpha v + beta g (beta is 1 in the first step); x -= r v or, in mode nesterov, r (g + alpha v).
#include "host_fallback/optimizer.h"

namespace dbk {

namespace {
struct Momentum {
  static constexpr size_t kStates = 1;
  double rate, alpha, beta, norm;
  bool nesterov;
  Momentum(const Attributes& attrs, double r, double t)
      : rate(r), alpha(attrs.real("alpha")), beta(t > 0 ? attrs.real("beta") : 1), norm(attrs.real("norm_coefficient")),
        nesterov(attrs.text("mode") == "nesterov") {}
  void operator()(double x, double gradient, const double* state, double& new_x, double* new_state) const {
    const double g = norm * x + gradient;
    new_state[0] = alpha * state[0] + beta * g;
    new_x = x - rate * (nesterov ? g + alpha * new_state[0] : new_state[0]);
  }
};

void infer(Infer& infer) {
  const std::string& mode = infer.attrs().text("mode");
  if (mode != "standard" && mode != "nesterov") fail(DBK_INVALID_ARGUMENT, "mode is '{}', not 'standard' or 'nesterov'", mode);
  infer_optimizer<Momentum>(infer);
}
}  // namespace

extern constinit const HostOp host_momentum{F32 | F64, 0, infer, compute_optimizer<Momentum>};

}  // namespace dbk

// Adagrad: h += g^2; x -= r g / (sqrt(h) + epsilon), the rate r decaying with the number of steps and g with norm_coefficient * x.
#include "host_fallback/optimizer.h"

namespace dbk {

namespace {
struct Adagrad {
  static constexpr size_t kStates = 1;
  double rate, norm, epsilon;
  Adagrad(const Attributes& attrs, double r, double t)
      : rate(r / (1 + t * attrs.real("decay_factor"))), norm(attrs.real("norm_coefficient")), epsilon(attrs.real("epsilon")) {}
  void operator()(double x, double gradient, const double* state, double& new_x, double* new_state) const {
    const double g = norm * x + gradient;
    new_state[0] = state[0] + g * g;
    new_x = x - rate * g / (std::sqrt(new_state[0]) + epsilon);
  }
};
}  // namespace

extern constinit const HostOp host_adagrad = optimizer_op<Adagrad>;

}  // namespace dbk

// Adam: v and h are moving averages of g and g^2; x -= r v / (sqrt(h) + epsilon), with the correction for young averages from step 1 on.
#include "host_fallback/optimizer.h"

namespace dbk {

namespace {
struct Adam {
  static constexpr size_t kStates = 2;
  double alpha, beta, epsilon, norm, norm_post, rate;
  Adam(const Attributes& attrs, double r, double t)
      : alpha(attrs.real("alpha")), beta(attrs.real("beta")), epsilon(attrs.real("epsilon")), norm(attrs.real("norm_coefficient")),
        norm_post(attrs.real("norm_coefficient_post")),
        rate(t > 0 ? r * std::sqrt(1 - std::pow(beta, t)) / (1 - std::pow(alpha, t)) : r) {}
  void operator()(double x, double gradient, const double* state, double& new_x, double* new_state) const {
    const double g = norm * x + gradient;
    new_state[0] = alpha * state[0] + (1 - alpha) * g;
    new_state[1] = beta * state[1] + (1 - beta) * (g * g);
    new_x = (1 - norm_post) * (x - rate * (new_state[0] / (std::sqrt(new_state[1]) + epsilon)));
  }
};
}  // namespace

extern constinit const HostOp host_adam = optimizer_op<Adam>;

}  // namespace dbk

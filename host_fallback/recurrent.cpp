#include "host_fallback/recurrent.h"

#include <cmath>

#include "host_fallback/elementary.h"

namespace dbk {

namespace {

using Kind = Activation::Kind;

struct Function {
  std::string_view name;
  Kind kind;
  bool has_alpha, has_beta;
  double alpha, beta;  // where the node gives none
};
constexpr Function kFunctions[] = {{"Relu", Kind::Relu, false, false, 0, 0},
                                   {"Tanh", Kind::Tanh, false, false, 0, 0},
                                   {"Sigmoid", Kind::Sigmoid, false, false, 0, 0},
                                   {"Affine", Kind::Affine, true, true, 1, 0},
                                   {"LeakyRelu", Kind::LeakyRelu, true, false, 0.01f, 0},
                                   {"ThresholdedRelu", Kind::ThresholdedRelu, true, false, 1, 0},
                                   {"ScaledTanh", Kind::ScaledTanh, true, true, 1, 1},
                                   {"HardSigmoid", Kind::HardSigmoid, true, true, 0.2f, 0.5},
                                   {"Elu", Kind::Elu, true, false, 1, 0},
                                   {"Softsign", Kind::Softsign, false, false, 0, 0},
                                   {"Softplus", Kind::Softplus, false, false, 0, 0}};

const Function& function_of(std::string_view name) {
  for (const Function& f : kFunctions)
    if (f.name == name) return f;
  fail(DBK_INVALID_ARGUMENT, "activations has '{}', which is no function of ONNX's recurrent ops", name);
}

// Number `next` of a list of constants; functions that have none are not counted in it.
double constant(const Attributes& attrs, const char* list, size_t& next, double otherwise) {
  if (!attrs.has(list) || next >= attrs.reals(list).size()) return otherwise;
  return attrs.reals(list)[next++];
}

double clip_of(const Attributes& attrs) { return attrs.has("clip") ? attrs.real("clip") : 0; }

template <class A, class F>
void each(A* values, int64_t n, F f) {
  auto body = [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) values[i] = f(values[i]);
  };
  run_range(body, 0, n);
}

void require(const Infer& infer, size_t i, const char* name, const Shape& wanted) {
  if (infer.has(i) && infer.shape(i) != wanted)
    fail(DBK_INVALID_ARGUMENT, "{} has shape {}, not {}", name, to_string(infer.shape(i)), to_string(wanted));
}

}  // namespace

template <class A>
void Activation::apply(A* values, int64_t n) const {
  const A a = static_cast<A>(alpha), b = static_cast<A>(beta), limit = static_cast<A>(clip);
  if (clip > 0) each(values, n, [=](A x) { return x > limit ? limit : x < -limit ? -limit : x; });
  switch (kind) {
    case Kind::Relu: return each(values, n, [](A x) { return x < 0 ? A(0) : x; });
    case Kind::Tanh: return each(values, n, [](A x) { return elementary::tanh(x); });
    case Kind::Sigmoid: return each(values, n, [](A x) { return elementary::sigmoid(x); });
    case Kind::Affine: return each(values, n, [=](A x) { return a * x + b; });
    case Kind::LeakyRelu: return each(values, n, [=](A x) { return x < 0 ? a * x : x; });
    case Kind::ThresholdedRelu: return each(values, n, [=](A x) { return x >= a ? x : A(0); });
    case Kind::ScaledTanh: return each(values, n, [=](A x) { return a * elementary::tanh(b * x); });
    case Kind::HardSigmoid: return each(values, n, [=](A x) { return std::min(std::max(a * x + b, A(0)), A(1)); });
    case Kind::Elu: return each(values, n, [=](A x) { return x < 0 ? a * std::expm1(x) : x; });
    case Kind::Softsign: return each(values, n, [](A x) { return x / (1 + std::fabs(x)); });
    case Kind::Softplus: return each(values, n, [](A x) { return std::max(x, A(0)) + std::log1p(std::exp(-std::fabs(x))); });
  }
}
template void Activation::apply(float*, int64_t) const;
template void Activation::apply(double*, int64_t) const;

Activations activations_of(const Attributes& attrs, std::span<const std::string_view> defaults, int64_t direction) {
  const bool named = attrs.has("activations");
  const size_t per_direction = defaults.size();
  Activations functions;
  size_t alphas = 0, betas = 0;  // constants go to the functions of all directions in order
  for (size_t i = 0; i < per_direction * static_cast<size_t>(direction + 1); ++i) {
    const Function& f = function_of(named ? std::string_view(attrs.texts("activations")[i]) : defaults[i % per_direction]);
    const double alpha = f.has_alpha ? constant(attrs, "activation_alpha", alphas, f.alpha) : 0;
    const double beta = f.has_beta ? constant(attrs, "activation_beta", betas, f.beta) : 0;
    functions[i % per_direction] = {f.kind, alpha, beta, clip_of(attrs)};
  }
  return functions;
}

Recurrence recurrence_of(const Attributes& attrs, const Shape& sequence, const Shape& state_weights, int64_t gates) {
  if (sequence.rank() != 3 || state_weights.rank() != 3)
    fail(DBK_INVALID_ARGUMENT, "X of shape {} and R of shape {}: both have three axes", to_string(sequence),
         to_string(state_weights));
  const std::string& direction = attrs.text("direction");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
    fail(DBK_INVALID_ARGUMENT, "direction is '{}'", direction);
  const bool batch_first = attrs.integer_or("layout", 0) != 0;
  return {sequence[batch_first ? 1 : 0],
          sequence[batch_first ? 0 : 1],
          sequence[2],
          state_weights[2],
          direction == "bidirectional" ? 2 : 1,
          gates,
          direction == "reverse",
          batch_first};
}

void infer_recurrent(Infer& infer, int64_t gates, size_t functions, size_t states) {
  const Attributes& attrs = infer.attrs();
  const Recurrence r = recurrence_of(attrs, infer.shape(kSequence), infer.shape(kStateWeights), gates);
  if (attrs.integer_or("hidden_size", r.hidden) != r.hidden)
    fail(DBK_INVALID_ARGUMENT, "hidden_size is {}, but R has shape {}", attrs.integer("hidden_size"),
         to_string(infer.shape(kStateWeights)));
  if (attrs.has("activations")) {
    const size_t wanted = functions * static_cast<size_t>(r.directions), given = attrs.texts("activations").size();
    const bool default_of_rnn = functions == 1 && given == 2;  // names both directions, whatever the node has
    if (given != wanted && !default_of_rnn)
      fail(DBK_INVALID_ARGUMENT, "activations has {} functions, not {}", given, wanted);
    for (const std::string& name : attrs.texts("activations")) function_of(name);
  }
  if (clip_of(attrs) < 0) fail(DBK_INVALID_ARGUMENT, "clip is {}", clip_of(attrs));
  const Shape state = r.batch_first ? Shape{r.batch, r.directions, r.hidden} : Shape{r.directions, r.batch, r.hidden};
  require(infer, kWeights, "W", {r.directions, r.width(), r.input});
  require(infer, kStateWeights, "R", {r.directions, r.width(), r.hidden});
  require(infer, kBiases, "B", {r.directions, 2 * r.width()});
  require(infer, kLengths, "sequence_lens", {r.batch});
  require(infer, kFirstState, "initial_h", state);
  require(infer, kFirstCell, "initial_c", state);
  require(infer, kPeepholes, "P", {r.directions, 3 * r.hidden});
  const DType dtype = infer.in(kSequence).dtype;
  infer.out(0, dtype, r.batch_first ? Shape{r.batch, r.steps, r.directions, r.hidden}
                                    : Shape{r.steps, r.directions, r.batch, r.hidden});
  for (size_t s = 0; s < states; ++s) infer.out(1 + s, dtype, state);
}

int64_t recurrent_work_bytes(const Compute& c, int64_t gates) {
  const Recurrence r = recurrence_of(c.attrs(), c.in(kSequence).shape(), c.in(kStateWeights).shape(), gates);
  const DType compute = c.in(kSequence).type.dtype == DBK_F64 ? DBK_F64 : DBK_F32;
  return byte_size(compute, RecurrentWork(r).count());
}

int64_t steps_of(const Compute& c, const Recurrence& r, int64_t b) {
  if (!c.has(kLengths)) return r.steps;
  const int64_t length = integer_at(c.in(kLengths), b);
  if (length < 0 || length > r.steps)
    fail(DBK_OUT_OF_RANGE, "sequence_lens has {} at position {}, which is outside [0, {}]", length, b, r.steps);
  return length;
}

}  // namespace dbk

#include "plugin/gpu/families/functor.h"

namespace dbk::gpu {

namespace {

// Ops whose attributes have other names.
struct Names {
  std::string_view id, alpha, beta;
};
constexpr Names kNames[] = {{"is_inf", "detect_negative", "detect_positive"}, {"selu", "alpha", "gamma"}, {"shrink", "lambd", "bias"}};

float number_of(const Attributes& attrs, std::string_view name) {
  const AttributeValue* value = attrs.find(name);
  if (!value) return 0;
  if (const auto* integer = std::get_if<int64_t>(value)) return static_cast<float>(*integer);
  return static_cast<float>(attrs.real(name));
}

}  // namespace

FunctorAttributes functor_attributes(const OpRow& op, const Attributes& attrs) {
  Names names{{}, "alpha", "beta"};
  for (const Names& other : kNames)
    if (other.id == op.id) names = other;
  return {number_of(attrs, names.alpha), number_of(attrs, names.beta)};
}

std::string functor_of(const OpRow& op, const Attributes& attrs, DType dtype) {
  const std::string id(op.id);
  if (op.id == "pow" && !contains(FLOATS, dtype)) return id + "_integer";
  const bool tanh = attrs.has("approximate") && attrs.text("approximate") == "tanh";
  return tanh ? id + "_tanh" : id;
}

void add_functor(ProgramText& text, std::string_view functor, DType dtype) {
  text.file(functor);
  const bool divides = functor == "div" || functor == "mod";
  if (divides && contains(I64 | U64, dtype)) text.file("_pair_division");
  if (functor == "mod" && contains(FLOATS, dtype)) text.file("_fmod");
  if (!contains(FLOATS, dtype)) return;
  text.file("_math");
  if (needs_turns(functor)) text.file("_turns").file("_wide_product");
}

}  // namespace dbk::gpu

#include "plugin/gpu/families/told_precision.h"

#include <algorithm>

#include "plugin/gpu/families/precision_guard.h"
#include "plugin/gpu/families/product_kernel.h"

namespace dbk::gpu {

namespace {

// The choice lists families that stood before the one taken. `coop` is none of those where another is forced or was measured, nor on
// software adapters.
std::string why_not_coop(const Product& p, const Choice& choice, const Capabilities& caps) {
  if (caps.controls.matmul_family == choice.family) return "option matmul_family=" + choice.family;
  if (const auto found = std::ranges::find(choice.others, kCoopKernel.name, &Choice::Other::family); found != choice.others.end()) return found->why_not;
  if (std::string why = kCoopKernel.refuse(p, caps); !why.empty()) return why;
  if (std::string why = kCoopKernel.refuse_extents(p, caps); !why.empty()) return why;
  const auto is_coop = [](const Choice::Measured& each) { return each.kernel.starts_with(std::format("{} ", kCoopKernel.name)); };
  if (std::ranges::any_of(choice.measured, is_coop)) return "coop was measured, and is slower";
  return caps.cpu_adapter ? "coop is slower on software adapters" : "coop is not among what was measured";
}

// Empty where operands are rounded to f16: both for `coop`, the weight where it is stored for that.
std::string why_f32(const Product& p, const Choice& choice, const Capabilities& caps) {
  if (p.verdict && !p.verdict->operands) return p.verdict->told;
  if (choice.family != kCoopKernel.name && !as_operand(p)) return why_not_coop(p, choice, caps);
  return rounding_form(p, caps) == OperandForm::None ? "the adapter's matrices of subgroups are of f32" : "";
}

// Of a B that is computed. Scales bound the error of operands whatever they hold, sums in f16 are another matter.
std::string told_of_computed(const Product& p, const Capabilities& caps) {
  const OperandForm form = rounding_form(p, caps);
  if (form == OperandForm::F16) return "B is computed: whatever it holds, the error stays under 2^-10 of the norms of row and column";
  if (form == OperandForm::F16Sums) return std::format("B is computed, so nobody judges it: sums of {} in f16 may be wrong by {:.2g} of the norms", p.k, static_cast<double>(p.k) / 2048);
  return {};
}

}  // namespace

std::string told_of_precision(const TypedNode& node, const Product& p, const Choice& choice, const Capabilities& caps) {
  const bool asked = p.dtype == DBK_F32 && p.precision != Precision::F32;
  if (const std::string why = asked ? why_f32(p, choice, caps) : ""; !why.empty())
    return std::format("option precision={} has no effect: {}", name_of(p.precision), why);
  if (p.verdict) return p.verdict->told;
  if (product_rounding(node, p, caps)) return "the precision guard judges the weight when the executable is made ready";
  return choice.family == kCoopKernel.name && !b_is_weight(node) ? told_of_computed(p, caps) : "";
}

}  // namespace dbk::gpu

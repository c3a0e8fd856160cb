#include "host_fallback/scatter.h"

namespace dbk {

Reduction reduction_of(const Attributes& attrs) {
  if (!attrs.has("reduction")) return Reduction::None;
  const std::string& name = attrs.text("reduction");
  if (name == "none") return Reduction::None;
  if (name == "add") return Reduction::Add;
  if (name == "mul") return Reduction::Mul;
  if (name == "max") return Reduction::Max;
  if (name == "min") return Reduction::Min;
  fail(DBK_INVALID_ARGUMENT, "reduction is '{}', not 'none', 'add', 'mul', 'max' or 'min'", name);
}

Reduction checked_reduction(const Infer& infer) {
  const Reduction reduction = reduction_of(infer.attrs());
  const bool orders = reduction == Reduction::Max || reduction == Reduction::Min;
  if (orders && contains(C64 | C128, infer.in(0).dtype))
    fail(DBK_INVALID_ARGUMENT, "reduction is '{}', and {} numbers have no order", infer.attrs().text("reduction"), to_string(infer.in(0).dtype));
  return reduction;
}

}  // namespace dbk

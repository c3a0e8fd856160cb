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

}  // namespace dbk

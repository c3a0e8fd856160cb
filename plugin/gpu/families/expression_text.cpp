#include "plugin/gpu/families/expression_text.h"

#include <cctype>
#include <cmath>
#include <set>

#include "plugin/gpu/families/functor.h"

namespace dbk::gpu {

namespace {

constexpr DTypeSet kRegisters = F32 | F16 | I32 | BOOL;

using Names = std::vector<std::pair<std::string, std::string>>;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// The text with whole identifiers (also "p.alpha") replaced.
std::string renamed(std::string_view text, const Names& names) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const bool starts = i == 0 || !in_word(text[i - 1]);
    const auto found = std::ranges::find_if(names, [&](const auto& n) {
      const size_t end = i + n.first.size();
      return starts && text.substr(i, n.first.size()) == n.first && (end == text.size() || !in_word(text[end]));
    });
    out += found == names.end() ? std::string(1, text[i]) : found->second;
    i += found == names.end() ? 1 : found->first.size();
  }
  return out;
}

std::string literal(double value) {
  if (!std::isfinite(static_cast<float>(value))) fail(DBK_INTERNAL, "an attribute of {}", value);
  return std::format("f32({:.9g})", static_cast<float>(value));
}

// Accumulators have functions of the same names; those of i32 and bool get others.
Names integer_names() {
  Names names{{"acc", "i32"}, {"number_bits", "32u"}};
  for (const char* function : {"is_nan", "highest", "lowest", "equal", "less", "order_of", "plus", "minus", "times", "negated", "magnitude",
                               "unit", "before", "ratio", "remainder", "bits_in", "bit_of", "counted"})
    names.emplace_back(function, std::string(function) + "_i32");
  return names;
}
const Names kIntegerNames = integer_names();
const Names kBoolNames = {{"acc", "bool"}, {"equal", "equal_bool"}};

bool gives_bool(const OpRow& op) { return op.family == "compare" || op.family == "predicate"; }

std::string cast_text(DType from, DType to, const std::string& x) {
  const bool real = contains(F32 | F16, from);
  if (from == to || (real && contains(F32 | F16, to))) return x;  // f16 is rounded when it is stored
  if (contains(F32 | F16, to)) return from == DBK_BOOL ? std::format("select(0.0, 1.0, {})", x) : std::format("f32({})", x);
  if (to == DBK_BOOL) return real ? std::format("(bitcast<u32>({}) & 0x7fffffffu) != 0u", x) : std::format("{} != 0", x);
  return real ? std::format("whole({})", x) : std::format("select(0, 1, {})", x);
}

// As kernels/_cast_to_i32.wgsl does for four.
constexpr std::string_view kWhole = R"(
fn whole(x: f32) -> i32 {
  return select(select(i32(x), 2147483647, x >= 2147483648.0), 0, is_nan(x));
}
)";

// Whether compilers may merge a step with what computes its operands into something that is another number. Choosing, bounding, converting
// and changing a sign are exact, with or without that.
bool merges(const Expression::Step& step) {
  constexpr std::string_view kExact[] = {"where", "clip", "cast", "relu", "neg", "abs"};
  return std::ranges::find(kExact, step.op->id) == std::end(kExact);
}

// Whether such a step reads the value.
bool needs_fence(const Expression& expression, uint32_t value) {
  return std::ranges::any_of(expression.steps, [&](const Expression::Step& step) {
    return merges(step) && std::ranges::find(step.inputs, value) != step.inputs.end();
  });
}

class Writer {
 public:
  Writer(ProgramText& text, const Expression& expression, std::span<const DType> operands, FirstOperand first)
      : text_(text), expression_(expression), dtypes_(operands.begin(), operands.end()),
        fenced_sum_(first == FirstOperand::Computed && register_type(operands[0]) == "f32" && needs_fence(expression, 0)) {}

  void write() {
    if (std::ranges::find(dtypes_, DBK_F16) != dtypes_.end()) text_.enable("f16");
    text_.file("_number_f32").file("_math");
    if (fenced_sum_) body_ += std::format("  let sum = {};\n", fence("x0"));
    for (size_t s = 0; s < expression_.steps.size(); ++s) write_step(expression_.steps[s], s);
    std::string header = "\nfn value(";
    for (size_t i = 0; i < expression_.operands; ++i)
      header += std::format("{}x{}: {}", i ? ", " : "", i, register_type(dtypes_[i]));
    text_.text(header + std::format(") -> {} {{\n", register_type(dtypes_.back())) + body_ +
               std::format("  return {};\n}}\n", name_of(static_cast<uint32_t>(dtypes_.size() - 1))));
  }

 private:
  std::string name_of(uint32_t value) const {
    if (value == 0 && fenced_sum_) return "sum";
    return value < expression_.operands ? std::format("x{}", value) : std::format("s{}", value - expression_.operands);
  }

  std::string fence(const std::string& value) { return std::format("fence_apart({}, {}u)", value, ++fences_); }

  void write_step(const Expression::Step& step, size_t index) {
    const DType from = dtypes_[step.inputs[step.op->host->main_input]];
    const auto in = [&](size_t i) { return name_of(step.inputs[i]); };
    DType to = from;
    std::string value;
    if (step.op->family == "where") {
      value = std::format("select({}, {}, {})", in(2), in(1), in(0));
    } else if (step.op->family == "cast") {
      to = dtype_of_onnx(step.attrs.integer("to"));
      value = cast_text(from, to, in(0));
      if (contains(F32 | F16, from) && to == DBK_I32) once("whole", kWhole);
    } else if (step.op->family == "clip") {
      value = clip(step, from, index);
    } else {
      value = call(step, from, index);
      if (gives_bool(*step.op)) to = DBK_BOOL;
    }
    const bool fenced = register_type(to) == "f32" && needs_fence(expression_, static_cast<uint32_t>(dtypes_.size()));
    body_ += std::format("  let s{} = {};\n", index, fenced ? fence(value) : value);
    dtypes_.push_back(to);
  }

  // Bounds are operands or, in old versions, attributes; the upper one wins where they cross, and NaN stays.
  std::string clip(const Expression::Step& step, DType dtype, size_t index) {
    const auto bound = [&](size_t input, const char* attribute) {
      if (input < step.inputs.size() && step.inputs[input] != Expression::kAbsent) return name_of(step.inputs[input]);
      const bool given = step.attrs.has(attribute) && dtype != DBK_I32 && std::isfinite(static_cast<float>(step.attrs.real(attribute)));
      return given ? literal(step.attrs.real(attribute)) : std::string();
    };
    std::string value = name_of(step.inputs[0]);
    if (const std::string low = bound(1, "min"); !low.empty()) {
      body_ += std::format("  let low{2} = select({0}, {1}, {0} < {1});\n", value, low, index);
      value = std::format("low{}", index);
    }
    const std::string high = bound(2, "max");
    return high.empty() ? value : std::format("select({0}, {1}, {0} > {1})", value, high);
  }

  // A functor's call; its text goes in front once per type, or once per step where it has attributes.
  std::string call(const Expression::Step& step, DType dtype, size_t index) {
    const std::string functor = functor_of(*step.op, step.attrs, dtype);
    const std::string_view source = kernel_text(functor);
    const std::string type(register_type(dtype));
    Names names = type == "i32" ? kIntegerNames : type == "bool" ? kBoolNames : Names{{"acc", "f32"}};
    if (type != "f32") once("_number_" + type, renamed(kernel_text("_number_" + type), names));
    std::string name = std::format("{}_{}", type, functor);
    const FunctorAttributes attributes = functor_attributes(*step.op, step.attrs);
    for (const auto& [use, value] : {std::pair{"p.alpha", attributes.alpha}, {"p.beta", attributes.beta}}) {
      if (source.find(use) == std::string_view::npos) continue;
      names.emplace_back(use, literal(static_cast<double>(value)));
      name = std::format("{}_{}{}", type, functor, index);
    }
    names.emplace_back("apply", name);
    if (needs_turns(functor))
      for (const char* file : {"_turns", "_wide_product"}) once(file, kernel_text(file));
    once(name, "\n" + renamed(source, names));
    std::string arguments = name_of(step.inputs[0]);
    for (size_t i = 1; i < step.inputs.size(); ++i) {
      const bool again = type == "f32" && step.inputs[i] == step.inputs[0];
      arguments += ", " + (again ? fence(name_of(step.inputs[i])) : name_of(step.inputs[i]));
    }
    return std::format("{}({})", name, arguments);
  }

  void once(const std::string& name, std::string_view text) {
    if (seen_.insert(name).second) text_.text(std::string(text));
  }

  ProgramText& text_;
  const Expression& expression_;
  std::vector<DType> dtypes_;  // of operands, then of steps
  bool fenced_sum_;            // operand 0 is computed, and arithmetic reads it
  uint32_t fences_ = 0;
  std::string body_;
  std::set<std::string> seen_;
};

std::string refuse_step(const Expression::Step& step, DType from, DType to) {
  const std::string_view family = step.op->family;
  if (family == "where") return contains(kRegisters, from) ? "" : std::format("no expression chooses between {}", to_string(from));
  if (family == "cast") {
    const bool fits = contains(kRegisters, from) && contains(kRegisters, to) && !(from == DBK_I32 && to == DBK_F16);
    return fits ? "" : std::format("no expression casts {} to {}", to_string(from), to_string(to));
  }
  const bool looks_for_zeros = step.op->id == "mod" || (step.op->id == "div" && from == DBK_I32);
  if ((family != "unary" && family != "binary" && family != "clip" && !gives_bool(*step.op)) || looks_for_zeros)
    return std::format("{} is no step of a kernel", step.op->name);
  if (contains(step.op->gpu_dtypes & kRegisters, from)) return "";
  return std::format("no kernel applies {} to {}", step.op->name, to_string(from));
}

}  // namespace

std::string_view register_type(DType dtype) { return dtype == DBK_BOOL ? "bool" : dtype == DBK_I32 ? "i32" : "f32"; }

std::string refuse_expression(const Expression& e, std::span<const DType> operands, const Capabilities& caps) {
  std::vector<DType> dtypes(operands.begin(), operands.end());
  for (const Expression::Step& step : e.steps) {
    const size_t main = step.op->host->main_input;
    const bool absent = std::ranges::find(step.inputs, Expression::kAbsent) != step.inputs.end();
    if (absent && step.op->family != "clip") return "an operand is left out";
    const DType from = dtypes[step.inputs[main]];
    const DType to = step.op->family == "cast" ? dtype_of_onnx(step.attrs.integer("to")) : gives_bool(*step.op) ? DBK_BOOL : from;
    if (std::string reason = refuse_step(step, from, to); !reason.empty()) return reason;
    for (size_t i = main + 1; i < step.inputs.size(); ++i)
      if (step.inputs[i] != Expression::kAbsent && dtypes[step.inputs[i]] != from) return "operands of different types have no kernel";
    if (from == DBK_F32 && to == DBK_F16 && &step != &e.last()) return "f16 is rounded only where it is stored";  // compilers fold f32(f16(x))
    dtypes.push_back(to);
  }
  for (DType dtype : dtypes) {
    if (!contains(kRegisters, dtype)) return std::format("{} elements have no kernel", to_string(dtype));
    if (dtype == DBK_F16 && !caps.f16) return "the adapter has no f16 arithmetic";
  }
  return {};
}

void add_expression(ProgramText& text, const Expression& expression, std::span<const DType> operands, FirstOperand first) {
  Writer(text, expression, operands, first).write();
}

std::string expression_label(const Expression& e) {
  std::string label;
  for (const Expression::Step& step : e.steps) label += (label.empty() ? "" : "+") + functor_of(*step.op, step.attrs);
  return label;
}

}  // namespace dbk::gpu

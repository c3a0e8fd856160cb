#include "plugin/contradictions.h"

namespace dbk {

namespace {

// An option as its context or compile has it.
struct Told {
  const Options& options;
  const char* key;
};

[[noreturn]] void contradict(const Told& one, const Told& other, std::string_view why) {
  fail(DBK_INVALID_ARGUMENT, "{} contradicts {}: {}", one.options.told(one.key), other.options.told(other.key), why);
}

// `context` decides which kernels there are for what `options`, of it or of a compile, asks for.
void check_precision(const Options& options, const Options& context) {
  const Told precision{options, "precision"}, coop{context, "coop"}, family{context, "matmul_family"};
  const std::string &wanted = options.text("precision"), &allowed = context.text("coop"), &forced = context.text("matmul_family");
  if (wanted != "f16" && wanted != "f16_f32acc") return;
  constexpr std::string_view kWhy = "only matrices of subgroups (coop) compute in f16 what is given as f32";
  if (allowed == "0" || allowed == "f32") contradict(precision, coop, kWhy);
  if (forced != "auto" && forced != "coop") contradict(precision, family, kWhy);
}

void check_coop(const Options& context) {
  const Told coop{context, "coop"}, columns{context, "coop_columns"}, family{context, "matmul_family"};
  const bool forced = context.text("matmul_family") == "coop", none = context.text("coop") == "0";
  if (forced && none) contradict(family, coop, "coop is matrices of subgroups");
  if (context.integer("coop_columns") == 0) return;
  if (none) contradict(columns, coop, "no product uses matrices of subgroups");
  if (forced) contradict(columns, family, "it is for products of any width");
}

void check_family(const Options& context) {
  const Told family{context, "matmul_family"};
  const std::string &name = context.text("matmul_family"), &level = context.text("autotune");
  if (name == "auto" && !context.text("matmul_variant").empty()) contradict({context, "matmul_variant"}, family, "a variant is one of a family");
  if (name != "auto" && (level == "quick" || level == "full")) contradict({context, "autotune"}, family, "there is nothing to measure where kernels are forced");
  if (name == "line" && context.text("kernels") == "hardware") contradict(family, {context, "kernels"}, "line is a kernel for software adapters");
  if (name == "line" && context.flag("validation")) contradict(family, {context, "validation"}, "line is for kernels without bounds checks");
}

void check_tuning(const Options& context) {
  const Told level{context, "autotune"}, budget{context, "tune_budget_ms"};
  const bool measures = context.text("autotune") == "quick" || context.text("autotune") == "full";
  if (context.is_set("tune_budget_ms") && context.is_set("autotune") && !measures) contradict(budget, level, "nothing is measured");
}

// What is asked of the guard where nothing is rounded. Families that leave nothing to others never round; of gemv matrices may take what it cannot.
void check_guard(const Options& context) {
  const Told gate{context, "oscillation_gate"}, threshold{context, "precision_threshold"}, coop{context, "coop"}, family{context, "matmul_family"};
  const std::string &allowed = context.text("coop"), &forced = context.text("matmul_family");
  constexpr std::string_view kWhy = "no weight is rounded";
  if (context.real("oscillation_gate") > 0 && context.real("precision_threshold") == 0) contradict(gate, threshold, "no weight is judged");
  for (const Told& asked : {gate, threshold}) {
    if (!context.is_set(asked.key) || context.real(asked.key) == 0) continue;
    if (allowed == "0" || allowed == "f32") contradict(asked, coop, kWhy);
    if (forced == "lane" || forced == "line" || forced == "tile") contradict(asked, family, kWhy);
  }
}

}  // namespace

void check_context_options(const Options& context) {
  check_coop(context);
  check_family(context);
  check_precision(context, context);
  check_tuning(context);
  check_guard(context);
}

void check_compile_options(const Options& compile, const Options& context) {
  check_precision(compile, context);
  const std::string& form = compile.text("qkv");
  if ((form == "packed" || form == "split") && compile.text("fusion") == "off")
    contradict({compile, "qkv"}, {compile, "fusion"}, "products keep the form in which they are given");
}

}  // namespace dbk

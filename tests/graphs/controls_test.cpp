// Controls of contexts and compiles: those that contradict each other are refused, both named and told by what they are set; a compile
// starts as its context has it; variables are read once per context, and one that nobody reads is a line in the log.
#include <cstdlib>
#include <optional>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Options;
using nlohmann::json;

struct Setting {
  std::string key, value;
  std::string variable() const {
    std::string name = "DAYBREAK_";
    for (const char c : key) name += static_cast<char>(std::toupper(c));
    return name;
  }
  std::string by_option() const { return std::format("option {}={}", key, value); }
  std::string by_variable() const { return std::format("{}={}", variable(), value); }
};

// While it lives the variable is set.
class Variable {
 public:
  explicit Variable(const Setting& setting) : name_(setting.variable()) { setenv(name_.c_str(), setting.value.c_str(), 1); }
  ~Variable() { unsetenv(name_.c_str()); }
  Variable(const Variable&) = delete;

 private:
  std::string name_;
};

// With the type that the option has.
void set(Options& options, const Setting& setting) {
  static const json known = json::parse(context().report("options")).at("options");
  for (const json& option : known) {
    if (option.at("key") != setting.key) continue;
    const std::string type = option.at("type");
    if (type == "bool") options.set(setting.key, setting.value == "1");
    else if (type == "int") options.set(setting.key, int64_t{std::stoll(setting.value)});
    else if (type == "float") options.set(setting.key, std::stod(setting.value));
    else options.set(setting.key, setting.value);
    return;
  }
  throw ops::Failure("no option " + setting.key);
}

Options options_of(std::initializer_list<Setting> settings) {
  Options options;
  for (const Setting& setting : settings) set(options, setting);
  return options;
}

struct Listener {
  std::vector<std::string> warnings;
  daybreak::Context context;

  explicit Listener(const Options& options = {})
      : context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options,
                {.name = "controls test", .log = [this](uint32_t, std::string_view text) { warnings.emplace_back(text); }}) {}
};

// Three products of one input.
daybreak::Executable compile_layer(const daybreak::Context& context, const Options& options) {
  constexpr int64_t rows = 40, depth = 64, columns = 48;
  static const Floats weight = whole_numbers(size_t(depth * columns), 2);
  GraphBuilder g;
  const Value x = g.input("x", DBK_F32, {rows, depth});
  for (const char* name : {"a", "b", "c"}) g.output(g.node("MatMul", {x, g.param(name, std::span(weight), {depth, columns})}), std::string("of ") + name);
  return context.compile(g, {.options = options, .device = device().index});
}

const std::pair<Setting, Setting> kOfContexts[] = {
    {{"oscillation_gate", "0.35"}, {"precision_threshold", "0"}},
    {{"oscillation_gate", "0.35"}, {"coop", "0"}},
    {{"oscillation_gate", "0.35"}, {"coop", "f32"}},
    {{"oscillation_gate", "0.35"}, {"matmul_family", "lane"}},
    {{"oscillation_gate", "0.35"}, {"matmul_family", "line"}},
    {{"oscillation_gate", "0.35"}, {"matmul_family", "tile"}},
    {{"precision_threshold", "0.1"}, {"coop", "0"}},
    {{"precision_threshold", "0.1"}, {"coop", "f32"}},
    {{"precision_threshold", "0.1"}, {"matmul_family", "lane"}},
    {{"tune_budget_ms", "100"}, {"autotune", "off"}},
    {{"tune_budget_ms", "100"}, {"autotune", "cached"}},
    {{"autotune", "quick"}, {"matmul_family", "lane"}},
    {{"autotune", "full"}, {"matmul_family", "coop"}},
    {{"matmul_family", "line"}, {"kernels", "hardware"}},
    {{"matmul_family", "line"}, {"validation", "1"}},
    {{"matmul_family", "coop"}, {"coop", "0"}},
    {{"coop_columns", "100"}, {"coop", "0"}},
    {{"coop_columns", "100"}, {"matmul_family", "coop"}},
    {{"matmul_variant", "64x64x16"}, {"matmul_family", "auto"}},
    {{"precision", "f16"}, {"coop", "0"}},
    {{"precision", "f16_f32acc"}, {"coop", "0"}},
    {{"precision", "f16"}, {"coop", "f32"}},
    {{"precision", "f16"}, {"matmul_family", "lane"}},
    {{"precision", "f16"}, {"matmul_family", "line"}},
    {{"precision", "f16_f32acc"}, {"matmul_family", "tile"}},
    {{"precision", "f16_f32acc"}, {"matmul_family", "gemv"}},
};

void test_contradictions_in_a_context() {
  for (const auto& [a, b] : kOfContexts) {
    require_failure(DBK_INVALID_ARGUMENT, {a.by_option(), b.by_option()}, [&] { Listener{options_of({a, b})}; });
    const Variable set_a(a);
    require_failure(DBK_INVALID_ARGUMENT, {a.by_variable(), b.by_option()}, [&] { Listener{options_of({b})}; });
    const Variable set_b(b);
    require_failure(DBK_INVALID_ARGUMENT, {a.by_variable(), b.by_variable()}, [&] { Listener{}; });
  }
}

void test_contradictions_of_a_compile_with_its_context() {
  for (const auto& [a, b] : kOfContexts) {
    if (a.key != "precision" || b.value == "line") continue;  // an adapter may refuse line
    const Listener strict(options_of({b}));
    require_failure(DBK_INVALID_ARGUMENT, {a.by_option(), b.by_option()}, [&] { compile_layer(strict.context, options_of({a})); });
    const Variable set_b(b);
    const Listener by_variable;
    require_failure(DBK_INVALID_ARGUMENT, {a.by_option(), b.by_variable()}, [&] { compile_layer(by_variable.context, options_of({a})); });
  }
}

void test_contradictions_in_a_compile() {
  const Setting fusion{"fusion", "off"};
  for (const char* form : {"packed", "split"}) {
    const Setting qkv{"qkv", form};
    require_failure(DBK_INVALID_ARGUMENT, {qkv.by_option(), fusion.by_option()}, [&] { compile_layer(context(), options_of({qkv, fusion})); });
    const Listener usually(options_of({qkv}));
    require_failure(DBK_INVALID_ARGUMENT, {qkv.by_option() + " of the context", fusion.by_option()},
                    [&] { compile_layer(usually.context, options_of({fusion})); });
    const Variable set_qkv(qkv);
    const Listener by_variable;
    require_failure(DBK_INVALID_ARGUMENT, {qkv.by_variable(), fusion.by_option()}, [&] { compile_layer(by_variable.context, options_of({fusion})); });
  }
}

void test_what_goes_together() {
  for (const auto& given : {options_of({{"precision", "auto"}, {"coop", "0"}}), options_of({{"precision_threshold", "0"}}),
                            options_of({{"autotune", "cached"}, {"matmul_family", "lane"}}), options_of({{"precision", "f16"}, {"coop", "f16"}}),
                            options_of({{"coop_columns", "100"}, {"coop", "f16"}}), options_of({{"precision_threshold", "0"}, {"coop", "0"}}),
                            options_of({{"oscillation_gate", "0.35"}, {"matmul_family", "gemv"}}), options_of({{"coop", "f16"}, {"matmul_family", "lane"}}),
                            options_of({{"tune_budget_ms", "100"}}), options_of({{"tune_budget_ms", "100"}, {"autotune", "quick"}})})
    compile_layer(Listener(given).context, options_of({{"fusion", "off"}, {"qkv", "plain"}}));
}

std::string family_in(const daybreak::Executable& exec) { return choice_in(exec.report("placement")).at("family"); }

void test_precision_of_the_context() {
  if (!on_gpu() || !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const Options hardware = options_of({{"kernels", "hardware"}, {"validation", "1"}});
  const Variable half({"precision", "f16_f32acc"});
  const Listener own(hardware), overruled(Options(hardware).set("precision", "f32"));
  require_equal(family_in(compile_layer(own.context, {})), std::string("coop"), "the variable's precision");
  require_equal(family_in(compile_layer(own.context, options_of({{"precision", "f32"}}))), std::string("tile"), "the compile's precision");
  require_equal(family_in(compile_layer(overruled.context, {})), std::string("tile"), "the context's precision");
}

void test_form_of_the_context() {
  if (!on_gpu()) throw Skip("the CPU device keeps products as they are");
  const auto reason_in = [](const daybreak::Context& context, const Options& options) {
    return report(compile_layer(context, options), "placement").at("projections").at(0).at("reason").get<std::string>();
  };
  const Listener splits(options_of({{"qkv", "split"}}));
  require_equal(reason_in(splits.context, {}), std::string("option qkv=split of the context"), "the reason");
  require_equal(reason_in(splits.context, options_of({{"qkv", "plain"}})), std::string("option qkv=plain"), "the reason");
  const Variable plain({"qkv", "plain"});
  const Listener by_variable;
  require_equal(reason_in(by_variable.context, {}), std::string("DAYBREAK_QKV=plain"), "the reason");
}

void test_variables_that_nobody_reads() {
  const Variable of_tests({"test_nothing", "1"});
  const std::pair<const char*, const char*> told[] = {{"auto_tune", "; did you mean DAYBREAK_AUTOTUNE?"},
                                                      {"matmul_famliy", "; did you mean DAYBREAK_MATMUL_FAMILY?"},
                                                      {"of_some_later_version", "of that name is known"}};
  for (const auto& [key, end] : told) {
    const Variable unknown({key, "quick"});
    for (int i = 0; i < 2; ++i) {
      const Listener own;
      require_equal(own.warnings.size(), size_t{1}, "lines of a context");
      require(own.warnings[0].starts_with(std::format("environment variable {} has no effect", Setting{key, ""}.variable())), "{}", own.warnings[0]);
      require(own.warnings[0].ends_with(end), "{}", own.warnings[0]);
    }
  }
}

// A context keeps what its variables said when it was made, whatever they say when it compiles.
void test_variables_are_read_once() {
  const std::string index = std::to_string(device().index);
  const auto compile_relu = [](const daybreak::Context& context) {
    GraphBuilder g;
    g.output(g.node("Relu", {g.input("x", DBK_F32, {2, 3})}), "y");
    return report(context.compile(g), "placement").at("device_choice").at("reason").get<std::string>();
  };
  std::optional<Variable> variable(std::in_place, Setting{"device", index});
  const Listener early;
  variable.reset();
  require_equal(compile_relu(early.context), "DAYBREAK_DEVICE=" + index, "the reason, the variable unset");
  variable.emplace(Setting{"device", "nonesuch"});
  require_equal(compile_relu(early.context), "DAYBREAK_DEVICE=" + index, "the reason, the variable changed");
  const Listener late;
  require_failure(DBK_NOT_FOUND, {"nonesuch"}, [&] { compile_relu(late.context); });
}

void test_kernels_are_forced_once() {
  if (!on_gpu()) throw Skip("the CPU device has no kernels to force");
  std::optional<Variable> variable(std::in_place, Setting{"matmul_family", "lane"});
  const Listener early;
  variable.reset();
  require_equal(family_in(compile_layer(early.context, {})), std::string("lane"), "the variable unset");
  variable.emplace(Setting{"matmul_family", "tile"});
  require_equal(family_in(compile_layer(early.context, {})), std::string("lane"), "the variable changed");
  require_equal(family_in(compile_layer(Listener().context, {})), std::string("tile"), "of another context");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_contradictions_in_a_context), GRAPH_TEST(test_contradictions_of_a_compile_with_its_context),
                                         GRAPH_TEST(test_contradictions_in_a_compile), GRAPH_TEST(test_what_goes_together), GRAPH_TEST(test_precision_of_the_context),
                                         GRAPH_TEST(test_form_of_the_context), GRAPH_TEST(test_variables_that_nobody_reads),
                                         GRAPH_TEST(test_variables_are_read_once), GRAPH_TEST(test_kernels_are_forced_once)});
}

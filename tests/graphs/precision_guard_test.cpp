// The precision guard: weights that f16 would spoil keep kernels of f32, reports say so with figures, and a parameter that is replaced is
// judged anew. As on graphics hardware, which uses matrices of subgroups by itself.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

constexpr int64_t kRows = 10, kDepth = 96, kColumns = 24;

void only_with_matrices() {
  if (!on_gpu() || !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
}

daybreak::Context context_with(daybreak::Options options) {
  return daybreak::Context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options.set("kernels", "hardware").set("validation", true));
}

// Numbers with more digits than f16 has.
Floats thirds(size_t count, uint32_t seed) {
  Floats numbers = whole_numbers(count, seed);
  for (float& x : numbers) x = (x + 0.1f) / 3;
  return numbers;
}

// y = (x W) V
struct TwoProducts {
  Floats x = thirds(size_t(kRows * kDepth), 1), w = thirds(size_t(kDepth * kColumns), 2), v = thirds(size_t(kColumns * kDepth), 3);

  daybreak::Executable compiled(const daybreak::Context& context, const char* precision, uint32_t mode = 0) const {
    GraphBuilder g;
    const Value first = g.node(daybreak::Op("MatMul").named("first"), {g.input("x", DBK_F32, {kRows, kDepth}), g.param("w", std::span(w), {kDepth, kColumns})});
    g.output(g.node(daybreak::Op("MatMul").named("second"), {first, g.param("v", std::span(v), {kColumns, kDepth})}), "y");
    daybreak::Compile how{.options = daybreak::Options().set("precision", precision).set("fusion", "off"), .device = device().index};
    how.mode = mode;
    return context.compile(g, how);
  }
};

nlohmann::json choice_of(const daybreak::Executable& exec, const char* node) { return placement_of(exec, node).at("choice"); }

void require_choice(const daybreak::Executable& exec, const char* node, bool coop, const char* part) {
  const nlohmann::json choice = choice_of(exec, node);
  const std::string family = choice.at("family"), reason = choice.at("reason");
  require(coop == (family == "coop"), "{} is computed by {}, because {}", node, family, reason);
  require(reason.find(part) != std::string::npos, "no '{}' in the reason of {}: {}", part, node, reason);
}

uint64_t judged(const daybreak::Executable& exec) { return report(exec, "stats").at("compile_stats").at("weights_judged"); }

void require_close(const Floats& actual, const Floats& expected, double share, const char* what) {
  double most = 0, norm = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    most = std::max(most, std::fabs(double(actual[i]) - double(expected[i])));
    norm = std::max(norm, std::fabs(double(expected[i])));
  }
  require(most <= share * norm, "{}: wrong by {} of {}", what, most, norm);
}

void test_verdicts_are_told() {
  only_with_matrices();
  const TwoProducts graph;
  const daybreak::Context own = context_with({});
  for (const uint32_t mode : {0u, uint32_t{DBK_COMPILE_PLAN_ONLY}}) {
    daybreak::Executable exec = graph.compiled(own, "f16_f32acc", mode);
    if (mode == 0) {
      require_choice(exec, "first", true, "judges the weight when the executable is made ready");
      exec.ready();
    }
    require_choice(exec, "first", true, "lets the weight be f16: error ");
    const nlohmann::json guard = choice_of(exec, "first").at("precision_guard");
    require(guard.at("operands_in_f16") && guard.at("error") > 0 && guard.at("error") < 2e-3 && guard.at("oscillation") > 0.1, "figures: {}", guard.dump());
    require_equal(judged(exec), uint64_t{2}, "weights judged");
  }
  daybreak::Executable plain = graph.compiled(own, "f32");
  plain.ready();
  require_equal(judged(plain), uint64_t{0}, "weights judged where nothing is rounded");
  require(!choice_of(plain, "first").contains("precision_guard"), "a verdict where nothing is rounded");
}

// Kernels of f32 give their bits, whatever else the executable may do.
void test_threshold() {
  only_with_matrices();
  const TwoProducts graph;
  const daybreak::Context own = context_with(daybreak::Options().set("precision_threshold", 1e-6)), unguarded = context_with(daybreak::Options().set("precision_threshold", 0.0));
  daybreak::Executable strict = graph.compiled(own, "f16_f32acc"), exact = graph.compiled(own, "f32"), free = graph.compiled(unguarded, "f16_f32acc");
  for (daybreak::Executable* exec : {&strict, &exact, &free}) exec->ready();
  for (const char* node : {"first", "second"}) {
    require_choice(strict, node, false, "precision_threshold=1e-06");
    require_choice(free, node, true, "");
  }
  require_equal(judged(free), uint64_t{0}, "weights judged without a threshold");
  daybreak::Run a(strict), b(exact), c(free);
  const Floats expected = run_once(b, graph.x, {kRows, kDepth});
  require_same(run_once(a, graph.x, {kRows, kDepth}), expected, "kernels of f32");
  require_close(run_once(c, graph.x, {kRows, kDepth}), expected, 4e-3, "unguarded");
}

void test_oscillation_gate() {
  only_with_matrices();
  TwoProducts graph;
  for (size_t i = 0; i < graph.v.size(); ++i) graph.v[i] = 2 + std::sin(float(i) / 50);
  const daybreak::Context own = context_with(daybreak::Options().set("oscillation_gate", 0.35));
  daybreak::Executable exec = graph.compiled(own, "f16_f32acc");
  exec.ready();
  require_choice(exec, "first", false, "oscillation_gate=0.35");
  require_choice(exec, "second", true, "lets the weight be f16");
}

void test_replaced_parameters_are_judged_anew() {
  only_with_matrices();
  const TwoProducts graph;
  const daybreak::Context own = context_with({});
  daybreak::Executable exec = graph.compiled(own, "f16_f32acc");
  exec.ready();
  daybreak::Run run(exec);
  const Floats before = run_once(run, graph.x, {kRows, kDepth});
  Floats odd = graph.w;
  odd[5] = std::numeric_limits<float>::infinity();
  exec.set_param("w", std::span(odd));
  exec.ready();
  require_equal(judged(exec), uint64_t{3}, "one more");
  require_choice(exec, "first", false, "not finite");
  require_choice(exec, "second", true, "lets the weight be f16");
  run.run();
  const Floats infinite = run.read<float>(0);
  require(std::ranges::none_of(infinite, [](float y) { return std::isfinite(y); }), "an infinity in W reaches every column of y");
  exec.set_param("w", std::span(graph.w));
  exec.ready();
  require_equal(judged(exec), uint64_t{4}, "and back");
  run.run();
  require_same(run.read<float>(0), before, "the first weight again");
}

// A weight that is made of others has its verdict before it is ready, too, unless one of those has no bytes yet.
void test_prepared_weights_are_judged_when_planned() {
  only_with_matrices();
  const daybreak::Context own = context_with({});
  const Floats w = thirds(size_t(kDepth * kColumns), 2), doubled{2};
  Floats odd = w;
  odd[7] = std::numeric_limits<float>::infinity();
  const auto require_planned = [&](const Floats* bytes, bool coop, const char* part) {
    GraphBuilder g;
    const Dims dims{kDepth, kColumns};
    const Value weight = bytes ? g.param("w", std::span(*bytes), dims) : g.param<float>("w", dims);
    const Value prepared = g.node(daybreak::Op("Mul").named("prepared"), {weight, g.param("doubled", std::span(doubled), {1})});
    g.output(g.node(daybreak::Op("MatMul").named("only"), {g.input("x", DBK_F32, {kRows, kDepth}), prepared}), "y");
    daybreak::Compile how{.options = daybreak::Options().set("precision", "f16_f32acc"), .device = device().index};
    how.mode = DBK_COMPILE_PLAN_ONLY;
    const daybreak::Executable exec = own.compile(g, how);
    require_equal(placement_of(exec, "prepared").at("where").get<std::string>(), std::string("prepared"), "the weight");
    require_choice(exec, "only", coop, part);
  };
  require_planned(&w, true, "lets the weight be f16: error ");
  require_planned(&odd, false, "not finite");
  require_planned(nullptr, true, "judges the weight when the executable is made ready");
}

// With precision=f16 the guard may keep sums alone out of f16.
void test_sums() {
  only_with_matrices();
  const int64_t depth = 1024;
  const Floats x(size_t(kRows * depth), 0.7f), w(size_t(depth * kColumns), 0.6f);
  GraphBuilder g;
  g.output(g.node(daybreak::Op("MatMul").named("only"), {g.input("x", DBK_F32, {kRows, depth}), g.param("w", std::span(w), {depth, kColumns})}), "y");
  const daybreak::Context own = context_with({});
  daybreak::Executable exec = own.compile(g, {.options = daybreak::Options().set("precision", "f16"), .device = device().index});
  exec.ready();
  require_choice(exec, "only", true, "keeps sums out of f16");
  const std::string tile = choice_of(exec, "only").at("tile");
  require(tile.find("f16 to f32") != std::string::npos, "{}", tile);
  daybreak::Run run(exec);
  require_close(run_once(run, x, {kRows, depth}), Floats(size_t(kRows * kColumns), 0.7f * 0.6f * float(depth)), 2e-3, "sums of one sign");
}

// What a weight may not be rounded for many rows, it is not for few either, although they would read it as it is stored for many.
void test_few_rows_follow_the_verdict() {
  only_with_matrices();
  const Floats w = thirds(size_t(kDepth * kColumns), 2), x = thirds(size_t(kDepth), 1);
  const auto run_with = [&](daybreak::Options options, const char* precision, bool packed) {
    const daybreak::Context own = context_with(std::move(options));
    GraphBuilder g;
    g.output(g.node(daybreak::Op("MatMul").named("only"), {g.input("x", DBK_F32, {g.symbol("rows", 1, kRows), kDepth}), g.param("w", std::span(w), {kDepth, kColumns})}), "y");
    daybreak::Executable exec = own.compile(g, {.options = daybreak::Options().set("precision", precision), .device = device().index});
    exec.ready();
    daybreak::Run run(exec);
    Floats y = run_once(run, x, {1, kDepth});
    const nlohmann::json choice = nlohmann::json::parse(run.report("placement")).at("nodes").at(0).at("choice");
    require_equal(choice.at("variant").get<std::string>().find("-packed") != std::string::npos, packed, choice.dump().c_str());
    const std::string reason = choice.at("reason");
    require(reason.find(packed ? "lets the weight be f16" : precision == std::string_view("f32") ? "few rows" : "has no effect: ") != std::string::npos, "{}", reason);
    return y;
  };
  const Floats exact = run_with({}, "f32", false), strict = run_with(daybreak::Options().set("precision_threshold", 1e-6), "f16_f32acc", false);
  require_same(strict, exact, "kernels of f32");
  const Floats rounded = run_with({}, "f16_f32acc", true);
  require_close(rounded, exact, 4e-3, "a rounded weight");
  require(rounded != exact, "nothing was rounded");
}

// No weight, no verdict: what bounds the error instead.
void test_computed_operands() {
  only_with_matrices();
  GraphBuilder g;
  const Value x = g.input("x", DBK_F32, {kRows, kRows});
  g.output(g.node(daybreak::Op("MatMul").named("square"), {x, g.node("Neg", {x})}), "y");
  const daybreak::Context own = context_with({});
  daybreak::Executable exec = own.compile(g, {.options = daybreak::Options().set("precision", "f16_f32acc"), .device = device().index});
  exec.ready();
  require_choice(exec, "square", true, "B is computed");
  const std::string kernel = placement_of(exec, "square").at("kernel");
  require(kernel.find("operand/f16") != std::string::npos && kernel.find(" + matmul/f32/coop") != std::string::npos, "packing is a step of: {}", kernel);
}

void test_options() {
  for (const double bad : {-0.1, 1.5, std::numeric_limits<double>::quiet_NaN()})
    require_failure(DBK_INVALID_ARGUMENT, {"precision_threshold", "0 .. 1"}, [&] { context_with(daybreak::Options().set("precision_threshold", bad)); });
  require_failure(DBK_INVALID_ARGUMENT, {"oscillation_gate"}, [&] { context_with(daybreak::Options().set("oscillation_gate", -1.0)); });
  require_failure(DBK_INVALID_ARGUMENT, {"precision_threshold", "type"}, [&] { context_with(daybreak::Options().set("precision_threshold", "low")); });
  setenv("DAYBREAK_PRECISION_THRESHOLD", "0.5x", 1);
  require_failure(DBK_INVALID_ARGUMENT, {"DAYBREAK_PRECISION_THRESHOLD", "0.5x"}, [&] { context_with({}); });
  setenv("DAYBREAK_PRECISION_THRESHOLD", "1e-3", 1);
  context_with({});
  unsetenv("DAYBREAK_PRECISION_THRESHOLD");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__,
                   {GRAPH_TEST(test_verdicts_are_told), GRAPH_TEST(test_threshold), GRAPH_TEST(test_oscillation_gate),
                     GRAPH_TEST(test_replaced_parameters_are_judged_anew), GRAPH_TEST(test_prepared_weights_are_judged_when_planned),
                     GRAPH_TEST(test_sums), GRAPH_TEST(test_computed_operands), GRAPH_TEST(test_few_rows_follow_the_verdict), GRAPH_TEST(test_options)});
}

// What is refused, when, and what the refusal says: nodes a GPU cannot run under policy require_gpu, budgets, indices
// out of range at run time. After a refused or failed call everything else goes on.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Op;
using daybreak::Options;

constexpr int64_t kF64 = 11, kF32 = 1;

void test_require_gpu_lists_every_node() {
  GraphBuilder g;
  const Value x = g.node("Relu", {g.input<float>("x", {3})});
  const Value wide = g.node(Op("Cast").named("widen"), {x}, {{"to", kF64}});
  const Value sum = g.node(Op("Add").named("sum in double"), {wide, wide});
  g.output(g.node("Neg", {g.node(Op("Cast").named("narrow"), {sum}, {{"to", kF32}})}), "y");
  if (!on_gpu()) {
    require_failure(DBK_UNIMPLEMENTED, {"require_gpu", "CPU"},
                    [&] { compile(g, Options().set("policy", "require_gpu")); });
    return;
  }
  const auto error = require_failure(DBK_UNIMPLEMENTED, {"widen", "sum in double", "narrow", "f64"},
                                     [&] { compile(g, Options().set("policy", "require_gpu")); });
  require_equal(error.causes().size(), 3u, "number of causes");
  for (uint32_t i = 0; i < 3; ++i) require(error.causes()[i].node == i + 1, "cause {} is not about node {}", i, i + 1);
}

void test_cpu_only_runs_everything_on_the_host() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.input<float>("x", {3})}), "y");
  auto exec = prepare(g, Options().set("policy", "cpu_only"));
  daybreak::Run run(exec);
  require_same(run_once(run, {1, 2, 3}, {3}), {-1, -2, -3}, "result");
  require_equal(run.stats().dispatches, 0u, "dispatches");
}

// check says beforehand what compile will say.
void test_check_foresees_the_refusal() {
  const auto runs = [](GraphBuilder& g, const Options& options) {
    return nlohmann::json::parse(context().check(g, {.options = options, .device = device().index}));
  };
  GraphBuilder strings;
  strings.output(strings.node("Identity", {strings.input("x", DBK_STRING, {3})}), "y");
  const auto verdict = runs(strings, {});
  require(!verdict["runs"] && verdict["reasons"].dump().find("string") != std::string::npos, "{}", verdict.dump());
  require_failure(DBK_UNIMPLEMENTED, {"string"}, [&] { compile(strings); });

  GraphBuilder doubles;
  const Value wide = doubles.node("Cast", {doubles.input<float>("x", {3})}, {{"to", kF64}});
  doubles.output(doubles.node("Neg", {wide}), "y");
  require(runs(doubles, {})["runs"], "f64 does not run on the host");
  const auto strict = runs(doubles, Options().set("policy", "require_gpu"));
  require(!strict["runs"] && strict["reasons"].dump().find("require_gpu") != std::string::npos, "{}", strict.dump());
}

nlohmann::json verdict_of(const nlohmann::json& verdicts, const std::string& name) {
  for (const auto& row : verdicts.at("nodes"))
    if (row.at("name") == name) return row;
  return {};
}

// A graph of which only bind tells the shapes: a Reshape by elements of an input, and an op behind it.
GraphBuilder open_until_bind(const char* op) {
  GraphBuilder g;
  const Value reshaped = g.node("Reshape", {g.input<float>("x", {4}), g.input<int64_t>("shape", {2})});
  g.output(g.node(Op(op).named("behind"), {reshaped}), "y");
  return g;
}

// What only bind decides is neither promised nor refused, by check as by the placement report.
void test_check_tells_what_bind_decides() {
  const auto strict = Options().set("policy", "require_gpu");
  if (!on_gpu()) throw Skip("everything is on the CPU");
  GraphBuilder g = open_until_bind("Neg");
  auto verdicts = nlohmann::json::parse(context().check(g, {.options = strict, .device = device().index}));
  require(verdicts["runs"] && verdicts["undecided"].size() == 1 && verdicts["undecided"].dump().find("'behind'") != std::string::npos, "{}", verdicts.dump());
  require(verdict_of(verdicts, "behind")["verdict"] == "open" && !verdicts["all_on_device"], "{}", verdicts.dump());
  const auto exec = compile(g, strict);
  require(placement_of(exec, "behind")["where"] == "open" && report(exec, "placement")["summary"]["open"] == 1, "{}", report(exec, "placement").dump());
  verdicts = nlohmann::json::parse(context().check(g, {.device = device().index}));
  require(verdicts["runs"] && verdicts["undecided"].empty(), "without a policy nothing is refused at bind: {}", verdicts.dump());
  const auto budget = Options().set("memory_budget", int64_t{1 << 20});
  verdicts = nlohmann::json::parse(context().check(g, {.options = budget, .device = device().index}));
  require(verdicts["undecided"].dump().find("memory_budget") != std::string::npos, "{}", verdicts.dump());
}

// An op without kernels is the host's, whatever its shapes: compile need not wait for bind to say so.
void test_ops_without_kernels_are_refused_before_bind() {
  const auto strict = Options().set("policy", "require_gpu");
  GraphBuilder g = open_until_bind("Det");
  const auto verdicts = nlohmann::json::parse(context().check(g, {.options = strict, .device = device().index}));
  require(!verdicts["runs"], "{}", verdicts.dump());
  require(verdict_of(verdicts, "behind")["verdict"] == (on_gpu() ? "host" : "device"), "{}", verdicts.dump());
  const auto error = require_failure(DBK_UNIMPLEMENTED, {on_gpu() ? "Det has no GPU kernel" : "CPU"}, [&] { compile(g, strict); });
  require(verdicts["reasons"] == nlohmann::json::array({error.causes()[0].message}), "check: {}, compile: {}", verdicts["reasons"].dump(), error.what());
}

// The host drives an If, and check says so as the placement report does; the policy is about the bodies.
void test_check_places_bodies_as_compile_does() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3});
  const Value flag = g.node(Op("Cast").named("flag"), {g.node("ReduceSum", {x}, {{"keepdims", 0}})}, {{"to", int64_t{9}}});
  const auto then = g.body("then", [&] { g.output(g.node(Op("Neg").named("yes"), {x})); });
  const auto otherwise = g.body("else", [&] { g.output(g.node(Op("Det").named("no"), {g.node("Reshape", {x, g.constant<int64_t>({3, 1, 1})})})); });
  g.output(g.node(Op("If").named("choice"), {flag}, {{"then_branch", then}, {"else_branch", otherwise}}), "y");
  const auto verdicts = nlohmann::json::parse(context().check(g, {.device = device().index}));
  const auto exec = compile(g);
  for (const char* name : {"choice", "yes", "no"}) {
    const std::string verdict = verdict_of(verdicts, name)["verdict"], where = placement_of(exec, name)["where"];
    require(verdict == (where == "host" ? "host" : "device"), "{}: check says {}, the placement {}", name, verdict, where);
  }
  if (!on_gpu()) return;
  const auto strict = Options().set("policy", "require_gpu");
  const auto refused = nlohmann::json::parse(context().check(g, {.options = strict, .device = device().index}));
  const auto error = require_failure(DBK_UNIMPLEMENTED, {"'choice'", "'no'"}, [&] { compile(g, strict); });
  require(refused["reasons"] == nlohmann::json::array({error.causes()[0].message}), "check: {}, compile: {}", refused["reasons"].dump(), error.what());
}

// y = Det(x) where n is over `limit`, else -x, of which extents tell.
GraphBuilder branch_by_extent(int64_t limit, int64_t most) {
  GraphBuilder g;
  const Value x = g.input<float>("x", {g.symbol("n", 1, most), 2, 2});
  const Value n = g.node("Gather", {g.node("Shape", {x}), g.scalar(int64_t{0})});
  const auto then = g.body("then", [&] { g.output(g.node(Op("Det").named("large"), {x})); });
  const auto otherwise = g.body("else", [&] { g.output(g.node("ReduceMax", {g.node(Op("Neg").named("small"), {x}), g.constant<int64_t>({1, 2})}, {{"keepdims", int64_t{0}}})); });
  g.output(g.node(Op("If").named("choice"), {g.node("Greater", {n, g.scalar(limit)})}, {{"then_branch", then}, {"else_branch", otherwise}}), "y");
  return g;
}

// Neither the least extent nor the largest chooses a branch for all others.
void test_branches_that_extents_choose() {
  if (!on_gpu()) throw Skip("everything is on the CPU");
  const auto strict = Options().set("policy", "require_gpu");
  for (const auto& [limit, most] : {std::pair<int64_t, int64_t>{2, -1}, {2, 5}, {1000, -1}, {0, -1}}) {
    GraphBuilder g = branch_by_extent(limit, most);
    const auto verdicts = nlohmann::json::parse(context().check(g, {.options = strict, .device = device().index}));
    require(verdicts["runs"] && verdicts["undecided"].dump().find("'large'") != std::string::npos, "{}", verdicts.dump());
    const auto lenient = nlohmann::json::parse(context().check(g, {.device = device().index}));
    require(lenient["runs"] && lenient["undecided"].empty(), "{}", lenient.dump());
    auto exec = prepare(g, strict);
    require(placement_of(exec, "large")["where"] == "host" && placement_of(exec, "small")["where"] == "gpu", "{}", report(exec, "placement").dump());
    require(placement_of(exec, "small")["reason"].dump().find("binding") != std::string::npos, "{}", placement_of(exec, "small").dump());
    daybreak::Run run(exec);
    if (limit > 0) require_same(run_once(run, {1, 2, 3, 4}, {1, 2, 2}), {-1}, "the branch of small extents");
    if (limit < 3) require_failure(DBK_UNIMPLEMENTED, {"require_gpu", "'large'", "Det has no GPU kernel"}, [&] { bind(run, "x", Floats(12), {3, 2, 2}); });
  }
  // What is fixed is decided.
  GraphBuilder fixed = branch_by_extent(2, 1);
  const auto verdicts = nlohmann::json::parse(context().check(fixed, {.options = strict, .device = device().index}));
  require(verdicts["runs"] && verdicts["undecided"].empty(), "{}", verdicts.dump());
}

// A branch that extents choose may make what only the run can shape, for the nodes behind the If.
void test_nodes_behind_branches_that_extents_choose() {
  if (!on_gpu()) throw Skip("everything is on the CPU");
  GraphBuilder g;
  const Value x = g.input<float>("x", {g.symbol("n", 1)});
  const Value one = g.node("Equal", {g.node("Shape", {x}), g.constant<int64_t>({1})});
  const auto then = g.body("then", [&] { g.output(g.node("Identity", {x})); });
  const auto otherwise = g.body("else", [&] { g.output(g.node(Op("Compress").named("some"), {x, g.node("Cast", {x}, {{"to", int64_t{9}}})})); });
  const Value chosen = g.node("If", {g.node("Squeeze", {one})}, {{"then_branch", then}, {"else_branch", otherwise}});
  g.output(g.node(Op("Neg").named("behind"), {chosen}), "y");
  const auto strict = Options().set("policy", "require_gpu");
  const auto verdicts = nlohmann::json::parse(context().check(g, {.options = strict, .device = device().index}));
  require(verdicts["runs"] && verdicts["undecided"].dump().find("'behind'") != std::string::npos, "{}", verdicts.dump());
  auto exec = prepare(g, strict);
  daybreak::Run run(exec);
  require_same(run_once(run, {3}, {1}), {-3}, "one");
  require_failure(DBK_UNIMPLEMENTED, {"require_gpu", "'behind'"}, [&] { bind(run, "x", {1, 0, 2}, {3}); });
}

void test_budget() {
  const Floats w(1000);
  GraphBuilder g;
  const Value p = g.param("w", DBK_F32, {1000}, std::as_bytes(std::span(w)));
  g.output(g.node("Neg", {g.node("Add", {g.input<float>("x", {1000}), p})}), "y");
  const auto stats = context().compile(g, {.device = device().index, .mode = DBK_COMPILE_PLAN_ONLY}).stats();
  const uint64_t needed = stats.weight_bytes + stats.activation_bytes;
  require(needed >= 3 * 4000, "a plan of three tensors of 4000 bytes counts {}", needed);
  require_failure(
      DBK_OUT_OF_MEMORY,
      {std::to_string(needed - 1), std::to_string(stats.weight_bytes), std::to_string(stats.activation_bytes)},
      [&] { compile(g, Options().set("memory_budget", static_cast<int64_t>(needed - 1))); });
  prepare(g, Options().set("memory_budget", static_cast<int64_t>(needed)));
}

void test_budget_of_dynamic_extents() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 100000);
  g.output(g.node("Neg", {g.node("Abs", {g.input<float>("x", {n})})}), "y");
  const auto attempt = [&] {
    auto exec = prepare(g, Options().set("memory_budget", int64_t{100000}));
    daybreak::Run run(exec);
    require_same(run_once(run, {1, -2, 3}, {3}), {-1, -2, -3}, "within the budget");
    const Floats large(90000);
    bind(run, "x", large, {90000});
  };
  require_failure(DBK_OUT_OF_MEMORY, {"100000"}, attempt);
}

// Smaller extents are planned, too, while the executable gets ready.
void test_budget_that_all_extents_keep_to() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 1000);
  g.output(g.node("Neg", {g.node("Abs", {g.input<float>("x", {n})})}), "y");
  auto exec = prepare(g, Options().set("memory_budget", int64_t{1} << 20));
  daybreak::Run run(exec);
  require_same(run_once(run, {1, -2, 3}, {3}), {-1, -2, -3}, "a few");
  require_same(run_once(run, Floats(1000, 2), {1000}), Floats(1000, -2), "all");
}

// What no memory holds is refused when it is known, before anything is made, and the refusal tells of which value.
void test_runs_that_no_memory_holds() {
  constexpr int64_t kMany = int64_t{1} << 44;
  GraphBuilder g;
  const Value x = g.input<float>("x", {1});
  g.output(g.node("Relu", {g.node("Expand", {x, g.input<int64_t>("shape", {1})})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {-3}, {1});
  const auto expand = [&](const std::vector<int64_t>& shape) { run.bind_input("shape", daybreak::View(std::span(shape), Dims{1})); };
  require_failure(DBK_OUT_OF_MEMORY, {"'y'", std::to_string(kMany * 4)}, [&] { expand({kMany}); });
  expand({2});
  run.run();
  require_same(run.read<float>(0), {0, 0}, "with less");

  GraphBuilder fixed;
  fixed.output(fixed.node("Relu", {fixed.input<float>("huge", {kMany})}), "y");
  const auto verdicts = nlohmann::json::parse(context().check(fixed, {.device = device().index}));
  require(!verdicts["runs"] && verdicts["reasons"].dump().find("'huge' f32 [" + std::to_string(kMany)) != std::string::npos, "{}", verdicts.dump());
  require_failure(DBK_OUT_OF_MEMORY, {"'huge'"}, [&] { compile(fixed); });
  const auto planned = context().compile(fixed, {.device = device().index, .mode = DBK_COMPILE_PLAN_ONLY});
  require(report(planned, "plan")["input_bytes"] == kMany * 4, "{}", report(planned, "plan").dump());
  Value longest = fixed.input<float>("longest", {int64_t{1} << 57});
  for (int i = 0; i < 33; ++i) longest = fixed.node("Relu", {longest});  // 2^64 bytes and more, which is not 0
  fixed.output(longest, "z");
  require_failure(DBK_OUT_OF_MEMORY, {"2^62"}, [&] { compile(fixed, unfused()); });
}

template <class Index>
void require_index_error() {
  GraphBuilder g;
  const Value data = g.node("Relu", {g.input<float>("x", {5, 2})});
  const Value rows = g.node(Op("Gather").named("pick rows"), {data, g.input<Index>("ids", {3})});
  g.output(g.node("Neg", {rows}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  bind(run, "x", x, {5, 2});
  const auto pick = [&](const std::vector<Index>& ids) {
    run.bind_input("ids", daybreak::View(std::span(ids), Dims{3}));
    run.run();
    return run.read<float>(0);
  };
  require_same(pick({0, 4, -5}), {-1, -2, -9, -10, -1, -2}, "before");
  for (Index bad : {Index(5), Index(-6), std::numeric_limits<Index>::max(), std::numeric_limits<Index>::min()}) {
    const auto error = require_failure(DBK_OUT_OF_RANGE, {"pick rows"}, [&] { pick({0, bad, 1}); });
    require(error.causes()[0].node == 1u, "the error does not name node 1");
    require_same(pick({0, 4, -1}), {-1, -2, -9, -10, -9, -10}, "after a bad index");
  }
}

void test_index_out_of_range_i64() { require_index_error<int64_t>(); }
void test_index_out_of_range_i32() { require_index_error<int32_t>(); }

// 2^32 + 1 must not be taken for 1.
void test_index_beyond_32_bits() {
  GraphBuilder g;
  g.output(g.node(Op("Gather").named("pick"), {g.input<float>("x", {5}), g.input<int64_t>("ids", {1})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4, 5}, {5});
  for (int64_t id : {(int64_t{1} << 32) + 1, -(int64_t{1} << 32) + 1, int64_t{1} << 33}) {
    run.bind_input("ids", daybreak::View(std::span(&id, 1), Dims{1}));
    require_failure(DBK_OUT_OF_RANGE, {"pick"}, [&] { run.run(); });
  }
}

// Dividing integers by zero is refused on every device alike, and the run after it works.
template <class T>
void require_division_error(const char* op) {
  GraphBuilder g;
  g.output(g.node(Op(op).named("ratio"), {g.input<T>("x", {2}), g.input<T>("d", {2})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const std::vector<T> x{7, 8}, bad{2, 0}, good{2, 3};
  run.bind_input("x", daybreak::View(std::span(x), Dims{2}));
  run.bind_input("d", daybreak::View(std::span(bad), Dims{2}));
  require_failure(DBK_OUT_OF_RANGE, {"ratio", "zero"}, [&] { run.run(); });
  run.bind_input("d", daybreak::View(std::span(good), Dims{2}));
  run.run();
  const std::vector<T> y = run.read<T>(0);
  require(y[0] == T(op == std::string_view("Div") ? 3 : 1) && y[1] == 2, "a wrong result after a division by zero");
}

void test_integer_division_by_zero() {
  for (const char* op : {"Div", "Mod"}) {
    require_division_error<int32_t>(op);
    require_division_error<int64_t>(op);
    require_division_error<uint8_t>(op);
  }
}

void test_unknown_ops_are_collected() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3});
  g.output(g.node(Op("NoSuchOp").named("first"), {x}), "y");
  g.output(g.node(Op("ImageDecoder").named("second"), {x}), "z");
  require_failure(DBK_UNIMPLEMENTED, {"first", "second"}, [&] { compile(g); });
}

// What only passes of the compiler may make is unknown to hosts, however well it is formed.
void test_internal_ops_are_unknown() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {1, 2, 4});
  g.output(g.node(Op("Attention").in("ai.daybreak", 1).named("secret"), {x, x, x},
                  {{"heads", 1}, {"kv_heads", 1}, {"head_size", 4}, {"v_head_size", 4}}), "y");
  require_failure(DBK_UNIMPLEMENTED, {"secret", "no such op"}, [&] { compile(g); });
}

// Before opset 7 an Add broadcast along the axis an attribute named; to run it by today's rules would be a wrong result.
void test_old_opsets_are_refused() {
  GraphBuilder g(6);
  const Value x = g.input<float>("x", {3, 3}), b = g.input<float>("b", {3});
  g.output(g.node(Op("Add").named("old sum"), {x, b}, {{"broadcast", 1}, {"axis", 0}}), "y");
  require_failure(DBK_UNIMPLEMENTED, {"old sum", "op_version 6"}, [&] { compile(g); });
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "refusals_test.cpp",
      {GRAPH_TEST(test_require_gpu_lists_every_node), GRAPH_TEST(test_cpu_only_runs_everything_on_the_host),
       GRAPH_TEST(test_check_foresees_the_refusal),
       GRAPH_TEST(test_check_tells_what_bind_decides), GRAPH_TEST(test_ops_without_kernels_are_refused_before_bind),
       GRAPH_TEST(test_check_places_bodies_as_compile_does), GRAPH_TEST(test_branches_that_extents_choose),
       GRAPH_TEST(test_nodes_behind_branches_that_extents_choose), GRAPH_TEST(test_budget), GRAPH_TEST(test_budget_of_dynamic_extents), GRAPH_TEST(test_budget_that_all_extents_keep_to), GRAPH_TEST(test_runs_that_no_memory_holds), GRAPH_TEST(test_index_out_of_range_i64),
       GRAPH_TEST(test_index_out_of_range_i32), GRAPH_TEST(test_index_beyond_32_bits),
       GRAPH_TEST(test_integer_division_by_zero), GRAPH_TEST(test_unknown_ops_are_collected), GRAPH_TEST(test_internal_ops_are_unknown),
       GRAPH_TEST(test_old_opsets_are_refused)});
}

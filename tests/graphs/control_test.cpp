// If, Loop and Scan: bodies that use outer values and parameters, conditions known at compile, at bind and during the run, states whose
// shape changes, slices along any axis, nesting, and errors that name the node inside.
#include <atomic>
#include <thread>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Op;
using daybreak::Shape;
using Integers = std::vector<int64_t>;

constexpr int64_t kBool = 9;

// A bool that only the run knows: whether the sum of x is not 0.
Value any(GraphBuilder& g, Value x) { return g.node("Cast", {g.node("ReduceSum", {x}, {{"keepdims", 0}})}, {{"to", kBool}}); }

Value choose(GraphBuilder& g, Value condition, const std::function<Value()>& yes, const std::function<Value()>& no, const char* name = "choice") {
  const auto then = g.body("then", [&] { g.output(yes()); });
  const auto otherwise = g.body("else", [&] { g.output(no()); });
  return g.node(Op("If").named(name), {condition}, {{"then_branch", then}, {"else_branch", otherwise}});
}

void bind_bool(daybreak::Run& run, const char* name, bool value) {
  const uint8_t byte = value;
  run.bind_input(name, daybreak::View(std::as_bytes(std::span(&byte, 1)), DBK_BOOL, Dims{}));
}

// Where the first node of that op runs.
std::string place_of(const daybreak::Executable& exec, const std::string& op) {
  const auto placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes"))
    if (node.at("op") == op) return node.at("where");
  return "nowhere";
}

void test_branch_by_data() {
  GraphBuilder g;
  const Floats weight{10, 20, 30};
  const Value w = g.param("w", DBK_F32, {3}, std::as_bytes(std::span(weight)));
  const Value x = g.node("Abs", {g.input<float>("x", {3})});
  const Value y = choose(g, any(g, x), [&] { return g.node("Mul", {x, w}); }, [&] { return g.node("Sub", {x, w}); });
  g.output(g.node("Neg", {y}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require(run.shape(DBK_OUTPUT, 0).exact, "both branches make one shape, but it is not known");
  require(place_of(exec, "Mul") == (on_gpu() ? "gpu" : "cpu") && place_of(exec, "Sub") == place_of(exec, "Mul"), "{}",
          report(exec, "placement").dump());
  require_same(run_once(run, {1, -2, 3}, {3}), {-10, -40, -90}, "then");
  require_same(run_once(run, {0, 0, 0}, {3}), {10, 20, 30}, "else");
  require_same(run_once(run, {2, 0, 0}, {3}), {-20, 0, 0}, "then again");
  const Floats other{1, 2, 3};
  exec.set_param("w", std::span(other));
  exec.ready();
  require_same(run_once(run, {1, -2, 3}, {3}), {-1, -4, -9}, "another parameter");
}

void test_branches_of_different_shapes() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 2});
  const Value y = choose(g, any(g, x), [&] { return g.node("ReduceSum", {x, g.constant<int64_t>({0})}); }, [&] { return g.node("Neg", {x}); });
  g.output(g.node("Mul", {y, g.scalar(2.0f)}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  require_same(run_once(run, {1, 2, 3, 4}, {2, 2}), {8, 12}, "then");
  require(run.shape(DBK_OUTPUT, 0).dims == Dims({1, 2}), "then has shape {}", to_string(run.shape(DBK_OUTPUT, 0).dims));
  require_same(run_once(run, {1, -1, 2, -2}, {2, 2}), {-2, 2, -4, 4}, "else");
  require(run.shape(DBK_OUTPUT, 0).dims == Dims({2, 2}), "else has shape {}", to_string(run.shape(DBK_OUTPUT, 0).dims));
}

void test_condition_known_at_bind() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {4});
  const Value y = choose(g, g.input("flag", DBK_BOOL, {}), [&] { return g.node("Reshape", {x, g.constant<int64_t>({2, 2})}); },
                         [&] { return g.node("Neg", {x}); });
  g.output(y, "y");
  auto exec = prepare(g);
  require((exec.io(DBK_INPUT, "flag").flags & DBK_IO_SHAPE_INPUT) != 0, "'flag' is not marked as deciding shapes");
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4}, {4});
  bind_bool(run, "flag", true);
  require(run.shape(DBK_OUTPUT, 0).exact && run.shape(DBK_OUTPUT, 0).dims == Dims({2, 2}), "the shape is not known at bind");
  run.run();
  require_same(run.read<float>(0), {1, 2, 3, 4}, "then");
  bind_bool(run, "flag", false);
  run.run();
  require_same(run.read<float>(0), {-1, -2, -3, -4}, "else");
}

// A branch that cannot be typed does not matter where constants choose the other one; nothing of the If is left.
void test_constant_condition_is_inlined() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3});
  const std::vector<uint8_t> yes{1};
  const Value flag = g.constant(DBK_BOOL, Dims{}, std::as_bytes(std::span(yes)));
  const Value y = choose(g, flag, [&] { return choose(g, flag, [&] { return g.node("Neg", {x}); }, [&] { return x; }); },
                         [&] { return g.node("Reshape", {x, g.constant<int64_t>({7})}); });
  g.output(g.node("Abs", {y}), "y");
  auto exec = prepare(g);
  require(place_of(exec, "If") == "folded" && place_of(exec, "Reshape") == "folded", "the If is left: {}", report(exec, "placement").dump());
  const auto placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes")) require(node.at("where") != "host", "{}", node.dump());
  daybreak::Run run(exec);
  require_same(run_once(run, {1, -2, 3}, {3}), {1, 2, 3}, "result");
}

// What a rank decides is decided for all extents; what an extent decides is decided at bind, with plans of its own for the branch.
void test_conditions_from_shapes() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 9);
  const Value x = g.input<float>("x", {n, 2});
  const Value dims = g.node("Shape", {x});
  const Value flat = choose(g, g.node("Equal", {g.node("Size", {dims}), g.scalar(int64_t{2})}), [&] { return g.node("Abs", {x}); },
                            [&] { return g.node("Transpose", {x}, {{"perm", {2, 1, 0}}}); }, "by rank");
  const Value one = g.node("Equal", {g.node("Gather", {dims, g.scalar(int64_t{0})}), g.scalar(int64_t{1})});
  const Value y = choose(g, one, [&] { return g.node("Squeeze", {flat, g.constant<int64_t>({0})}); }, [&] { return g.node("Neg", {flat}); },
                         "by extent");
  g.output(g.node("Mul", {y, g.scalar(2.0f)}), "y");
  auto exec = prepare(g);
  const auto placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes"))
    if (node.at("name") == "by rank") require(node.at("where") == "folded", "{}", node.dump());
  daybreak::Run run(exec);
  for (int round = 0; round < 2; ++round) {
    require_same(run_once(run, {3, -4}, {1, 2}), {6, 8}, "one row");
    require(run.shape(DBK_OUTPUT, 0).dims == Dims({2}), "one row gives {}", to_string(run.shape(DBK_OUTPUT, 0).dims));
    require_same(run_once(run, {1, -2, -3, 4}, {2, 2}), {-2, -4, -6, -8}, "two rows");
    require(run.shape(DBK_OUTPUT, 0).dims == Dims({2, 2}), "two rows give {}", to_string(run.shape(DBK_OUTPUT, 0).dims));
  }
}

void test_branches_give_outer_values() {
  GraphBuilder g;
  const Value a = g.input<float>("a", {2}), b = g.input<float>("b", {2});
  g.output(g.node("Identity", {choose(g, any(g, a), [&] { return a; }, [&] { return b; })}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "a", {1, 2}, {2});
  bind(run, "b", {5, 6}, {2});
  run.run();
  require_same(run.read<float>(0), {1, 2}, "a");
  bind(run, "a", {0, 0}, {2});
  run.run();
  require_same(run.read<float>(0), {5, 6}, "b");
}

void test_nested_branches() {
  GraphBuilder g;
  const Value a = g.input<float>("a", {1}), b = g.input<float>("b", {1});
  const Value y = choose(
      g, any(g, a), [&] { return choose(g, any(g, b), [&] { return g.node("Add", {a, b}); }, [&] { return g.node("Neg", {a}); }, "inner"); },
      [&] { return g.node("Mul", {b, b}); });
  g.output(y, "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  for (const auto& [p, q, expected] : {std::tuple<float, float, float>{1, 2, 3}, {4, 0, -4}, {0, 5, 25}}) {
    bind(run, "a", {p}, {1});
    bind(run, "b", {q}, {1});
    run.run();
    require_same(run.read<float>(0), {expected}, "nested");
  }
}

// body: state' = state * 2 + x, slices of the state before.
Value doubling(GraphBuilder& g, Value trips, Value condition, Value start, Value x, bool by_condition, Value* scanned) {
  const auto body = g.body("body", [&] {
    g.input<int64_t>("i", {});
    g.input("going", DBK_BOOL, {});
    const Value state = g.input("state", DBK_F32, daybreak::unknown_rank);
    const Value next = g.node("Add", {g.node("Mul", {state, g.scalar(2.0f)}), x});
    const std::vector<uint8_t> yes{1};
    const Value room = g.node("Relu", {g.node("Sub", {g.scalar(100.0f), g.node("ReduceMax", {next}, {{"keepdims", 0}})})});
    g.output(by_condition ? g.node("Cast", {room}, {{"to", kBool}}) : g.constant(DBK_BOOL, Dims{}, std::as_bytes(std::span(yes))));
    g.output(next);
    g.output(state);
  });
  const auto [last, all] = g.node<2>(Op("Loop").named("loop"), {trips, condition, start}, {{"body", body}});
  *scanned = all;
  return last;
}

void test_loop_with_trip_count() {
  for (const int64_t trips : {3, 1, 0}) {
    GraphBuilder g;
    Value all;
    const Value x = g.input<float>("x", {2});
    const Value last = doubling(g, g.scalar(trips), daybreak::absent, x, x, false, &all);
    g.output(g.node("Neg", {last}), "last");
    g.output(all, "all");
    auto exec = prepare(g);
    daybreak::Run run(exec);
    bind(run, "x", {1, 10}, {2});
    require(run.shape(DBK_OUTPUT, "all").exact && run.shape(DBK_OUTPUT, "all").dims == Dims({trips, 2}), "{} trips give {}", trips,
            to_string(run.shape(DBK_OUTPUT, "all").dims));
    run.run();
    Floats state{1, 10}, states;
    for (int64_t i = 0; i < trips; ++i) {
      states.insert(states.end(), state.begin(), state.end());
      state = {state[0] * 2 + 1, state[1] * 2 + 10};
    }
    require_same(run.read<float>("last"), negated(state), "last");
    require_same(run.read<float>("all"), states, "all");
  }
}

// A body that only says "as before" about its condition: the trip count is the number of iterations. No iteration: an empty result.
void test_loop_that_passes_its_condition_on() {
  for (const bool bound : {false, true})
    for (const int64_t trips : {2, 0, -1}) {
      GraphBuilder g;
      const Value x = g.input<float>("x", {2, 4});
      const Value count = bound ? g.input<int64_t>("trips", {}) : g.scalar(trips);
      const auto body = g.body("body", [&] {
        g.input<int64_t>("i", {});
        const Value going = g.input("going", DBK_BOOL, {}), state = g.input("state", DBK_F32, daybreak::unknown_rank);
        const Value next = g.node("Neg", {state});
        g.output(g.node("Identity", {going}));
        g.output(next);
        g.output(g.node("Identity", {next}));
      });
      const auto [last, all] = g.node<2>("Loop", {count, daybreak::absent, x}, {{"body", body}});
      g.output(last, "last");
      g.output(all, "all");
      auto exec = prepare(g);
      daybreak::Run run(exec);
      const Floats data = whole_numbers(8, 3);
      bind(run, "x", data, {2, 4});
      if (bound) run.bind_input("trips", daybreak::View(std::span(&trips, 1), Dims{}));
      const int64_t iterations = std::max<int64_t>(trips, 0);
      require(run.shape(DBK_OUTPUT, "all").exact, "{} trips: the shape is not known before the run", trips);
      run.run();
      require(run.shape(DBK_OUTPUT, "all").dims == Dims({iterations, 2, 4}), "{} trips give {}", trips, to_string(run.shape(DBK_OUTPUT, "all").dims));
      require_same(run.read<float>("last"), data, "last");  // negated twice, or never
      Floats states;
      if (iterations) states = negated(data), states.insert(states.end(), data.begin(), data.end());
      require_same(run.read<float>("all"), states, "all");
    }
}

// Iterations that only the run counts, none of them: the slice has the shape that the body would have given it.
void test_no_iteration_by_data() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3});
  const Value some = g.node("Compress", {x, g.node("Cast", {x}, {{"to", kBool}})}, {{"axis", 0}});  // as many as are not 0
  const Value trips = g.node("Gather", {g.node("Shape", {some}), g.scalar(int64_t{0})});
  const auto body = g.body("body", [&] {
    g.input<int64_t>("i", {});
    const Value going = g.input("going", DBK_BOOL, {}), state = g.input("state", DBK_F32, daybreak::unknown_rank);
    const Value next = g.node("Add", {state, g.scalar(1.0f)});
    g.output(g.node("Identity", {going}));
    g.output(next);
    g.output(g.node("Unsqueeze", {next, g.constant<int64_t>({0})}));
    g.output(g.node("Concat", {some, x}, {{"axis", 0}}));
  });
  const auto [last, all, others] = g.node<3>("Loop", {trips, daybreak::absent, x}, {{"body", body}});
  g.output(last, "last");
  g.output(all, "all");
  g.output(others, "others");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const auto require_dims = [&](const char* name, const Dims& dims) {
    require(run.shape(DBK_OUTPUT, name).dims == dims, "{} has shape {}", name, to_string(run.shape(DBK_OUTPUT, name).dims));
  };
  run_once(run, {0, 0, 0}, {3});
  require_dims("all", {0, 1, 3});
  require_dims("others", {0, 3});
  require_same(run.read<float>("last"), {0, 0, 0}, "the state stays");
  run_once(run, {0, 5, 6}, {3});
  require_dims("all", {2, 1, 3});
  require_dims("others", {2, 5});
  require_same(run.read<float>("all"), {1, 6, 7, 2, 7, 8}, "two iterations");
}

// A scanned tensor of no slices, known before the run and not; with a batch, too.
void test_scan_of_nothing() {
  for (const bool by_data : {false, true}) {
    GraphBuilder g;
    const Value given = g.input<float>("x", {g.symbol("n", 0, 4), 2});
    const Value rows = g.node("Cast", {g.node("ReduceSum", {given, g.constant<int64_t>({1})}, {{"keepdims", 0}})}, {{"to", kBool}});
    const Value x = by_data ? g.node("Compress", {given, rows}, {{"axis", 0}}) : given;
    const auto body = g.body("body", [&] {
      const Value sum = g.input("sum", DBK_F32, daybreak::unknown_rank), next = g.input("next", DBK_F32, daybreak::unknown_rank);
      const Value total = g.node("Add", {sum, next});
      g.output(total);
      g.output(g.node("Unsqueeze", {total, g.constant<int64_t>({0})}));
    });
    const auto [last, all] = g.node<2>("Scan", {g.constant<float>({7, 8}), x}, {{"body", body}, {"num_scan_inputs", 1}, {"scan_output_axes", {1}}});
    g.output(g.node("Neg", {last}), "last");
    g.output(all, "all");
    auto exec = prepare(g);
    daybreak::Run run(exec);
    for (const int64_t n : {0, 2}) {
      if (n == 0 && by_data) bind(run, "x", {0, 0}, {1, 2});
      else bind(run, "x", whole_numbers(static_cast<size_t>(2 * n), 1), {n, 2});
      run.run();
      if (n == 0) require(run.shape(DBK_OUTPUT, "all").dims == Dims({1, 0, 2}), "no slices give {}", to_string(run.shape(DBK_OUTPUT, "all").dims));
      if (n == 0) require_same(run.read<float>("last"), {-7, -8}, "the state stays");
    }
  }
}

void test_batched_scan_of_nothing() {
  GraphBuilder g(8);
  const auto n = g.symbol("n", 0, 4), t = g.symbol("t", 0, 4);
  const auto body = g.body("body", [&] {
    const Value sum = g.input("sum", DBK_F32, daybreak::unknown_rank), next = g.input("next", DBK_F32, daybreak::unknown_rank);
    g.output(g.node("Add", {sum, next}));
    g.output(g.node("Neg", {next}));
  });
  const auto [last, all] = g.node<2>("Scan", {daybreak::absent, g.input<float>("start", {n, 2}), g.input<float>("x", {n, t, 2})},
                                     {{"body", body}, {"num_scan_inputs", 1}});
  g.output(last, "last");
  g.output(all, "all");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  for (const auto& [count, length] : {std::pair{int64_t{2}, int64_t{0}}, {0, 3}, {1, 2}}) {
    bind(run, "start", whole_numbers(static_cast<size_t>(count * 2), 1), {count, 2});
    bind(run, "x", whole_numbers(static_cast<size_t>(count * length * 2), 2), {count, length, 2});
    run.run();
    require(run.shape(DBK_OUTPUT, "all").dims == Dims({count, length, 2}), "{} sequences of {} give {}", count, length,
            to_string(run.shape(DBK_OUTPUT, "all").dims));
    if (length == 0) require_same(run.read<float>("last"), whole_numbers(static_cast<size_t>(count * 2), 1), "states");
  }
}

void test_loop_until_condition() {
  GraphBuilder g;
  Value all;
  const Value x = g.input<float>("x", {1});
  const std::vector<uint8_t> yes{1};
  const Value last = doubling(g, daybreak::absent, g.constant(DBK_BOOL, Dims{}, std::as_bytes(std::span(yes))), x, x, true, &all);
  g.output(last, "last");
  g.output(all, "all");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  for (const float start : {1.0f, 7.0f, 60.0f}) {
    bind(run, "x", {start}, {1});
    run.run();
    Floats states;
    float state = start;
    do states.push_back(state), state = state * 2 + start;
    while (state < 100);
    require_same(run.read<float>("last"), {state}, "last");
    require_same(run.read<float>("all"), states, "all");
  }
}

void test_loop_state_grows() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2});
  const Value trips = g.input<int64_t>("trips", {});
  const std::vector<uint8_t> yes{1};
  const auto body = g.body("body", [&] {
    g.input<int64_t>("i", {});
    g.input("going", DBK_BOOL, {});
    const Value state = g.input("state", DBK_F32, daybreak::unknown_rank);
    g.output(g.constant(DBK_BOOL, Dims{}, std::as_bytes(std::span(yes))));
    g.output(g.node("Concat", {state, x}, {{"axis", 0}}));
  });
  g.output(g.node("Neg", {g.node("Loop", {trips, daybreak::absent, x}, {{"body", body}})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2}, {2});
  for (const int64_t n : {0, 1, 4}) {
    run.bind_input("trips", daybreak::View(std::span(&n, 1), Dims{}));
    run.run();
    Floats expected;
    for (int64_t i = 0; i <= n; ++i) expected.insert(expected.end(), {-1, -2});
    require_same(run.read<float>(0), expected, "grown state");
  }
}

// Sums along an axis from the chosen end: the state after each step.
Floats run_scan(int64_t axis, int64_t reversed, int64_t out_axis, int64_t out_reversed, const Floats& data, Dims& dims) {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 3});
  const auto body = g.body("body", [&] {
    const Value sum = g.input("sum", DBK_F32, daybreak::unknown_rank), next = g.input("next", DBK_F32, daybreak::unknown_rank);
    const Value total = g.node("Add", {sum, next});
    g.output(total);
    g.output(g.node("Identity", {total}));
  });
  const Value start = g.node("Mul", {g.node("ReduceSum", {x, g.constant<int64_t>({axis})}, {{"keepdims", 0}}), g.scalar(0.0f)});
  const auto [last, all] = g.node<2>("Scan", {start, x},
                                     {{"body", body}, {"num_scan_inputs", 1}, {"scan_input_axes", {axis}}, {"scan_input_directions", {reversed}},
                                      {"scan_output_axes", {out_axis}}, {"scan_output_directions", {out_reversed}}});
  g.output(g.node("Neg", {all}), "all");
  g.output(last, "last");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", data, {2, 3});
  dims = run.shape(DBK_OUTPUT, "all").dims;
  run.run();
  return negated(run.read<float>("all"));
}

void test_scan_axes_and_directions() {
  const Floats data{1, 2, 3, 10, 20, 30};
  Dims dims;
  require_same(run_scan(0, 0, 0, 0, data, dims), {1, 2, 3, 11, 22, 33}, "rows");
  require(dims == Dims({2, 3}), "rows have shape {}", to_string(dims));
  require_same(run_scan(1, 0, 0, 0, data, dims), {1, 10, 3, 30, 6, 60}, "columns");
  require(dims == Dims({3, 2}), "columns have shape {}", to_string(dims));
  require_same(run_scan(1, 0, 1, 0, data, dims), {1, 3, 6, 10, 30, 60}, "columns to columns");
  require_same(run_scan(-1, 1, -1, 0, data, dims), {3, 5, 6, 30, 50, 60}, "columns from the end");
  require_same(run_scan(1, 1, 1, 1, data, dims), {6, 5, 3, 60, 50, 30}, "columns from the end, in their place");
}

void test_scan_with_batch() {
  GraphBuilder g(8);
  const Value x = g.input<float>("x", {2, 3, 1});
  const auto body = g.body("body", [&] {
    const Value sum = g.input("sum", DBK_F32, Shape{1}), next = g.input("next", DBK_F32, Shape{1});
    const Value total = g.node("Add", {sum, next});
    g.output(total);
    g.output(g.node("Identity", {total}));
  });
  const auto [last, all] = g.node<2>("Scan", {g.input<int64_t>("lengths", {2}), g.input<float>("start", {2, 1}), x},
                                     {{"body", body}, {"num_scan_inputs", 1}});
  g.output(last, "last");
  g.output(all, "all");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Integers lengths{3, 2};
  run.bind_input("lengths", daybreak::View(std::span(lengths), Dims{2}));
  bind(run, "start", {100, 200}, {2, 1});
  bind(run, "x", {1, 2, 3, 4, 5, 6}, {2, 3, 1});
  run.run();
  require_same(run.read<float>("last"), {106, 209}, "last");
  require_same(run.read<float>("all"), {101, 103, 106, 204, 209, 0}, "all");
}

// Where all shapes are known, bodies are prepared with the rest: later runs make nothing new.
void test_planned_bodies_are_steady() {
  GraphBuilder g;
  Value all;
  const Value x = g.input<float>("x", {2});
  const Value chosen = choose(g, any(g, x), [&] { return g.node("Neg", {x}); }, [&] { return g.node("Abs", {x}); });
  const Value last = doubling(g, g.scalar(int64_t{3}), daybreak::absent, chosen, x, false, &all);
  g.output(last, "last");
  g.output(all, "all");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats result(2), states(6);
  bind(run, "x", {1, 10}, {2});
  run.bind_output("last", daybreak::MutableView(std::span(result), Dims{2}));
  run.bind_output("all", daybreak::MutableView(std::span(states), Dims{3, 2}));
  run.run();
  run.run();
  const dbk_stats before = exec.stats();
  for (int i = 0; i < 5; ++i) run.run();
  require_same(result, {-1, -10}, "last");
  require_same(states, {-1, -10, -1, -10, -1, -10}, "all");
  const dbk_stats after = exec.stats();
  require_equal(after.pipelines_built, before.pipelines_built, "pipelines built");
  require_equal(after.buffers_created, before.buffers_created, "buffers created");
  require_equal(after.host_allocations, before.host_allocations, "host allocations");
  require(!on_gpu() || after.dispatches > before.dispatches, "no body ran on the device");
}

void test_errors_name_the_node_inside() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3});
  g.output(choose(g, any(g, x), [&] { return g.node(Op("Reshape").named("culprit"), {x, g.constant<int64_t>({7})}); }, [&] { return x; }), "y");
  const auto error = require_failure(DBK_INVALID_ARGUMENT, {"choice", "culprit", "7"}, [&] { compile(g); });
  GraphBuilder unknown;
  const Value u = unknown.input<float>("x", {3});
  unknown.output(choose(unknown, any(unknown, u), [&] { return unknown.node(Op("NoSuchOp").named("unknown one"), {u}); }, [&] { return u; }), "y");
  require_failure(DBK_UNIMPLEMENTED, {"unknown one"}, [&] { compile(unknown); });

  GraphBuilder late;
  const Value table = late.input<float>("table", {3});
  const Value index = late.input<int64_t>("index", {1});
  late.output(choose(late, any(late, table), [&] { return late.node(Op("Gather").named("finder"), {table, index}); },
                     [&] { return late.node("ReduceSum", {table, late.constant<int64_t>({0})}); }), "y");
  auto exec = prepare(late);
  daybreak::Run run(exec);
  bind(run, "table", {1, 2, 3}, {3});
  const int64_t far = 5;
  run.bind_input("index", daybreak::View(std::span(&far, 1), Dims{1}));
  require_failure(DBK_OUT_OF_RANGE, {"choice", "finder"}, [&] { run.run(); });
}

void test_wrong_arities_are_refused() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {3});
  const auto body = g.body("body", [&] { g.input<int64_t>("i", {}), g.output(x); });
  g.output(g.node(Op("Loop").named("loop"), {g.scalar(int64_t{3}), daybreak::absent, x}, {{"body", body}}), "y");
  require_failure(DBK_INVALID_ARGUMENT, {"loop", "body"}, [&] { compile(g); });
}

// Reports may be asked by any thread at any time: nothing inside is made because somebody asks.
void test_reports_while_others_bind() {
  const Floats weight = whole_numbers(8 * 8, 1);
  for (int round = 0; round < 5; ++round) {
    GraphBuilder g;
    const auto n = g.symbol("n");
    const Value w = g.param("w", DBK_F32, {8, 8}, std::as_bytes(std::span(weight)));
    const Value x = g.input<float>("x", {n, 8});
    g.output(choose(g, any(g, x), [&] { return g.node("MatMul", {x, w}); }, [&] { return g.node("Neg", {x}); }), "y");
    auto exec = compile(g);
    std::atomic<bool> stop = false;
    std::jthread reader([&] {
      do
        for (const char* kind : {"plan", "placement", "schedule"}) report(exec, kind);
      while (!stop);
    });
    exec.ready();
    daybreak::Run run(exec);
    for (int64_t rows = 1; rows < 6; ++rows) run_once(run, whole_numbers(static_cast<size_t>(rows * 8), 2), {rows, 8});
    stop = true;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "control_test.cpp",
                   {GRAPH_TEST(test_branch_by_data), GRAPH_TEST(test_branches_of_different_shapes), GRAPH_TEST(test_condition_known_at_bind),
                    GRAPH_TEST(test_constant_condition_is_inlined), GRAPH_TEST(test_conditions_from_shapes), GRAPH_TEST(test_branches_give_outer_values), GRAPH_TEST(test_nested_branches),
                    GRAPH_TEST(test_loop_with_trip_count), GRAPH_TEST(test_loop_that_passes_its_condition_on), GRAPH_TEST(test_no_iteration_by_data),
                    GRAPH_TEST(test_scan_of_nothing), GRAPH_TEST(test_batched_scan_of_nothing), GRAPH_TEST(test_loop_until_condition), GRAPH_TEST(test_loop_state_grows),
                    GRAPH_TEST(test_scan_axes_and_directions), GRAPH_TEST(test_scan_with_batch), GRAPH_TEST(test_planned_bodies_are_steady), GRAPH_TEST(test_errors_name_the_node_inside),
                    GRAPH_TEST(test_wrong_arities_are_refused), GRAPH_TEST(test_reports_while_others_bind)});
}

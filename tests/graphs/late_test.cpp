// Values whose shape only the run tells: results that can be read afterwards with their exact shape, whatever follows them on the host,
// the way back to the device, shape operands that are data, and errors that come during the run.
#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Shape;
using Integers = std::vector<int64_t>;

constexpr int64_t kI64 = 7, kF32 = 1;

Integers positions(const Floats& data) {
  Integers result;
  for (size_t i = 0; i < data.size(); ++i)
    if (data[i] != 0) result.push_back(static_cast<int64_t>(i));
  return result;
}

template <class T>
void require_list(const std::vector<T>& actual, const std::vector<T>& expected, const char* what) {
  require(actual == expected, "{}: {} elements, not the {} expected or others", what, actual.size(), expected.size());
}

// The input of each run decides anew how much there is to read.
void test_shape_follows_the_data() {
  GraphBuilder g;
  g.output(g.node("NonZero", {g.node("Relu", {g.input<float>("x", {2, 3})})}), "y");
  auto exec = prepare(g);
  require((exec.io(DBK_INPUT, "x").flags & DBK_IO_SHAPE_INPUT) == 0, "data is marked as deciding shapes at bind");
  require(exec.io(DBK_OUTPUT, "y").dtype == DBK_I64, "the dtype is not known beforehand");
  daybreak::Run run(exec);
  for (const Floats& data : {Floats{0, 1, 2, -1, 0, 3}, Floats{-1, -1, -1, -1, -1, -1}, Floats{1, 1, 1, 1, 1, 1}}) {
    bind(run, "x", data, {2, 3});
    require(!run.shape(DBK_OUTPUT, "y").exact, "the shape is exact before the run");
    run.run();
    Integers rows, columns;
    for (int64_t i = 0; i < 6; ++i)
      if (data[static_cast<size_t>(i)] > 0) rows.push_back(i / 3), columns.push_back(i % 3);
    const auto shape = run.shape(DBK_OUTPUT, "y");
    require(shape.exact && shape.dims == Dims({2, static_cast<int64_t>(rows.size())}), "the shape is {}", to_string(shape.dims));
    rows.insert(rows.end(), columns.begin(), columns.end());
    require_list(run.read<int64_t>(0), rows, "positions");
  }
}

void test_an_output_of_open_shape_cannot_be_bound() {
  GraphBuilder g;
  g.output(g.node("NonZero", {g.input<float>("x", {4})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Integers memory(4);
  require_failure(DBK_UNIMPLEMENTED, {"'y'", "run"}, [&] {
    run.bind_output(0, daybreak::MutableView(std::span(memory), Dims{1, 4}));
  });
  bind(run, "x", {1, 0, 0, 1}, {4});
  require_failure(DBK_FAILED_PRECONDITION, {}, [&] { run.read<int64_t>(0); });
  run.run();
  require_list(run.read<int64_t>(0), {0, 3}, "positions");
  Integers part(1);
  run.read_bytes(0, std::as_writable_bytes(std::span(part)), 8);
  require_list(part, {3}, "second position");
  Integers three(3);
  require_failure(DBK_OUT_OF_RANGE, {"'y'"}, [&] { run.read_bytes(0, std::as_writable_bytes(std::span(three))); });
}

// Device, then late nodes of several kinds, and an ordinary output beside them.
void test_what_follows_stays_on_the_host() {
  GraphBuilder g;
  const Value x = g.node("Abs", {g.input<float>("x", {10})});
  const Value at = g.node("Reshape", {g.node("NonZero", {x}), g.constant<int64_t>({-1})});
  const Value chosen = g.node(daybreak::Op("Gather").named("chosen"), {x, at});
  g.output(g.node("Mul", {chosen, chosen}), "squares");
  g.output(g.node("Neg", {x}), "negative");
  g.output(g.node("ReduceSum", {chosen}, {{"keepdims", 0}}), "sum");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data{0, -1, 0, 2, 3, 0, 0, 0, -4, 0};
  bind(run, "x", data, {10});
  run.run();
  require_same(run.read<float>("squares"), {1, 4, 9, 16}, "squares");
  require_same(run.read<float>("negative"), {0, -1, 0, -2, -3, 0, 0, 0, -4, 0}, "negative");
  require_same(run.read<float>("sum"), {10}, "sum");
  require(run.shape(DBK_OUTPUT, "sum").dims.size() == 0, "the sum has rank {}", run.shape(DBK_OUTPUT, "sum").dims.size());
  if (!on_gpu()) return;
  const auto placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes")) {
    const bool late = node.at("op") != "Abs" && node.at("op") != "Neg";
    require((node.at("where") == "host") == late, "{}", node.dump());
    if (node.at("op") == "Gather") require(node.at("reason").dump().find("only during the run") != std::string::npos, "{}", node.dump());
  }
}

// A declaration with fixed extents is believed, and the graph goes on where it would have run anyway.
void test_declared_shape_leads_back_to_the_device() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2, 5});
  const Value sum = g.node("ReduceSum", {g.node("Compress", {x, g.input("which", DBK_BOOL, {5})}, {{"axis", 1}}), g.constant<int64_t>({1})});
  g.declare(sum, DBK_F32, {2, 1});
  g.output(g.node("Mul", {g.node("Neg", {sum}), x}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {2, 5});
  const std::vector<uint8_t> which{1, 0, 0, 1, 1};
  run.bind_input("which", daybreak::View(std::as_bytes(std::span(which)), DBK_BOOL, Dims{5}));
  require(run.shape(DBK_OUTPUT, 0).exact, "the output's shape is not exact");
  run.run();
  require_same(run.read<float>(0), {-10, -20, -30, -40, -50, -150, -175, -200, -225, -250}, "y");
  if (!on_gpu()) return;
  const auto placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes"))
    if (node.at("op") == "Neg" || node.at("op") == "Mul") require(node.at("where") == "gpu", "{}", node.dump());
}

void test_wrong_declaration_fails_the_run() {
  GraphBuilder g;
  const Value found = g.node(daybreak::Op("NonZero").named("finder"), {g.input<float>("x", {4})});
  g.declare(found, DBK_I64, {1, 2});
  g.output(g.node("Cast", {found}, {{"to", kF32}}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 0, 1, 0}, {4});
  run.run();
  require_same(run.read<float>(0), {0, 2}, "as declared");
  bind(run, "x", {1, 1, 1, 0}, {4});
  require_failure(DBK_OUT_OF_RANGE, {"finder", "[1, 2]", "[1, 3]"}, [&] { run.run(); });
  bind(run, "x", {0, 0, 1, 1}, {4});
  run.run();
  require_same(run.read<float>(0), {2, 3}, "after a failed run");
}

// The shape operand comes out of a product with a parameter: nothing at bind can tell it.
void test_reshape_by_computed_shape() {
  GraphBuilder g;
  const Floats factor{2};
  const Value rows = g.node("Mul", {g.input<float>("rows", {1}), g.param("factor", DBK_F32, {1}, std::as_bytes(std::span(factor)))});
  const Value shape = g.node("Concat", {g.node("Cast", {rows}, {{"to", kI64}}), g.constant<int64_t>({-1})}, {{"axis", 0}});
  g.output(g.node("Reshape", {g.node("Neg", {g.input<float>("x", {12})}), shape}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(12, 5);
  bind(run, "x", data, {12});
  for (const float rows_asked : {1.0f, 3.0f, 2.0f}) {
    bind(run, "rows", {rows_asked}, {1});
    run.run();
    const auto n = static_cast<int64_t>(2 * rows_asked);
    require(run.shape(DBK_OUTPUT, 0).dims == Dims({n, 12 / n}), "{} rows give {}", n, to_string(run.shape(DBK_OUTPUT, 0).dims));
    require_same(run.read<float>(0), negated(data), "elements");
  }
  bind(run, "rows", {2.5f}, {1});
  require_failure(DBK_OUT_OF_RANGE, {"Reshape", "5"}, [&] { run.run(); });
}

void test_late_value_twice_and_of_an_input() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {5});
  const Value at = g.node("NonZero", {x});
  g.output(at, "first");
  g.output(g.node("Identity", {at}), "second");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const Floats data{0, 1, 0, 1, 1};
  run.bind_input("x", daybreak::View(std::span(data), Dims{5}), DBK_UNTIL_DESTROY);
  run.run();
  require_list(run.read<int64_t>("first"), positions(data), "first");
  require_list(run.read<int64_t>("second"), positions(data), "second");
}

void test_symbols_and_late_values() {
  GraphBuilder g;
  const auto n = g.symbol("n", 1, 64);
  const Value x = g.node("Relu", {g.input<float>("x", {n})});
  g.output(g.node("Gather", {x, g.node("NonZero", {x})}), "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  for (const Floats& data : {Floats{1, -2, 3}, Floats{-1}, Floats{5, 6, 7, -8, 9}}) {
    Floats expected;
    for (float value : data)
      if (value > 0) expected.push_back(value);
    require_same(run_once(run, data, {static_cast<int64_t>(data.size())}), expected, "positive ones");
  }
}

void test_require_gpu_refuses_late_nodes() {
  GraphBuilder g;
  g.output(g.node(daybreak::Op("NonZero").named("finder"), {g.input<float>("x", {5})}), "y");
  require_failure(DBK_UNIMPLEMENTED, {"require_gpu"}, [&] { compile(g, daybreak::Options().set("policy", "require_gpu")); });
}

// They are in no plan, so they are counted, and held to the budget, when the run makes them.
void test_late_values_count() {
  const auto make = [](const daybreak::Options& options) {
    GraphBuilder g;
    g.output(g.node("NonZero", {g.input<float>("x", {1000})}), "y");
    return prepare(g, options);
  };
  auto exec = make({});
  require_equal(int(report(exec, "plan").at("late_values")), 1, "late values of the plan");
  daybreak::Run run(exec);
  bind(run, "x", Floats(1000, 1.0f), {1000});
  const uint64_t before = run.stats().activation_bytes;
  run.run();
  require_equal(run.stats().activation_bytes, before + 8000, "bytes after the run");
  auto limited = make(daybreak::Options().set("memory_budget", static_cast<int64_t>(report(exec, "plan").at("activation_bytes")) + 4000));
  daybreak::Run small(limited);
  Floats data(1000);
  data[77] = 1;
  bind(small, "x", data, {1000});
  small.run();
  require_list(small.read<int64_t>(0), {77}, "positions");
  bind(small, "x", Floats(1000, 1.0f), {1000});
  require_failure(DBK_OUT_OF_MEMORY, {"memory_budget", "8000", "4000"}, [&] { small.run(); });
  bind(small, "x", data, {1000});
  small.run();
  require_list(small.read<int64_t>(0), {77}, "positions after the failure");
}

// The same graph with a budget that leaves that many bytes.
daybreak::Executable with_room(const std::function<void(GraphBuilder&)>& build, int64_t bytes) {
  GraphBuilder free, limited;
  build(free);
  build(limited);
  auto exec = prepare(free);
  const auto taken = static_cast<int64_t>(report(exec, "plan").at("activation_bytes")) + static_cast<int64_t>(exec.stats().weight_bytes);
  return prepare(limited, daybreak::Options().set("memory_budget", taken + bytes));
}

// Of 1000 numbers one is not 0, then all of them or `many`, then one again; the room is not enough for many.
void require_room_counts(const std::function<void(GraphBuilder&)>& build, int64_t room, const char* what, size_t many = 1000) {
  auto exec = with_room(build, room);
  daybreak::Run run(exec);
  for (const size_t count : {size_t{1}, many, size_t{1}}) {
    Floats data(1000);
    std::fill_n(data.begin(), count, 1.0f);
    bind(run, "x", data, {1000});
    if (count == 1) run.run();
    else require_failure(DBK_OUT_OF_MEMORY, {"memory_budget", what}, [&] { run.run(); });
  }
}

Value always(GraphBuilder& g) {
  static const std::vector<uint8_t> yes{1};
  return g.constant(DBK_BOOL, Dims{}, std::as_bytes(std::span(yes)));
}

// Bodies make such values, too, whether a plan knows what comes out of them or not.
void test_late_values_of_bodies_count() {
  for (const bool summed : {true, false})
    require_room_counts(
        [&](GraphBuilder& g) {
          const Value x = g.input<float>("x", {1000});
          const auto body = g.body("body", [&] {
            g.input<int64_t>("i", {});
            g.input("going", DBK_BOOL, {});
            g.input("state", DBK_I64, daybreak::unknown_rank);
            const Value found = g.node(daybreak::Op("NonZero").named("finder"), {x});
            g.output(always(g));
            g.output(summed ? g.node("ReduceSum", {found}, {{"keepdims", 0}}) : found);
          });
          const Value start = summed ? g.scalar<int64_t>(0) : g.constant<int64_t>({0});
          g.output(g.node("Loop", {g.scalar<int64_t>(2), daybreak::absent, start}, {{"body", body}}), "y");
        },
        4000, "finder");
}

// As many slices as the data says, and room for the result, but not for what is collected before.
void test_collected_slices_count() {
  require_room_counts(
      [](GraphBuilder& g) {
        const Value x = g.input<float>("x", {1000});
        const Value trips = g.node("Cast", {g.node("ReduceSum", {x}, {{"keepdims", 0}})}, {{"to", kI64}});
        const auto body = g.body("body", [&] {
          g.input<int64_t>("i", {});
          g.input("going", DBK_BOOL, {});
          g.output(always(g));
          g.output(g.node("Identity", {x}));
        });
        g.output(g.node(daybreak::Op("Loop").named("collector"), {trips, daybreak::absent}, {{"body", body}}), "y");
      },
      16000, "collector", 3);
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "late_test.cpp",
                   {GRAPH_TEST(test_shape_follows_the_data), GRAPH_TEST(test_an_output_of_open_shape_cannot_be_bound),
                    GRAPH_TEST(test_what_follows_stays_on_the_host), GRAPH_TEST(test_declared_shape_leads_back_to_the_device),
                    GRAPH_TEST(test_wrong_declaration_fails_the_run), GRAPH_TEST(test_reshape_by_computed_shape),
                    GRAPH_TEST(test_late_value_twice_and_of_an_input), GRAPH_TEST(test_symbols_and_late_values),
                    GRAPH_TEST(test_require_gpu_refuses_late_nodes), GRAPH_TEST(test_late_values_count),
                    GRAPH_TEST(test_late_values_of_bodies_count), GRAPH_TEST(test_collected_slices_count)});
}

// Slices that are one run of their input cost nothing: no step, no memory, no dispatch, wherever their input lives.
// Where a device cannot begin at their first byte they are steps as before, which depends on the extents of a run.
#include <numeric>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using Ints = std::vector<int64_t>;
constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

// Elements of f32 from which a view may begin: every one on the CPU, multiples of the binding alignment on a GPU.
int64_t unit() {
  if (!on_gpu()) return 1;
  const auto devices = nlohmann::json::parse(context().report("device")).at("devices");
  return int64_t(devices.at(device().index).at("limits").at("storage_alignment")) / 4;
}

Value integers(GraphBuilder& g, const Ints& values) {
  return g.constant(std::span(values), Dims{static_cast<int64_t>(values.size())});
}

Value slice(GraphBuilder& g, Value x, const Ints& starts, const Ints& ends, const Ints& axes = {0},
            const Ints& steps = {1}) {
  return g.node("Slice", {x, integers(g, starts), integers(g, ends), integers(g, axes), integers(g, steps)});
}

Floats part(const Floats& of, int64_t first, int64_t end) { return Floats(of.begin() + first, of.begin() + end); }

// What placement says of the only (or the `index`th) Slice.
nlohmann::json slice_in(const nlohmann::json& placement, size_t index = 0) {
  for (const auto& node : placement.at("nodes"))
    if (node.at("op") == "Slice" && index-- == 0) return node;
  throw ops::Failure("the placement has no such Slice");
}

template <class Object>
void require_where(const Object& object, bool view, const std::string& what, size_t index = 0) {
  const auto node = slice_in(nlohmann::json::parse(object.report("placement")), index);
  const std::string where = node.at("where"), reason = node.at("reason");
  require(where == (view ? "view" : on_gpu() ? "gpu" : "cpu"), "{}: the Slice is on {} ({})", what, where, reason);
  require(!reason.empty(), "{}: no reason is given", what);
}

void require_dispatches(const daybreak::Run& run, uint64_t runs, uint64_t each, const char* what) {
  if (on_gpu()) require_equal(run.stats().dispatches, runs * each, what);
}

// Neg(Slice(Relu(x))) of rows: two dispatches, one arena.
void test_rows_are_free() {
  const int64_t width = 2 * unit();
  GraphBuilder g;
  const Value x = g.input<float>("x", {9, width});
  g.output(g.node("Neg", {slice(g, g.node("Abs", {x}), {2}, {-3})}), "y");
  auto exec = prepare(g, unfused());
  require_where(exec, true, "rows 2 to 6");
  const auto plan = report(exec, "plan");
  require_equal(int(plan.at("device_arenas").size() + plan.at("host_arenas").size()), 1, "number of arenas");
  require_equal(int64_t(plan.at("peak_live_bytes")), (9 * width * 4 + 15) / 16 * 16, "peak_live_bytes");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(9 * width), 1);
  Floats expected;
  for (float value : part(data, 2 * width, 6 * width)) expected.push_back(-std::abs(value));
  require_same(run_once(run, data, {9, width}), expected, "-|x|");
  require_dispatches(run, 1, 2, "dispatches of Abs, Slice and Neg");
}

struct Range {
  const char* name;
  Dims dims;
  Ints starts, ends, axes, steps;
  bool one_run;
};

// The ranges along the first axes as counted by an odometer: slow, and not how the plugin does it.
Floats picked(const Floats& data, const Range& r) {
  const size_t rank = r.dims.size();
  std::vector<Ints> places(rank);
  for (size_t d = 0; d < rank; ++d) {
    places[d].resize(static_cast<size_t>(r.dims[d]));
    std::iota(places[d].begin(), places[d].end(), 0);
  }
  for (size_t i = 0; i < r.starts.size(); ++i) {
    Ints& axis = places[static_cast<size_t>(r.axes[i])];
    const auto extent = static_cast<int64_t>(axis.size());
    axis.clear();
    const int64_t end = r.ends[i] == -kEnd ? -1 : std::min(r.ends[i], extent);
    for (int64_t at = r.starts[i]; r.steps[i] > 0 ? at < end : at > end; at += r.steps[i]) axis.push_back(at);
  }
  Floats result;
  Ints index(rank, 0);
  if (std::ranges::any_of(places, [](const Ints& axis) { return axis.empty(); })) return {};
  for (;;) {
    int64_t at = 0;
    for (size_t d = 0; d < rank; ++d) at = at * r.dims[d] + places[d][static_cast<size_t>(index[d])];
    result.push_back(data[static_cast<size_t>(at)]);
    size_t d = rank;
    while (d > 0 && ++index[d - 1] == static_cast<int64_t>(places[d - 1].size())) index[--d] = 0;
    if (d == 0) return result;
  }
}

void test_which_ranges_are_one_run() {
  const int64_t u = unit();
  const Range ranges[] = {
      {"first rows", {4, 3, u}, {0}, {2}, {0}, {1}, true},
      {"last row", {4, 3, u}, {3}, {kEnd}, {0}, {1}, true},
      {"everything", {4, 3, u}, {0}, {kEnd}, {1}, {1}, true},
      {"inside one row", {4, 5, u}, {2, 1}, {3, 4}, {0, 1}, {1, 1}, true},
      {"one element of each outer axis", {4, 5, 8 * u}, {1, 2, 4 * u}, {2, 3, 6 * u}, {0, 1, 2}, {1, 1, 1}, true},
      {"ones in front", {1, 1, 6, u}, {0, 3}, {1, 5}, {0, 2}, {1, 1}, true},
      {"a step over the end", {4, 2, u}, {2}, {3}, {0}, {7}, true},
      {"nothing", {4, 2, u}, {3}, {3}, {0}, {1}, true},
      {"nothing of a later axis", {4, 6, u}, {1, 5}, {4, 2}, {0, 1}, {1, 1}, true},
      {"a middle axis of several rows", {4, 3, u}, {1}, {3}, {1}, {1}, false},
      {"columns", {4, 4 * u}, {0}, {u}, {1}, {1}, false},
      {"a step", {8, u}, {0}, {8}, {0}, {2}, false},
      {"backward", {4, u}, {3}, {-kEnd}, {0}, {-1}, false},
      {"backward and whole behind", {2, 3, u}, {0, 2}, {2, -kEnd}, {0, 1}, {1, -1}, false},
  };
  for (const Range& r : ranges) {
    GraphBuilder g;
    g.output(
        g.node("Neg", {slice(g, g.input("x", DBK_F32, daybreak::Shape(r.dims)), r.starts, r.ends, r.axes, r.steps)}),
        "y");
    auto exec = prepare(g, unfused());
    require_where(exec, r.one_run, r.name);
    daybreak::Run run(exec);
    const Floats data = whole_numbers(static_cast<size_t>(r.dims.product()), 2);
    require_same(run_once(run, data, r.dims), negated(picked(data, r)), r.name);
    const bool empty = picked(data, r).empty();
    require_dispatches(run, 1, empty ? 0 : r.one_run ? 1 : 2, r.name);
  }
}

void test_awkward_beginning_is_a_step() {
  for (const int64_t first : {1, 3}) {
    GraphBuilder g;
    g.output(g.node("Neg", {slice(g, g.node("Abs", {g.input<float>("x", {40})}), {first}, {first + 17})}), "y");
    auto exec = prepare(g, unfused());
    const bool free = first % unit() == 0;
    require(free != on_gpu(), "an element is a multiple of the binding alignment");
    require_where(exec, free, "an odd element");
    if (on_gpu()) {
      const std::string reason = slice_in(report(exec, "placement")).at("reason");
      require(reason.find("multiple of " + std::to_string(4 * unit())) != std::string::npos, "the reason is '{}'",
              reason);
    }
    daybreak::Run run(exec);
    const Floats data = whole_numbers(40, 3);
    Floats expected;
    for (float value : part(data, first, first + 17)) expected.push_back(-std::abs(value));
    require_same(run_once(run, data, {40}), expected, "an odd element");
    require_dispatches(run, 1, free ? 2 : 3, "dispatches");
  }
}

// The last two of n rows: where they begin is aligned for every other n.
void test_extent_decides() {
  const int64_t width = std::max<int64_t>(unit() / 2, 1);
  GraphBuilder g;
  const auto n = g.symbol("n", 2, 64);
  // Of a rank that no other test has, so that no other test has built the kernel.
  const Value last = slice(g, g.node("Abs", {g.input<float>("x", {n, width, 1, 1, 1})}), {-2}, {kEnd});
  g.output(g.node("Neg", {last}), "y");
  auto exec = prepare(g, unfused());
  require(!bool(report(exec, "placement").at("exact")), "the placement of an open extent calls itself exact");
  const uint64_t built = exec.stats().pipelines_built;
  daybreak::Run run(exec);
  uint64_t dispatches = 0;
  for (const int64_t rows : {64, 63, 2, 3, 10, 11, 64}) {
    const Floats data = whole_numbers(static_cast<size_t>(rows * width), static_cast<uint32_t>(rows));
    Floats expected;
    for (float value : part(data, (rows - 2) * width, rows * width)) expected.push_back(-std::abs(value));
    require_same(run_once(run, data, {rows, width, 1, 1, 1}), expected, "the last rows");
    const bool free = (rows - 2) * width % unit() == 0;
    require(free == (rows % 2 == 0 || !on_gpu()), "the test's own alignment");
    require_where(run, free, std::format("{} rows", rows));
    require(bool(nlohmann::json::parse(run.report("placement")).at("exact")),
            "the placement of a run does not call itself exact");
    dispatches += free ? 2 : 3;
    require_dispatches(run, 1, dispatches, "dispatches so far");
  }
  require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
}

// Bounds that are inputs: the node has no kernel of the device, and needs none where it is a view.
void test_bounds_are_inputs() {
  GraphBuilder g;
  const Value x = g.node("Abs", {g.input<float>("x", {32 * unit()})});
  g.output(g.node("Neg", {g.node("Slice", {x, g.input<int64_t>("first", {1}), g.input<int64_t>("end", {1})})}), "y");
  auto exec = prepare(g, unfused());
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(32 * unit()), 4);
  bind(run, "x", data, {32 * unit()});
  for (const auto& [first, end] : {std::pair<int64_t, int64_t>{8, 24}, {5, 9}, {0, 32}, {31, 32}, {7, 7}}) {
    const int64_t from = first * unit(), to = end * unit();
    run.bind_input("first", daybreak::View(std::span(&from, 1), Dims{1}));
    run.bind_input("end", daybreak::View(std::span(&to, 1), Dims{1}));
    run.run();
    Floats expected;
    for (float value : part(data, from, to)) expected.push_back(-std::abs(value));
    require_same(run.read<float>(0), expected, "between bounds");
    require_where(run, true, "bounds are inputs");
  }
}

// Inputs in host memory, copied and borrowed, at an odd address, and in a buffer of the device at its own offset.
void test_part_of_an_input() {
  const int64_t u = unit(), size = 12 * u;
  GraphBuilder g;
  const Value x = g.input<float>("x", {size});
  g.output(g.node("Sub", {slice(g, x, {8 * u}, {12 * u}), slice(g, x, {4 * u}, {8 * u})}), "y");
  auto exec = prepare(g, unfused());
  require_where(exec, true, "of an input");
  daybreak::Run run(exec);
  Floats data = whole_numbers(static_cast<size_t>(size + 1), 5);
  const auto expected = [&](const float* from) {
    Floats result;
    for (int64_t i = 0; i < 4 * u; ++i) result.push_back(from[8 * u + i] - from[4 * u + i]);
    return result;
  };
  for (const uint32_t ownership : {DBK_COPY, DBK_UNTIL_DESTROY})
    for (const size_t first : {0, 1}) {
      run.bind_input("x", daybreak::View(std::span(data).subspan(first, static_cast<size_t>(size)), Dims{size}),
                     ownership);
      run.run();
      require_same(run.read<float>(0), expected(data.data() + first), "host memory");
    }
  std::vector<std::byte> odd(static_cast<size_t>(size) * 4 + 1);
  std::memcpy(odd.data() + 1, data.data(), static_cast<size_t>(size) * 4);
  run.bind_input("x", daybreak::View(std::span<const std::byte>(odd).subspan(1), DBK_F32, Dims{size}),
                 DBK_UNTIL_DESTROY);
  run.run();
  require_same(run.read<float>(0), expected(data.data()), "an odd address");
  daybreak::Buffer buffer = context().buffer(static_cast<uint64_t>(512 + size * 4), device().index);
  buffer.write(std::as_bytes(std::span(data).first(static_cast<size_t>(size))), 512);
  run.bind_buffer(DBK_INPUT, "x", buffer, DBK_F32, {size}, 512);
  run.run();
  require_same(run.read<float>(0), expected(data.data()), "a buffer");
  require_dispatches(run, 6, 1, "dispatches of six runs");
}

// A weight whose parts are read, as it is and as a matrix: one plain copy serves all, also where a kernel stores its
// own.
void test_part_of_a_weight() {
  const int64_t u = unit(), width = 16 * u;
  const Floats w = whole_numbers(static_cast<size_t>(8 * width), 6);
  GraphBuilder g;
  const Value p = g.param("w", DBK_F32, {8, width}, std::as_bytes(std::span(w)));
  const Value x = g.input<float>("x", {1, 8});
  const Value tail = slice(g, p, {5}, {6}), middle = slice(g, slice(g, p, {2}, {6}), {1, 0}, {2, kEnd}, {0, 1}, {1, 1});
  g.output(g.node("Add", {g.node("Sub", {g.node("MatMul", {x, p}), tail}), middle}), "y");
  auto exec = prepare(g, unfused());
  for (size_t i : {0, 1, 2}) require_where(exec, true, "of a weight", i);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(8, 7);
  Floats expected(static_cast<size_t>(width));
  for (size_t j = 0; j < expected.size(); ++j) {
    for (size_t k = 0; k < 8; ++k) expected[j] += data[k] * w[k * expected.size() + j];
    expected[j] += w[3 * expected.size() + j] - w[5 * expected.size() + j];
  }
  require_same(run_once(run, data, {1, 8}), expected, "x w - w[5] + w[3]");
}

void test_parts_of_parts() {
  const int64_t u = unit();
  GraphBuilder g;
  const Value x = g.node("Abs", {g.input<float>("x", {4, 6, u})});
  const Value a = slice(g, x, {1}, {4});
  const Value b = slice(g, g.node("Reshape", {a, g.constant<int64_t>({18, -1})}), {3}, {17});
  const Value c = g.node("Identity", {slice(g, b, {4}, {6})});
  g.output(g.node("Neg", {g.node("Reshape", {c, g.constant<int64_t>({-1})})}), "y");
  auto exec = prepare(g, unfused());
  for (size_t i : {0, 1, 2}) require_where(exec, true, "part of a part", i);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(24 * u), 8);
  Floats expected;
  for (float value : part(data, (6 + 3 + 4) * u, (6 + 3 + 6) * u)) expected.push_back(-std::abs(value));
  require_same(run_once(run, data, {4, 6, u}), expected, "part of a part of a part");
  require_dispatches(run, 1, 2, "dispatches");
}

// Output 0 is read by later nodes through a part of it, wherever the host wants it; output 1 is a part, which it must
// own.
void test_outputs() {
  const int64_t u = unit();
  GraphBuilder g;
  const Value y = g.node("Neg", {g.input<float>("x", {8 * u})});
  const Value inner = slice(g, y, {2 * u}, {6 * u}), outer = slice(g, y, {4 * u}, {8 * u});
  g.output(y, "y");
  g.output(g.node("Reshape", {outer, g.constant<int64_t>({2, -1})}), "outer");
  g.output(g.node("Abs", {inner}), "inner");
  auto exec = prepare(g, unfused());
  require_where(exec, true, "inside", 0);
  require_where(exec, false, "an output", 1);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(8 * u), 9), y_expected = negated(data);
  Floats inner_expected;
  for (float value : part(data, 2 * u, 6 * u)) inner_expected.push_back(std::abs(value));
  bind(run, "x", data, {8 * u});
  const auto check = [&](const Floats& first, const char* what) {
    require_same(first, y_expected, what);
    require_same(run.read<float>("outer"), part(y_expected, 4 * u, 8 * u), what);
    require_same(run.read<float>("inner"), inner_expected, what);
  };
  run.run();
  check(run.read<float>("y"), "read");
  Floats bound(static_cast<size_t>(8 * u), 77.0f);
  run.bind_output("y", daybreak::MutableView(std::span(bound), Dims{8 * u}));
  run.run();
  check(bound, "host memory");
  daybreak::Buffer buffer = context().buffer(static_cast<uint64_t>(256 + 32 * u), device().index);
  run.bind_buffer(DBK_OUTPUT, "y", buffer, DBK_F32, {8 * u}, 256);
  run.run();
  check(run.read<float>("y"), "buffer");
}

// Parts are read long after the last use of the whole: its memory must not be given away before.
void test_whole_lives_as_long_as_its_parts() {
  const int64_t u = unit(), size = 16 * u;
  GraphBuilder g;
  const Value x = g.input<float>("x", {size});
  const Value whole = g.node("Abs", {x});
  const Value early = slice(g, whole, {0}, {8 * u}), late = slice(g, whole, {8 * u}, {kEnd});
  Value v = early;
  for (int i = 0; i < 9; ++i)
    v = g.node(i % 2 ? "Neg" : "Add", i % 2 ? std::initializer_list<Value>{v} : std::initializer_list<Value>{v, early});
  g.output(g.node("Sub", {v, late}), "y");
  auto exec = prepare(g, unfused());
  for (size_t i : {0, 1}) require_where(exec, true, "a half", i);
  const auto plan = report(exec, "plan");
  std::map<uint32_t, nlohmann::json> places;
  for (const auto& value : plan.at("values")) places[value.at("value")] = value.at("place");
  require(places.at(early.id).at("index") == places.at(late.id).at("index"), "halves of one value are in two arenas");
  require_equal(int64_t(places.at(late.id).at("offset")) - int64_t(places.at(early.id).at("offset")), 32 * u,
                "distance of the halves");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(size), 10);
  Floats expected;
  for (int64_t i = 0; i < 8 * u; ++i) {
    const float a = std::abs(data[static_cast<size_t>(i)]);
    float value = a;
    for (int k = 0; k < 9; ++k) value = k % 2 ? -value : value + a;
    expected.push_back(value - std::abs(data[static_cast<size_t>(i + 8 * u)]));
  }
  for (int repeat = 0; repeat < 2; ++repeat) require_same(run_once(run, data, {size}), expected, "both halves");
}

// Queries, keys and values out of one product, as attention has them: three parts, nothing copied.
void test_packed_attention_input() {
  const int64_t length = 8, width = 16;
  const Floats w = whole_numbers(static_cast<size_t>(3 * width * width), 11, 2);
  const auto build = [&](GraphBuilder& g, bool packed) {
    const Value x = g.input<float>("x", {length, width});
    const Value p = g.param("w", DBK_F32, {3, width, width}, std::as_bytes(std::span(w)));
    const Value all = g.node("MatMul", {x, p});
    const auto at = [&](int64_t i) {
      const Value one =
          packed ? slice(g, all, {i}, {i + 1}) : g.node("Gather", {all, g.constant<int64_t>({i})}, {{"axis", 0}});
      return g.node("Reshape", {one, g.constant<int64_t>({length, width})});
    };
    const Value q = at(0), k = at(1), v = at(2);
    const Value scores = g.node("Softmax", {g.node("MatMul", {q, g.node("Transpose", {k}, {{"perm", {1, 0}}})})});
    g.output(g.node("MatMul", {scores, v}), "y");
  };
  GraphBuilder packed, copied;
  build(packed, true);
  build(copied, false);
  auto fast = prepare(packed, unfused()), slow = prepare(copied, unfused());
  daybreak::Run run_fast(fast), run_slow(slow);
  const Floats data = whole_numbers(static_cast<size_t>(length * width), 12, 1);
  require_same(run_once(run_fast, data, {length, width}), run_once(run_slow, data, {length, width}), "attention");
  require_dispatches(run_slow, 1, run_fast.stats().dispatches + 3, "dispatches with copies");
  require(report(fast, "plan").at("peak_live_bytes") < report(slow, "plan").at("peak_live_bytes"),
          "views take as much as copies");
}

// A step on the host that reads a part of a value of the device: the part crosses, not the whole; nothing where memory is shared.
void test_only_the_part_moves_to_the_host() {
  const int64_t u = unit(), size = 1024 * u;
  GraphBuilder g;
  const Value whole = g.node("Abs", {g.input<float>("x", {size})});
  const Value wide = g.node("Cast", {slice(g, whole, {16 * u}, {32 * u})}, {{"to", 11}});
  g.output(g.node("Neg", {g.node("Cast", {g.node("Mul", {wide, g.scalar(3.0)})}, {{"to", 1}})}), "y");
  auto exec = prepare(g, unfused());
  require_where(exec, !on_gpu() || shared_memory(), "read on the host");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(size), 13);
  Floats expected;
  for (float value : part(data, 16 * u, 32 * u)) expected.push_back(-3 * std::abs(value));
  require_same(run_once(run, data, {size}), expected, "-3 |x|");
  if (on_gpu()) require_equal(run.stats().island_bytes, static_cast<uint64_t>(shared_memory() ? 0 : 2 * 16 * u * 4), "bytes moved");
}

// No kernel of the device moves elements of this type, and none has to.
void test_type_without_a_kernel() {
  const int64_t u = 4 * unit(), size = 8 * u;
  GraphBuilder g;
  const Value mask = slice(g, g.input("mask", DBK_BOOL, {size}), {2 * u}, {4 * u});
  const Value x = g.input<float>("x", {2 * u});
  g.output(g.node("Where", {mask, x, g.node("Neg", {x})}), "y");
  auto exec = prepare(g, unfused());
  require_where(exec, true, "of booleans");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(2 * u), 14);
  std::vector<uint8_t> bits(static_cast<size_t>(size));
  for (size_t i = 0; i < bits.size(); ++i) bits[i] = i % 3 == 0;
  run.bind_input("mask", daybreak::View(std::as_bytes(std::span(bits)), DBK_BOOL, Dims{size}));
  bind(run, "x", data, {2 * u});
  run.run();
  Floats expected;
  for (size_t i = 0; i < data.size(); ++i)
    expected.push_back(bits[i + static_cast<size_t>(2 * u)] ? data[i] : -data[i]);
  require_same(run.read<float>(0), expected, "chosen by a part of the mask");
  require_equal(run.stats().host_islands, 0u, "host islands");
}

// A view keeps the whole alive. Under a budget that this breaks, the part is copied.
void test_budget_prefers_copies() {
  const int64_t u = unit(), size = 4096 * u;
  const auto build = [&](GraphBuilder& g) {
    const Value whole = g.node("Abs", {g.input<float>("x", {size})});
    const Value some = slice(g, whole, {0}, {4 * u});
    Value v = g.node("Neg", {whole});
    for (int i = 0; i < 3; ++i) v = g.node("Neg", {v});
    g.output(g.node("Add", {g.node("ReduceMax", {v}, {{"keepdims", 0}}), some}), "y");
  };
  GraphBuilder free, tight;
  build(free), build(tight);
  const auto roomy = compile(free, unfused());
  require_where(roomy, true, "without a budget");
  const auto bytes = int64_t(report(roomy, "plan").at("activation_bytes"));
  auto exec = prepare(tight, unfused().set("memory_budget", bytes - 1));
  require_where(exec, false, "under a budget");
  require(report(exec, "plan").at("activation_bytes") < bytes, "the copy takes no less");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(static_cast<size_t>(size), 15);
  float largest = 0;
  for (float value : data) largest = std::max(largest, std::abs(value));
  Floats expected;
  for (float value : part(data, 0, 4 * u)) expected.push_back(largest + std::abs(value));
  require_same(run_once(run, data, {size}), expected, "the largest and a part");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "views_test.cpp",
      {GRAPH_TEST(test_rows_are_free), GRAPH_TEST(test_which_ranges_are_one_run),
       GRAPH_TEST(test_awkward_beginning_is_a_step), GRAPH_TEST(test_extent_decides),
       GRAPH_TEST(test_bounds_are_inputs), GRAPH_TEST(test_part_of_an_input), GRAPH_TEST(test_part_of_a_weight),
       GRAPH_TEST(test_parts_of_parts), GRAPH_TEST(test_outputs), GRAPH_TEST(test_whole_lives_as_long_as_its_parts),
       GRAPH_TEST(test_packed_attention_input), GRAPH_TEST(test_only_the_part_moves_to_the_host),
       GRAPH_TEST(test_type_without_a_kernel), GRAPH_TEST(test_budget_prefers_copies)});
}

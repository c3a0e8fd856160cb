// The memory plan as report "plan" tells it, against lifetimes found here: on a GPU an output shares no arena with an operand of
// its step, values that live at the same time share no byte, arenas hold the peak, and views cost neither memory nor
// dispatches.
#include <algorithm>
#include <map>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

struct Step {
  std::vector<uint32_t> reads, writes;
};

struct Place {
  int64_t arena, first, last;  // bytes [first, last)
};

// A graph that remembers its steps.
struct Recorded {
  GraphBuilder graph;
  std::vector<Step> steps;
  std::vector<Value> results;

  Value node(const char* op, std::vector<Value> inputs) {
    const Value result = graph.nodes(op, inputs, {}, {true})[0];
    Step step;
    for (Value value : inputs) step.reads.push_back(value.id);
    step.writes.push_back(result.id);
    steps.push_back(step);
    return result;
  }
};

// Values in arenas, by id.
std::map<uint32_t, Place> places(const nlohmann::json& plan) {
  std::map<uint32_t, Place> result;
  for (const auto& value : plan.at("values")) {
    const auto& place = value.at("place");
    if (place.at("in") != "arena") continue;
    const int64_t first = place.at("offset"), bytes = value.at("bytes");
    result[value.at("value")] = {place.at("index"), first, first + bytes};
  }
  return result;
}

void require_separate_operands(const std::vector<Step>& steps, const std::map<uint32_t, Place>& placed) {
  for (const Step& step : steps)
    for (uint32_t out : step.writes)
      for (uint32_t in : step.reads) {
        if (!placed.contains(out) || !placed.contains(in)) continue;
        require(placed.at(out).arena != placed.at(in).arena, "value {} is in the arena of its operand {}", out, in);
      }
}

struct Life {
  size_t first = SIZE_MAX, last = 0;
};

std::map<uint32_t, Life> lives(const std::vector<Step>& steps) {
  std::map<uint32_t, Life> result;
  for (size_t s = 0; s < steps.size(); ++s)
    for (const auto* list : {&steps[s].reads, &steps[s].writes})
      for (uint32_t value : *list) {
        Life& life = result[value];
        life.first = std::min(life.first, s);
        life.last = std::max(life.last, s);
      }
  return result;
}

void require_no_overlap(const std::map<uint32_t, Life>& alive, const std::map<uint32_t, Place>& placed) {
  for (const auto& [a, at] : placed)
    for (const auto& [b, other] : placed) {
      if (a >= b || at.arena != other.arena || !alive.contains(a) || !alive.contains(b)) continue;
      const Life &x = alive.at(a), &y = alive.at(b);
      const bool together = x.first <= y.last && y.first <= x.last,
                 overlap = at.first < other.last && other.first < at.last;
      require(!(together && overlap), "values {} and {} live together in bytes of arena {}", a, b, at.arena);
    }
}

int64_t peak(size_t steps, const std::map<uint32_t, Life>& alive, const std::map<uint32_t, Place>& placed) {
  int64_t most = 0;
  for (size_t s = 0; s < steps; ++s) {
    int64_t bytes = 0;
    for (const auto& [value, place] : placed)
      if (alive.contains(value) && alive.at(value).first <= s && s <= alive.at(value).last)
        bytes += place.last - place.first;
    most = std::max(most, bytes);
  }
  return most;
}

void require_sound(const daybreak::Executable& exec, const std::vector<Step>& steps, size_t least) {
  const nlohmann::json plan = report(exec, "plan");
  const auto placed = places(plan);
  const auto alive = lives(steps);
  require(placed.size() >= least, "only {} values are in arenas, {} expected", placed.size(), least);
  if (on_gpu()) require_separate_operands(steps, placed);  // so that operands can be bound read-only
  require_no_overlap(alive, placed);
  const int64_t needed = peak(steps.size(), alive, placed), arenas = plan.at("arena_bytes");
  require(arenas >= needed, "arenas of {} bytes hold {} at once", arenas, needed);
  require(plan.at("peak_live_bytes") >= needed, "peak_live_bytes {} is below {}", int64_t(plan.at("peak_live_bytes")),
          needed);
  require(arenas >= int64_t(plan.at("peak_live_bytes")), "arena_bytes is below peak_live_bytes");
}

void test_chain_reuses_memory() {
  Recorded r;
  Value v = r.graph.input<float>("x", {1000});
  for (int i = 0; i < 12; ++i) v = r.node(i % 2 ? "Neg" : "Abs", {v});
  r.graph.output(v, "y");
  const auto exec = compile(r.graph, unfused());
  require_sound(exec, r.steps, 11);
  const int64_t arenas = report(exec, "plan").at("arena_bytes");
  require(arenas <= 3 * 4096, "a chain takes {} bytes of arenas; two tensors of 4000 suffice", arenas);
}

void test_long_lived_value_is_kept() {
  Recorded r;
  const Value x = r.graph.input<float>("x", {257});
  const Value early = r.node("Abs", {x});
  Value v = early;
  for (int i = 0; i < 6; ++i) v = r.node("Neg", {v});
  v = r.node("Add", {v, early});
  r.graph.output(r.node("Relu", {v}), "y");
  auto exec = prepare(r.graph, unfused());
  require_sound(exec, r.steps, 8);
  daybreak::Run run(exec);
  const Floats data = whole_numbers(257, 3);
  Floats expected;
  for (float value : data) expected.push_back(2 * std::abs(value));
  require_same(run_once(run, data, {257}), expected, "|x| + |x|");
}

void test_wide_graph() {
  Recorded r;
  const Value x = r.graph.input<float>("x", {63});
  std::vector<Value> parts;
  for (int i = 0; i < 7; ++i) parts.push_back(r.node(i % 2 ? "Neg" : "Relu", {x}));
  Value sum = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) sum = r.node("Add", {sum, parts[i]});
  r.graph.output(r.node("Neg", {sum}), "y");
  require_sound(compile(r.graph, unfused()), r.steps, 13);
}

void test_plan_only_allocates_nothing() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.node("Abs", {g.input<float>("x", {1 << 20})})}), "y");
  const uint64_t before = context().stats().buffers_created;
  auto exec = context().compile(g, {.options = unfused(), .device = device().index, .mode = DBK_COMPILE_PLAN_ONLY});
  require_equal(context().stats().buffers_created, before, "buffers created by a plan");
  require(exec.stats().activation_bytes >= 3u << 22, "a plan of three tensors of 4 MiB counts {} bytes",
          exec.stats().activation_bytes);
  require_failure(DBK_FAILED_PRECONDITION, {"PLAN_ONLY"}, [&] { daybreak::Run run(exec); });
}

void test_views_are_free() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {6, 4});
  Value v = g.node("Relu", {x});
  v = g.node("Reshape", {v, g.constant<int64_t>({2, 3, 4})});
  v = g.node("Identity", {v});
  v = g.node("Reshape", {v, g.constant<int64_t>({24})});
  g.output(g.node("Neg", {v}), "y");
  auto exec = prepare(g, unfused());
  const nlohmann::json placement = report(exec, "placement");
  for (const auto& node : placement.at("nodes"))
    if (node.at("op") == "Reshape" || node.at("op") == "Identity")
      require(node.at("where") == "view", "{} is on {}", std::string(node.at("op")), std::string(node.at("where")));
  require_equal(int(report(exec, "plan").at("device_arenas").size() + report(exec, "plan").at("host_arenas").size()), 1,
                "number of arenas");
  daybreak::Run run(exec);
  const Floats data = whole_numbers(24, 5);
  Floats expected;
  for (float value : data) expected.push_back(value > 0 ? -value : -0.0f);
  require_same(run_once(run, data, {6, 4}), expected, "Neg(Relu(x))");
  if (on_gpu()) require_equal(run.stats().dispatches, 2u, "dispatches of two nodes and three views");
}

// Names are the caller's bytes; a report is JSON whatever they are.
void test_names_of_any_bytes_in_reports() {
  GraphBuilder g;
  const std::string name = "\"a\\b\"\n\t\x01\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\x85\xFF\xC0\xAF\xED\xA0\x80\xE2\x82";
  g.output(g.node(daybreak::Op("Neg").named(name), {g.input<float>("x", {3})}), "y");
  const auto nodes = report(compile(g, unfused()), "placement").at("nodes");
  const std::string bad = "\xEF\xBF\xBD";
  std::string expected = "\"a\\b\"\n\t\x01\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8C\x85";
  for (int i = 0; i < 8; ++i) expected += bad;  // FF; C0 AF; ED A0 80; E2 82
  require(nodes.at(0).at("name") == expected, "the name is {}", nodes.at(0).dump());
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(
      argc, argv, "plan_test.cpp",
      {GRAPH_TEST(test_chain_reuses_memory), GRAPH_TEST(test_long_lived_value_is_kept), GRAPH_TEST(test_wide_graph),
       GRAPH_TEST(test_plan_only_allocates_nothing), GRAPH_TEST(test_views_are_free),
       GRAPH_TEST(test_names_of_any_bytes_in_reports)});
}

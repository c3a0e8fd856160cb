// Rotary position embedding in the forms that exporters emit becomes one node; not where it is another formula or an inner value is
// wanted elsewhere.
#include <limits>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
const Dims kX{2, 3, 5, 8}, kTable{1, 1, 5, 8};

struct Form {
  bool interleaved = false;  // neighbours, else halves
  bool split = false;        // Split, else two Slices
  bool by_product = false;   // -1 *, else Neg
  bool turned_first = false; // order of the sum
  int64_t middle = 4;        // where the halves part
  bool negate_first = false; // (-first, second): another formula
  bool part_is_output = false;
  Dims x = kX, table = kTable;
};

Value slice(GraphBuilder& g, Value x, int64_t first, int64_t end, int64_t step) {
  const auto list = [&](int64_t n) { return g.constant<int64_t>({n}); };
  return g.node("Slice", {x, list(first), list(end), list(-1), list(step)});
}

std::pair<Value, Value> parts_of(GraphBuilder& g, const Form& form, Value x) {
  if (form.interleaved) return {slice(g, x, 0, kEnd, 2), slice(g, x, 1, kEnd, 2)};
  if (!form.split) return {slice(g, x, 0, form.middle, 1), slice(g, x, form.middle, kEnd, 1)};
  const auto parts = g.node<2>("Split", {x}, {{"axis", -1}, {"num_outputs", 2}});
  return {parts[0], parts[1]};
}

Value turned(GraphBuilder& g, const Form& form, Value x) {
  auto [first, second] = parts_of(g, form, x);
  if (form.part_is_output) g.output(first, "part");
  if (form.negate_first) std::swap(first, second);
  const Value minus = form.by_product ? g.node("Mul", {second, g.scalar(-1.0f)}) : g.node("Neg", {second});
  if (!form.interleaved) return g.node("Concat", {minus, first}, {{"axis", -1}});
  const Value last = g.constant<int64_t>({-1});
  const Value pairs = g.node("Concat", {g.node("Unsqueeze", {minus, last}), g.node("Unsqueeze", {first, last})}, {{"axis", -1}});
  return g.node("Reshape", {pairs, g.constant<int64_t>({0, 0, 0, -1})});
}

void write(GraphBuilder& g, const Form& form, const daybreak::Shape& shape) {
  const Value x = g.input("x", DBK_F32, shape), cos = g.input("cos", DBK_F32, daybreak::Shape(form.table)),
              sin = g.input("sin", DBK_F32, daybreak::Shape(form.table));
  const Value straight = g.node("Mul", {x, cos}), turn = g.node("Mul", {turned(g, form, x), sin});
  g.output(form.turned_first ? g.node("Add", {turn, straight}) : g.node("Add", {straight, turn}), "y");
}

Comparison compare_form(const Form& form) {
  return compare([&](GraphBuilder& g) { write(g, form, daybreak::Shape(form.x)); }, {form.x, form.table, form.table});
}

void test_forms() {
  require_fused(compare_form({}), "Rotary", 1, "halves by Slice");
  require_fused(compare_form({.split = true}), "Rotary", 1, "halves by Split");
  require_fused(compare_form({.interleaved = true}), "Rotary", 1, "neighbours");
  require_fused(compare_form({.by_product = true, .turned_first = true}), "Rotary", 1, "in another order");
  require_fused(compare_form({.table = {5, 8}}), "Rotary", 1, "tables of lower rank");
  const Comparison result = compare_form({.interleaved = true});
  require_equal(result.count("Slice") + result.count("Concat") + result.count("Mul") + result.count("Elementwise"), size_t{0},
                "nodes that are left");
}

void test_other_formulas() {
  require_fused(compare_form({.middle = 3, .table = {1, 1, 5, 8}}), "Rotary", 0, "parts of different sizes");
  require_fused(compare_form({.negate_first = true}), "Rotary", 0, "the first half is negative");
  require_fused(compare_form({.part_is_output = true}), "Rotary", 0, "a half is an output");
  require_fused(compare_form({.x = {1, 3, 5, 8}, .table = {2, 1, 5, 8}}), "Rotary", 0, "tables larger than what they rotate");
}

// Numbers of positions that each run chooses.
void test_open_extents() {
  for (const int64_t positions : {1, 6}) {
    const Dims dims{2, 3, positions, 8}, table{positions, 8};
    const auto result = compare(
        [&](GraphBuilder& g) {
          const auto n = g.symbol("n", 1, 9);
          const Value x = g.input("x", DBK_F32, {2, 3, n, 8}), cos = g.input("cos", DBK_F32, {n, 8}), sin = g.input("sin", DBK_F32, {n, 8});
          g.output(g.node("Add", {g.node("Mul", {x, cos}), g.node("Mul", {turned(g, {}, x), sin})}), "y");
        },
        {dims, table, table});
    require_fused(result, "Rotary", 1, "with open extents");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "rotary_test.cpp", {GRAPH_TEST(test_forms), GRAPH_TEST(test_other_formulas), GRAPH_TEST(test_open_extents)});
}

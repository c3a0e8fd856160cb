// Rotary position embedding in the forms that exporters emit becomes one node; not where it is another formula or an inner value is
// wanted elsewhere.
#include <limits>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;

constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();
const Dims kX{2, 3, 5, 8}, kTable{1, 1, 5, 8};

// How neighbours are taken apart: by Slices, or out of pairs in an axis of their own.
enum class Apart { Slices, Gathers, Squeezes };

struct Form {
  bool interleaved = false;  // neighbours, else halves
  Apart apart = Apart::Slices;
  bool same_twice = false;   // of neighbours the first is taken for both
  bool split = false;        // Split, else two Slices
  bool by_product = false;   // -1 *, else Neg
  bool turned_first = false; // order of the sum
  int64_t middle = 4;        // where the halves part
  bool from_end = false;     // the second half is told by negative places
  bool negate_first = false; // (-first, second): another formula
  bool part_is_output = false, part_is_read = false;
  Dims x = kX, table = kTable;
};

Value slice(GraphBuilder& g, Value x, int64_t first, int64_t end, int64_t step) {
  const auto list = [&](int64_t n) { return g.constant<int64_t>({n}); };
  return g.node("Slice", {x, list(first), list(end), list(-1), list(step)});
}

std::pair<Value, Value> neighbours_of(GraphBuilder& g, const Form& form, Value x) {
  if (form.apart == Apart::Slices) return {slice(g, x, 0, kEnd, 2), slice(g, x, 1, kEnd, 2)};
  const Value pairs = g.node("Reshape", {x, g.constant<int64_t>({0, 0, 0, -1, 2})});
  if (form.apart == Apart::Gathers) {
    const auto one = [&](int64_t i) { return g.node("Gather", {pairs, g.scalar<int64_t>(i)}, {{"axis", -1}}); };
    return {one(0), one(form.same_twice ? 0 : -1)};
  }
  const auto parts = g.node<2>("Split", {pairs}, {{"axis", -1}, {"num_outputs", 2}});
  const auto squeezed = [&](Value part) { return g.node("Squeeze", {part, g.constant<int64_t>({-1})}); };
  return {squeezed(parts[0]), squeezed(parts[1])};
}

std::pair<Value, Value> parts_of(GraphBuilder& g, const Form& form, Value x) {
  if (form.interleaved) return neighbours_of(g, form, x);
  if (form.from_end) return {slice(g, x, 0, -4, 1), slice(g, x, -4, kEnd, 1)};
  if (!form.split) return {slice(g, x, 0, form.middle, 1), slice(g, x, form.middle, kEnd, 1)};
  const auto parts = g.node<2>("Split", {x}, {{"axis", -1}, {"num_outputs", 2}});
  return {parts[0], parts[1]};
}

Value turned(GraphBuilder& g, const Form& form, Value x) {
  auto [first, second] = parts_of(g, form, x);
  if (form.part_is_output) g.output(first, "part");
  if (form.part_is_read) g.output(g.node("Abs", {first}), "read");
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
  require_fused(compare_form({.from_end = true}), "Rotary", 1, "halves counted from the end");
  require_fused(compare_form({.interleaved = true}), "Rotary", 1, "neighbours");
  for (const Apart apart : {Apart::Gathers, Apart::Squeezes}) {
    const Comparison result = compare_form({.interleaved = true, .apart = apart});
    require_fused(result, "Rotary", 1, "pairs in an axis of their own");
    for (const char* gone : {"Gather", "Split", "Squeeze", "Concat"}) require_fused(result, gone, 0, "pairs in an axis of their own");
  }
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
  require_fused(compare_form({.interleaved = true, .apart = Apart::Gathers, .part_is_output = true}), "Rotary", 0, "an element of pairs is an output");
  require_fused(compare_form({.interleaved = true, .apart = Apart::Gathers, .same_twice = true}), "Rotary", 0, "the first element twice");
  require_fused(compare_form({.part_is_read = true}), "Rotary", 0, "somebody else reads a half");
  require_fused(compare_form({.x = {1, 3, 5, 8}, .table = {2, 1, 5, 8}}), "Rotary", 0, "tables larger than what they rotate");
}

// The two parts on their own, with tables of half the width.
struct HalfForm {
  bool interleaved = false, split = false;
  Apart apart = Apart::Slices;
  bool tables_first = false;  // order of the factors
  bool straight_last = false; // order of the second sum
  bool adds_both = false;     // x1 cos + x2 sin: another formula
  bool product_is_output = false, product_is_read = false;
  bool concatenated = false;  // tables are joined to full width, and used on the whole
  Dims x = kX, table{1, 1, 5, 4};
};

void write_halves(GraphBuilder& g, const HalfForm& form) {
  const Value x = g.input("x", DBK_F32, daybreak::Shape(form.x)), cos = g.input("cos", DBK_F32, daybreak::Shape(form.table)),
              sin = g.input("sin", DBK_F32, daybreak::Shape(form.table));
  if (form.concatenated) {
    const auto twice = [&](Value table) { return g.node("Concat", {table, table}, {{"axis", -1}}); };
    g.output(g.node("Add", {g.node("Mul", {x, twice(cos)}), g.node("Mul", {turned(g, {}, x), twice(sin)})}), "y");
    return;
  }
  const auto [x1, x2] = parts_of(g, {.interleaved = form.interleaved, .apart = form.apart, .split = form.split}, x);
  const auto product = [&](Value part, Value table) { return form.tables_first ? g.node("Mul", {table, part}) : g.node("Mul", {part, table}); };
  const Value x1_cos = product(x1, cos), straight = product(x2, cos), turn = product(x1, sin);
  if (form.product_is_output) g.output(x1_cos, "product");
  if (form.product_is_read) g.output(g.node("Abs", {x1_cos}), "read");
  const Value first = g.node(form.adds_both ? "Add" : "Sub", {x1_cos, product(x2, sin)});
  const Value second = form.straight_last ? g.node("Add", {turn, straight}) : g.node("Add", {straight, turn});
  if (!form.interleaved) {
    g.output(g.node("Concat", {first, second}, {{"axis", -1}}), "y");
    return;
  }
  const Value last = g.constant<int64_t>({-1});
  const Value pairs = g.node("Concat", {g.node("Unsqueeze", {first, last}), g.node("Unsqueeze", {second, last})}, {{"axis", -1}});
  g.output(g.node("Reshape", {pairs, g.constant<int64_t>({0, 0, 0, -1})}), "y");
}

Comparison compare_halves(const HalfForm& form) {
  return compare([&](GraphBuilder& g) { write_halves(g, form); }, {form.x, form.table, form.table});
}

void test_half_tables() {
  require_fused(compare_halves({}), "Rotary", 1, "halves by Slice");
  require_fused(compare_halves({.split = true}), "Rotary", 1, "halves by Split");
  require_fused(compare_halves({.interleaved = true}), "Rotary", 1, "neighbours");
  require_fused(compare_halves({.interleaved = true, .apart = Apart::Gathers}), "Rotary", 1, "pairs in an axis of their own");
  require_fused(compare_halves({.tables_first = true, .straight_last = true}), "Rotary", 1, "in another order");
  require_fused(compare_halves({.interleaved = true, .table = {5, 4}}), "Rotary", 1, "tables of lower rank");
  require_fused(compare_halves({.concatenated = true}), "Rotary", 1, "tables joined");
  const Comparison result = compare_halves({.split = true});
  require_equal(result.count("Split") + result.count("Mul") + result.count("Elementwise"), size_t{0}, "nodes that are left");
}

void test_other_halves() {
  require_fused(compare_halves({.adds_both = true}), "Rotary", 0, "two sums");
  require_fused(compare_halves({.product_is_output = true}), "Rotary", 0, "a product is an output");
  require_fused(compare_halves({.product_is_read = true}), "Rotary", 0, "somebody else reads a product");
  require_fused(compare_halves({.table = {1, 1, 5, 1}}), "Rotary", 0, "one number for a whole row");
  require_fused(compare_halves({.x = {1, 3, 5, 8}, .table = {2, 1, 5, 4}}), "Rotary", 0, "tables larger than what they rotate");
}

// Queries and keys by the same tables: the whole ones are made once, from weights not in any run.
void test_shared_tables() {
  static const Floats table = fractions(20, 3);
  const auto result = compare(
      [&](GraphBuilder& g) {
        const Value cos = g.param("cos", std::span(table), {5, 4}), sin = g.param("sin", std::span(table), {5, 4});
        for (const char* name : {"q", "k"}) {
          const Value x = g.input(name, DBK_F32, daybreak::Shape(kX));
          const auto [x1, x2] = parts_of(g, {}, x);
          const Value first = g.node("Sub", {g.node("Mul", {x1, cos}), g.node("Mul", {x2, sin})});
          const Value second = g.node("Add", {g.node("Mul", {x2, cos}), g.node("Mul", {x1, sin})});
          g.output(g.node("Concat", {first, second}, {{"axis", -1}}), std::string(name) + ".turned");
        }
      },
      {kX, kX});
  require_fused(result, "RotaryHeads", 1, "both");
  require_equal(result.count("Concat"), size_t{0}, "tables made in a run");
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
  return run_tests(argc, argv, "rotary_test.cpp", {GRAPH_TEST(test_forms), GRAPH_TEST(test_other_formulas), GRAPH_TEST(test_open_extents),
                                                       GRAPH_TEST(test_half_tables), GRAPH_TEST(test_other_halves), GRAPH_TEST(test_shared_tables)});
}

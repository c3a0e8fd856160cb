// Products of one input with several weights, and products that are taken apart: each form that option `qkv` knows is made where it is
// legal and only there, gives the same numbers, and is told in the placement report.
#include <map>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;

// Numbers of a parameter: they stay until the graph is compiled, and longer.
Value weight(GraphBuilder& g, const std::string& name, const Dims& dims, uint32_t seed) {
  static std::map<std::pair<uint32_t, int64_t>, Floats> all;
  const auto count = static_cast<size_t>(dims.product());
  const Floats& numbers = all.try_emplace({seed, dims.product()}, fractions(count, seed)).first->second;
  return g.param(name, std::span(numbers), dims);
}

std::vector<Value> split(GraphBuilder& g, Value x, const std::vector<int64_t>& widths, int64_t axis) {
  const Value inputs[] = {x, g.constant(std::span<const int64_t>(widths), {static_cast<int64_t>(widths.size())})};
  const daybreak::Attr attrs[] = {{"axis", axis}};
  return g.nodes("Split", inputs, attrs, std::vector<bool>(widths.size(), true));
}

daybreak::Options qkv(const char* form) { return daybreak::Options().set("qkv", form); }

size_t splits(const Comparison& result) { return result.count("SplitMatMul") + result.count("FusedSplitMatMul"); }
size_t products(const Comparison& result) { return result.count("MatMul") + result.count("FusedMatMul"); }

void require_split(const Comparison& result, size_t count, const char* what) {
  require(splits(result) == count, "{}: {} products write several results, not {}; missed: {}", what, splits(result), count, result.missed());
}

void require_missed(const Comparison& result, const char* why) {
  require(result.missed().find(why) != std::string::npos, "'{}' is not among what was missed: {}", why, result.missed());
}

// ---- one product that is taken apart ----

struct Taken {
  std::vector<int64_t> widths{32, 16, 16};
  bool biased = true;
  bool activated = false;
  bool by_slices = false;
  bool whole_out = false;     // the product as a whole is an output, too
  bool residual = false;      // of the product's shape
  bool parts_read = false;    // parts have several readers
  int64_t k = 24;
  Dims rows{2, 9};
};

Comparison compare_taken(const Taken& t, bool open = false) {
  int64_t total = 0;
  for (int64_t width : t.widths) total += width;
  Dims x = t.rows;
  x.push_back(t.k);
  return compare(
      [&](GraphBuilder& g) {
        const Value in = open ? g.input("x", DBK_F32, {g.symbol("rows", 0, 64), t.k}) : g.input("x", DBK_F32, daybreak::Shape(x));
        Value y = g.node("MatMul", {in, weight(g, "w", {t.k, total}, 1)});
        if (t.biased) y = g.node("Add", {y, weight(g, "b", {total}, 2)});
        if (t.activated) y = g.node("Relu", {y});
        if (t.residual) y = g.node("Add", {y, g.node("Concat", {in, in}, {{"axis", -1}})});
        if (t.whole_out) g.output(g.node("Neg", {y}), "whole");
        std::vector<Value> parts;
        if (t.by_slices) {
          int64_t first = 0;
          for (int64_t width : t.widths) {
            parts.push_back(g.node("Slice", {y, g.constant<int64_t>({first}), g.constant<int64_t>({first + width}), g.constant<int64_t>({-1})}));
            first += width;
          }
        } else {
          parts = split(g, y, t.widths, -1);
        }
        for (size_t i = 0; i < parts.size(); ++i) {
          g.output(parts[i], "part" + std::to_string(i));
          if (t.parts_read) g.output(g.node("Exp", {parts[i]}), "read" + std::to_string(i));
        }
      },
      {x});
}

void test_taken_apart() {
  const std::pair<const char*, Taken> forms[] = {
      {"bias", {}},
      {"no bias", {.biased = false}},
      {"two parts", {.widths = {48, 16}}},
      {"bias and activation", {.activated = true}},
      {"slices", {.by_slices = true}},
      {"slices, several readers", {.by_slices = true, .parts_read = true}},
      {"parts that fit nothing", {.widths = {1, 13, 7}, .k = 31}},
      {"parts of one column", {.widths = {1, 1}, .biased = false, .k = 5, .rows = {1}}},
      {"an empty part", {.widths = {16, 0, 16}}},
      {"k in several dispatches", {.widths = {16, 32, 16}, .activated = true, .k = 4 * 67, .rows = {40}}},
  };
  for (const auto& [name, form] : forms) {
    const Comparison result = compare_taken(form);
    require_split(result, 1, name);
    require_equal(result.count("Split") + result.count("Slice") + products(result), size_t{0}, name);
  }
}

void test_open_rows() {
  for (const int64_t rows : {0, 1, 7, 64}) require_split(compare_taken({.rows = {rows}}, true), 1, "open rows");
}

void test_not_taken_apart() {
  const Comparison seen = compare_taken({.whole_out = true});
  require_split(seen, 0, "the whole is read");
  require_missed(seen, "inside is also read by");
  const Comparison four = compare_taken({.widths = {16, 16, 16, 16}});
  require_split(four, 0, "four parts");
  require_missed(four, "4 parts");
  const Comparison residual = compare_taken({.widths = {24, 24}, .residual = true});
  require_split(residual, 0, "a residual of all parts");
  require_missed(residual, "one number for each column");
}

// Slices that leave columns out, or share some.
void test_slices_that_do_not_cover() {
  for (const auto& [first, last] : {std::pair<int64_t, int64_t>{17, 32}, {15, 32}, {16, 31}}) {
    const Comparison result = compare(
        [&](GraphBuilder& g) {
          const Value y = g.node("MatMul", {g.input("x", DBK_F32, {5, 8}), weight(g, "w", {8, 32}, 3)});
          const auto part = [&](int64_t from, int64_t to) {
            return g.node("Slice", {y, g.constant<int64_t>({from}), g.constant<int64_t>({to}), g.constant<int64_t>({1})});
          };
          g.output(part(0, 16), "left");
          g.output(part(first, last), "right");
        },
        {{5, 8}});
    require_split(result, 0, "slices");
    require_missed(result, "do not cover");
  }
}

// Along the rows nothing is split.
void test_other_axis() {
  const Comparison result = compare(
      [](GraphBuilder& g) {
        const Value y = g.node("MatMul", {g.input("x", DBK_F32, {6, 8}), weight(g, "w", {8, 6}, 3)});
        const std::vector<Value> parts = split(g, y, {2, 4}, 0);
        g.output(parts[0], "a");
        g.output(parts[1], "b");
      },
      {{6, 8}});
  require_split(result, 0, "rows");
}

// A matrix B per batch, made by the run.
void test_batches() {
  const Comparison result = compare(
      [](GraphBuilder& g) {
        const Value y = g.node("MatMul", {g.input("x", DBK_F32, {3, 5, 8}), g.input("w", DBK_F32, {3, 8, 20})});
        const std::vector<Value> parts = split(g, y, {4, 16}, 2);
        g.output(g.node("Neg", {parts[0]}), "a");
        g.output(parts[1], "b");
      },
      {{3, 5, 8}, {3, 8, 20}});
  require_split(result, 1, "batches");
}

// ---- several products of one input ----

struct Shared {
  std::vector<int64_t> widths{32, 16, 16};
  std::string unbiased{};      // products among "abc" without a bias
  bool first_out = false;      // the first result is an output
  bool own_ends = false;       // each goes on by itself
  bool weights_of_run = false; // the last weight is an input
  int batch_axes = 0;          // of 1 that the first weight has
};

Comparison compare_shared(const Shared& s, const char* form) {
  const int64_t k = 24;
  std::vector<Dims> dims{{2, 9, k}};
  if (s.weights_of_run) dims.push_back({k, s.widths.back()});
  return compare(
      [&](GraphBuilder& g) {
        const Value x = g.input("x", DBK_F32, {2, 9, k});
        for (size_t i = 0; i < s.widths.size(); ++i) {
          const std::string name(1, static_cast<char>('a' + i));
          const bool given = s.weights_of_run && i + 1 == s.widths.size();
          const Value w = given ? g.input(name, DBK_F32, {k, s.widths[i]}) : weight(g, name, i > 0 || s.batch_axes == 0 ? Dims{k, s.widths[i]} : s.batch_axes == 1 ? Dims{1, k, s.widths[i]} : Dims{1, 1, k, s.widths[i]}, static_cast<uint32_t>(i + 1));
          Value y = g.node("MatMul", {x, w});
          if (s.unbiased.find(name) == std::string::npos) y = g.node("Add", {y, weight(g, name + ".bias", {s.widths[i]}, static_cast<uint32_t>(i + 11))});
          if (s.first_out && i == 0) g.output(y, "seen");
          g.output(s.own_ends ? g.node("Tanh", {y}) : g.node("Softmax", {y}), "y" + name);
        }
      },
      dims, {}, qkv(form));
}

void test_joined() {
  const std::pair<const char*, Shared> forms[] = {
      {"three products", {}},
      {"two products", {.widths = {48, 20}}},
      {"no biases", {.unbiased = "abc"}},
      {"a bias of some", {.unbiased = "b"}},
      {"a result that is an output", {.first_out = true}},
      {"operations behind each", {.own_ends = true}},
      {"a batch of one matrix", {.batch_axes = 1}},
  };
  for (const auto& [name, form] : forms) {
    const Comparison joined = compare_shared(form, "split");
    require_split(joined, 1, name);
    require_equal(products(joined), size_t{0}, name);
    const nlohmann::json choice = joined.placement.at("projections").at(0);
    require_equal(choice.at("form").get<std::string>(), std::string("split"), name);
    require_equal(choice.at("reason").get<std::string>(), std::string("option qkv=split"), name);
    require_equal(choice.at("nodes").size(), form.widths.size(), name);
    for (const nlohmann::json& node : joined.placement.at("nodes"))  // the joined weights are made of weights, the products are not
      require(node.at("where") != "prepared", "{}: '{}' is told to be computed from weights", name, node.at("name").get<std::string>());
    const Comparison plain = compare_shared(form, "plain");
    require_split(plain, 0, name);
    require_equal(products(plain), form.widths.size(), name);
    require_equal(plain.placement.at("projections").at(0).at("form").get<std::string>(), std::string("plain"), name);
  }
}

void test_not_joined() {
  const Comparison given = compare_shared({.widths = {32, 16}, .weights_of_run = true}, "split");
  require_split(given, 0, "a weight of the run");
  const Comparison deep = compare_shared({.batch_axes = 2}, "split");  // its result has an axis more than those of the others
  require_split(deep, 1, "a weight with more axes than the input");
  require_equal(products(deep), size_t{1}, "the product with it");
  const Comparison packed = compare_shared({}, "packed");
  const std::string reason = packed.placement.at("projections").at(0).at("reason");
  require(reason.find("option qkv=packed cannot") != std::string::npos, "no reason in: {}", reason);
  require_failure(DBK_INVALID_ARGUMENT, {"qkv", "'warp'", "packed"}, [] { compare_shared({}, "warp"); });
}

// Four products: three as one, and the last by itself.
void test_four_products() {
  const Comparison result = compare_shared({.widths = {16, 16, 16, 16}}, "split");
  require_split(result, 1, "four products");
  require_equal(products(result), size_t{1}, "the fourth");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__,
                   {GRAPH_TEST(test_taken_apart), GRAPH_TEST(test_open_rows), GRAPH_TEST(test_not_taken_apart), GRAPH_TEST(test_slices_that_do_not_cover),
                    GRAPH_TEST(test_other_axis), GRAPH_TEST(test_batches), GRAPH_TEST(test_joined), GRAPH_TEST(test_not_joined), GRAPH_TEST(test_four_products)});
}

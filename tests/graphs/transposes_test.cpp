// Transposes in front of batched products become part of them, where nobody else reads what is transposed and kernels can read it as it
// lies; results stay.
#include <algorithm>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using Order = std::vector<int64_t>;

struct Form {
  Dims a, b;
  Order order_a{}, order_b{};
  bool transposed_out = false;   // B behind its Transpose is an output
  bool transposed_read = false;  // or read by another node
  bool biased = false;
};

Comparison compare_form(const Form& f) {
  return compare(
      [&](GraphBuilder& g) {
        Value a = g.input("a", DBK_F32, daybreak::Shape(f.a)), b = g.input("b", DBK_F32, daybreak::Shape(f.b));
        if (!f.order_a.empty()) a = g.node("Transpose", {a}, {{"perm", f.order_a}});
        if (!f.order_b.empty()) b = g.node("Transpose", {b}, {{"perm", f.order_b}});
        if (f.transposed_out) g.output(b, "transposed");
        if (f.transposed_read) g.output(g.node("Exp", {b}), "read");
        Value y = g.node("MatMul", {a, b});
        if (f.biased) y = g.node("Relu", {g.node("Mul", {y, g.scalar(0.25f)})});
        g.output(y, "y");
      },
      {f.a, f.b});
}

// Operands whose last axis is no longer the last.
size_t by_columns(const Form& f) {
  const auto moved = [](const Order& order) { return !order.empty() && order.back() + 1 != static_cast<int64_t>(order.size()); };
  return size_t{moved(f.order_a)} + size_t{moved(f.order_b)};
}
// As GPUs say.
bool columns_are_slow(const Comparison& result) { return result.missed().find("by columns") != std::string::npos; }

size_t permuted(const Comparison& result) { return result.count("PermutedMatMul") + result.count("FusedPermutedMatMul"); }

void test_folded() {
  const Order swap{0, 1, 3, 2}, heads{0, 2, 1, 3}, both{0, 2, 3, 1};
  const std::pair<const char*, Form> forms[] = {
      {"keys", {.a = {2, 3, 9, 16}, .b = {2, 3, 17, 16}, .order_b = swap}},
      {"columns of A", {.a = {2, 3, 16, 9}, .b = {2, 3, 16, 32}, .order_a = swap}},
      {"both", {.a = {3, 16, 9}, .b = {3, 20, 16}, .order_a = {0, 2, 1}, .order_b = {0, 2, 1}}},
      {"heads of queries and keys", {.a = {2, 9, 3, 16}, .b = {2, 17, 3, 16}, .order_a = heads, .order_b = both}},
      {"heads of values", {.a = {2, 3, 9, 20}, .b = {2, 20, 3, 32}, .order_b = heads}},
      {"steps behind", {.a = {2, 3, 9, 16}, .b = {2, 3, 17, 16}, .order_b = swap, .biased = true}},
      {"a batch that broadcasts", {.a = {2, 3, 9, 16}, .b = {1, 17, 3, 16}, .order_b = both}},
      {"one matrix for all", {.a = {2, 3, 9, 16}, .b = {20, 16}, .order_b = {1, 0}}},
      {"an order of batches", {.a = {3, 2, 9, 16}, .b = {2, 3, 16, 8}, .order_a = {1, 0, 2, 3}}},
  };
  for (const auto& [name, form] : forms) {
    const Comparison result = compare_form(form);
    const size_t left = columns_are_slow(result) ? result.count("Transpose") : 0;  // only where columns would be read
    require(left <= by_columns(form) && result.count("Transpose") == left, "{}: {} transposes; missed: {}", name, result.count("Transpose"), result.missed());
    require(permuted(result) == 1 || left > 0, "{}: {} products; missed: {}", name, permuted(result), result.missed());
  }
}

// Every order of four axes, for A and for B, with extents that may be taken for one another.
void test_every_order() {
  for (const Dims& extents : {Dims{4, 3, 2, 3}, Dims{2, 2, 2, 2}}) {
    Order order{0, 1, 2, 3};
    do {
      Dims stored = extents, others = extents;
      for (size_t i = 0; i < 4; ++i) stored[static_cast<size_t>(order[i])] = extents[i];  // what becomes `extents`
      others[2] = extents[3], others[3] = 8;
      compare_form({.a = stored, .b = others, .order_a = order});
      others[2] = 5, others[3] = extents[2];
      compare_form({.a = others, .b = stored, .order_b = order});
    } while (std::ranges::next_permutation(order).found);
  }
}

void test_not_folded() {
  const Form keys{.a = {2, 3, 9, 16}, .b = {2, 3, 17, 16}, .order_b = {0, 1, 3, 2}};
  for (const bool out : {false, true}) {
    Form form = keys;
    (out ? form.transposed_out : form.transposed_read) = true;
    const Comparison result = compare_form(form);
    require_equal(permuted(result), size_t{0}, "somebody else reads what is transposed");
    require(result.missed().find("for others, too") != std::string::npos, "missed: {}", result.missed());
  }
  require_equal(permuted(compare_form({.a = {2, 9, 16, 3}, .b = {2, 3, 16, 8}, .order_a = {0, 3, 1, 2}})), size_t{0}, "neighbours become batches");
}

// One value on both sides, transposed on each.
void test_both_sides() {
  const Comparison result = compare(
      [](GraphBuilder& g) {
        const Value t = g.node("Transpose", {g.input("x", DBK_F32, {2, 12, 12})}, {{"perm", {0, 2, 1}}});
        g.output(g.node("MatMul", {t, t}), "y");
      },
      {{2, 12, 12}});
  if (columns_are_slow(result)) return;
  require_equal(permuted(result), size_t{1}, "products");
  require_equal(result.count("Transpose"), size_t{0}, "transposes");
}

void test_open_extents() {
  for (const auto& [batch, length] : {std::pair<int64_t, int64_t>{2, 13}, {1, 1}, {3, 64}, {2, 0}}) {
    const Comparison result = compare(
        [](GraphBuilder& g) {
          const auto b = g.symbol("batch"), s = g.symbol("length", 0, 64);
          const Value q = g.node("Transpose", {g.input("q", DBK_F32, {b, s, 4, 8})}, {{"perm", {0, 2, 1, 3}}});
          const Value k = g.node("Transpose", {g.input("k", DBK_F32, {b, s, 4, 8})}, {{"perm", {0, 2, 3, 1}}});
          g.output(g.node("MatMul", {q, k}), "y");
        },
        {{batch, length, 4, 8}, {batch, length, 4, 8}});
    require_equal(permuted(result), size_t{1}, "products");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_folded), GRAPH_TEST(test_every_order), GRAPH_TEST(test_not_folded), GRAPH_TEST(test_both_sides), GRAPH_TEST(test_open_extents)});
}

// Einsum becomes products of matrices where its indices are batch, rows, columns and inner ones, with extents that a run decides, too; what
// is none of that stays Einsum. Elements that GPU kernels lack are computed in wider ones.
#include <sys/resource.h>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;

// Two operands, whose extents may be symbols.
Build product(const char* equation, std::vector<Dims> dims) {
  return [=](GraphBuilder& g) {
    std::vector<Value> operands;
    for (size_t i = 0; i < dims.size(); ++i) operands.push_back(g.input<float>(i == 0 ? "a" : "b", dims[i]));
    g.output(g.nodes(daybreak::Op("Einsum"), operands, std::vector<daybreak::Attr>{{"equation", equation}}, {true})[0], "y");
  };
}

// Products, also those that have taken in the order of their operands' axes.
void require_products(const Comparison& result, size_t count, const char* what) {
  require(result.count("MatMul") + result.count("PermutedMatMul") == count, "{}: {} and {} products, not {}; missed: {}", what,
          result.count("MatMul"), result.count("PermutedMatMul"), count, result.missed());
}

void require_lowered(const char* equation, const std::vector<Dims>& dims, size_t products) {
  const Comparison result = compare(product(equation, dims), dims);
  require_products(result, products, equation);
  require_fused(result, "Einsum", 0, equation);
}

void test_products() {
  require_lowered("ij,jk->ik", {{3, 5}, {5, 4}}, 1);
  require_lowered("bqhd,bkhd->bhqk", {{2, 5, 3, 8}, {2, 7, 3, 8}}, 1);
  require_lowered("bqd,dhe->bqhe", {{2, 5, 8}, {8, 3, 4}}, 1);
  require_lowered("abij,abkij->bka", {{2, 3, 4, 5}, {2, 3, 7, 4, 5}}, 1);
  require_lowered("i,i->", {{5}, {5}}, 1);
  require_lowered("ij,ij->", {{3, 5}, {3, 5}}, 1);
  require_lowered("i,j->ij", {{3}, {5}}, 1);
  require_lowered("ij->", {{3, 5}}, 0);
  require_lowered("ijk->ki", {{2, 3, 4}}, 0);
  require_lowered("ij->ij", {{2, 3}}, 0);
}

void test_diagonals() {
  require_lowered("ii->i", {{5, 5}}, 0);
  require_lowered("ii", {{5, 5}}, 0);
  require_lowered("bii->ib", {{3, 4, 4}}, 0);
  require_lowered("iji->ji", {{4, 3, 4}}, 0);
  require_lowered("iiji->j", {{3, 3, 5, 3}}, 0);
  require_lowered("iijj->ij", {{3, 3, 2, 2}}, 0);
  require_lowered("bii,bij->bj", {{2, 4, 4}, {2, 4, 3}}, 1);
  require_lowered("ij,jkk->ik", {{3, 4}, {4, 5, 5}}, 1);
}

// A declaration of a few bytes is no reason for memory: not even where nothing will ever hold its elements.
void test_long_diagonals_take_no_memory() {
  const auto peak = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;  // KiB
  };
  const auto planned = [&](const char* equation, const Dims& dims) {
    GraphBuilder g;
    product(equation, {dims})(g);
    context().compile(g, {.device = device().index, .mode = DBK_COMPILE_PLAN_ONLY});
  };
  planned("ii->i", {5, 5});  // what is loaded only once is there
  const long before = peak();
  planned("ii->i", {1 << 27, 1 << 27});
  planned("bii->bi", {0, int64_t{1} << 40, int64_t{1} << 40});
  require(peak() - before < 128 << 10, "planning a diagonal took {} KiB", peak() - before);
}

void test_what_stays() {
  const auto stays = [](const char* equation, const std::vector<Dims>& dims) {
    require_fused(compare(product(equation, dims), dims), "Einsum", 1, equation);
  };
  stays("...ij,...jk->...ik", {{2, 1, 3, 5}, {4, 5, 2}});
  stays("ij,jk->ik", {{3, 1}, {5, 4}});
}

// Extents that only a run knows need no axis to be split or joined here.
void test_extents_of_a_run() {
  const auto build = [](GraphBuilder& g) {
    const auto batch = g.symbol("batch", 0, 4), queries = g.symbol("queries", 0, 9), keys = g.symbol("keys", 1, 9);
    const Value q = g.input<float>("q", {batch, queries, 3, 8}), k = g.input<float>("k", {batch, keys, 3, 8});
    const Value scores = g.node("Einsum", {q, k}, {{"equation", "bqhd,bkhd->bhqk"}});
    const Value weights = g.input<float>("w", {3, 8, 2, 5});
    g.output(scores, "scores");
    g.output(g.node("Einsum", {q, weights}, {{"equation", "bqhd,hdxy->bqxy"}}), "mixed");
  };
  for (const auto& [batch, queries, keys] : {std::array<int64_t, 3>{2, 5, 7}, {1, 9, 1}, {0, 3, 2}, {3, 0, 4}}) {
    const Comparison result = compare(build, {{batch, queries, 3, 8}, {batch, keys, 3, 8}, {3, 8, 2, 5}});
    require_products(result, 2, "extents of a run");
    require_fused(result, "Einsum", 0, "extents of a run");
  }
}

// Two joined axes of which one has any extent cannot be one: it stays what it is.
void test_unknown_axes_are_not_joined() {
  const auto build = [](GraphBuilder& g) {
    const auto n = g.symbol("n", 0, 9);
    const Value a = g.input<float>("a", {2, n, 3, 4}), b = g.input<float>("b", {2, 4, 5});
    g.output(g.node("Einsum", {a, b}, {{"equation", "bnij,bjk->bnik"}}), "y");
  };
  const Comparison result = compare(build, {{2, 7, 3, 4}, {2, 4, 5}});
  require_fused(result, "Einsum", 1, "joined axes");
  const auto diagonal = [](GraphBuilder& g) {
    const auto n = g.symbol("n", 0, 9);
    g.output(g.node("Einsum", {g.input<float>("a", {n, n})}, {{"equation", "ii->i"}}), "y");
  };
  require_fused(compare(diagonal, {{5, 5}}), "Einsum", 1, "a diagonal of any length");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "einsum_test.cpp",
                   {GRAPH_TEST(test_products), GRAPH_TEST(test_diagonals), GRAPH_TEST(test_long_diagonals_take_no_memory),
                    GRAPH_TEST(test_what_stays), GRAPH_TEST(test_extents_of_a_run),
                    GRAPH_TEST(test_unknown_axes_are_not_joined)});
}

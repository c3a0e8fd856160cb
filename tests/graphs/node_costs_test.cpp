// What report cost says of nodes. Attention: the same arithmetic for the same layer, however its operands lie, and memory that is read once.
// What picks elements reads no others.
#include "tests/graphs/graph_test.h"

namespace graphs {

using daybreak::Op;
using nlohmann::json;

constexpr int64_t kBatch = 2, kRows = 11, kHeads = 4, kShared = 2, kSize = 8, kWidth = kHeads * kSize;

struct Cost {
  double flops, bytes;
};

// Of queries, keys and values of so many elements, and as many of the result as of the queries.
Cost cost_of(int64_t queries, int64_t keys, int64_t elements) {
  return {4.0 * kBatch * kHeads * kSize * static_cast<double>(queries * keys), 4.0 * static_cast<double>(elements + kBatch * queries * kWidth)};
}
const Cost kLayer = cost_of(kRows, kRows, kBatch * kRows * 3 * kWidth);

// The one node of attention, or of another op.
void require_cost(GraphBuilder& g, const Cost& expected, const char* what, const daybreak::Options& options = {}, std::string_view op = "Attention") {
  size_t count = 0;
  const json nodes = report(compile(g, options), "cost").at("nodes");
  for (const json& node : nodes) {
    if (!node.at("op").get<std::string>().ends_with(op)) continue;
    require_equal(node.at("flops").get<double>(), expected.flops, std::format("{}: flops", what).c_str());
    require_equal(node.at("bytes").get<double>(), expected.bytes, std::format("{}: bytes", what).c_str());
    ++count;
  }
  require(count == 1, "{}: {}", what, nodes.dump());
}

const Op kOnnx = Op("Attention").in("", 23);
const Op kMultiHead = Op("MultiHeadAttention").in("com.microsoft"), kGroupQuery = Op("GroupQueryAttention").in("com.microsoft");

void give(GraphBuilder& g, const Op& op, const std::vector<Value>& inputs, const std::vector<daybreak::Attr>& attrs) {
  g.output(g.nodes(op, inputs, attrs, {true})[0], "y");
}

// Columns of one product, a part of which each operand is, cost what products of their own do.
void test_each_form_of_a_layer() {
  for (const char* form : {"plain", "packed", "split"}) {
    GraphBuilder g(23);
    const auto x = g.input<float>("x", Dims{kBatch, kRows, kWidth});
    std::vector<Value> operands;
    for (const char* name : {"q", "k", "v"}) operands.push_back(g.node("MatMul", {x, g.param<float>(name, Dims{kWidth, kWidth})}));
    give(g, kOnnx, operands, {{"q_num_heads", kHeads}, {"kv_num_heads", kHeads}});
    require_cost(g, kLayer, form, daybreak::Options().set("qkv", form));
  }
}

void test_packed_operands() {
  GraphBuilder five(23);
  give(five, kMultiHead, {five.input<float>("qkv", Dims{kBatch, kRows, kHeads, 3, kSize})}, {{"num_heads", kHeads}});
  require_cost(five, kLayer, "queries, keys and values side by side in each head");
  GraphBuilder two(23);
  const auto q = two.input<float>("q", Dims{kBatch, 3, kWidth});
  give(two, kMultiHead, {q, two.input<float>("kv", Dims{kBatch, kRows, kHeads, 2, kSize})}, {{"num_heads", kHeads}});
  require_cost(two, cost_of(3, kRows, kBatch * (3 + 2 * kRows) * kWidth), "keys and values side by side in each head");
  GraphBuilder columns(23);
  const std::vector<Value> product{columns.input<float>("x", Dims{kBatch, kRows, 5}), columns.param<float>("w", Dims{5, 3 * kWidth}),
                                   columns.param<float>("b", Dims{3 * kWidth})};
  give(columns, Op("Attention").in("com.microsoft"), product, {{"num_heads", kHeads}});
  require_cost(columns, kLayer, "columns of one product");
}

void test_one_value_in_all_roles() {
  GraphBuilder g(23);
  const auto x = g.input<float>("x", Dims{kBatch, kRows, kWidth});
  give(g, kOnnx, {x, x, x}, {{"q_num_heads", kHeads}, {"kv_num_heads", kHeads}});
  require_cost(g, cost_of(kRows, kRows, kBatch * kRows * kWidth), "queries, keys and values are one");
}

// Values wider than keys, and heads first.
void test_sizes_of_heads() {
  GraphBuilder g(23);
  const auto by_heads = [&](const char* name, int64_t rows, int64_t size) { return g.input<float>(name, Dims{kBatch, kHeads, rows, size}); };
  give(g, kOnnx, {by_heads("q", 5, kSize), by_heads("k", kRows, kSize), by_heads("v", kRows, 3 * kSize)}, {});
  const double flops = 2.0 * kBatch * kHeads * 5 * kRows * (kSize + 3 * kSize), elements = kBatch * kWidth * (5 + kRows + 3 * kRows + 3 * 5);
  require_cost(g, {flops, 4 * elements}, "values wider than keys");
}

Value number(GraphBuilder& g, int64_t value) { return g.constant<int32_t>({static_cast<int32_t>(value)}); }
Value of_each_batch(GraphBuilder& g, int64_t value) { return g.constant<int32_t>({static_cast<int32_t>(value), static_cast<int32_t>(value)}); }

void test_grouped_heads() {
  const std::vector<daybreak::Attr> attrs{{"num_heads", kHeads}, {"kv_num_heads", kShared}};
  Cost expected = cost_of(kRows, kRows, kBatch * kRows * (kHeads + 2 * kShared) * kSize);
  expected.bytes += 4 * kBatch;  // how many keys count
  for (const bool packed : {true, false}) {
    GraphBuilder g(23);
    const auto heads = [&](const char* name, int64_t count) { return g.input<float>(name, Dims{kBatch, kRows, count * kSize}); };
    std::vector<Value> inputs{heads("q", packed ? kHeads + 2 * kShared : kHeads), daybreak::absent, daybreak::absent};
    if (!packed) inputs[1] = heads("k", kShared), inputs[2] = heads("v", kShared);
    inputs.insert(inputs.end(), {daybreak::absent, daybreak::absent, of_each_batch(g, kRows - 1), number(g, kRows)});
    give(g, kGroupQuery, inputs, attrs);
    require_cost(g, expected, packed ? "packed" : "apart");
  }
}

// Caches of a fixed length: rows behind the keys so far are met by nobody.
void test_keys_that_count_of_caches() {
  constexpr int64_t kCached = 64, kTotal = 6;
  GraphBuilder g(23);
  const auto cache = [&](const char* name) { return g.input<float>(name, Dims{kBatch, kShared, kCached, kSize}); };
  const auto q = g.input<float>("q", Dims{kBatch, 1, (kHeads + 2 * kShared) * kSize});
  give(g, kGroupQuery, {q, daybreak::absent, daybreak::absent, cache("pk"), cache("pv"), of_each_batch(g, kTotal - 1), number(g, kTotal)},
       {{"num_heads", kHeads}, {"kv_num_heads", kShared}});
  Cost expected = cost_of(1, kTotal, kBatch * kSize * (kHeads + 2 * kShared + 2 * kShared * kCached));
  expected.bytes += 4 * kBatch;
  require_cost(g, expected, "a cache that is not full");
}

// A step of a decoder meets the keys of its cache, too.
void test_cached_keys() {
  constexpr int64_t kPast = 6;
  GraphBuilder g(23);
  const auto keys = [&](const char* name, int64_t count) { return g.input<float>(name, Dims{kBatch, kHeads, count, kSize}); };
  const auto [y, k, v] = g.node<3>(kOnnx, {keys("q", 1), keys("k", 1), keys("v", 1), daybreak::absent, keys("pk", kPast), keys("pv", kPast)});
  g.output(y, "y"), g.output(k, "present_k"), g.output(v, "present_v");
  require_cost(g, cost_of(1, kPast + 1, kBatch * kWidth * (3 + 2 * kPast + 2 * (kPast + 1))), "a cache that is handed on");
}

// A product computes in the type of its operands, whatever it stores.
void test_casts_of_products() {
  for (const auto& [dtype, to, name] : {std::tuple{DBK_F32, 10, "f32"}, {DBK_F16, 1, "f16"}}) {
    GraphBuilder g(23);
    const Value product = g.node("MatMul", {g.input("a", dtype, {5, 16}), g.input("b", dtype, {16, 7})});
    g.output(g.node("Cast", {product}, {{"to", to}}), "y");
    const json nodes = report(compile(g), "cost").at("nodes");
    require_equal(nodes.size(), size_t{1}, "steps");
    require_equal(nodes[0].at("arithmetic").get<std::string>(), std::string(name), "arithmetic");
    require_equal(nodes[0].at("flops").get<double>(), 2.0 * 5 * 16 * 7, "flops");
    const double operands = 5 * 16 + 16 * 7, results = 5 * 7;
    require_equal(nodes[0].at("bytes").get<double>(), dtype == DBK_F32 ? 4 * operands + 2 * results : 2 * operands + 4 * results, "bytes");
  }
}

void test_rows_of_a_table() {
  GraphBuilder g;
  g.output(g.node("Gather", {g.param<float>("table", {1000, 8}), g.input<int64_t>("i", {3})}), "y");
  require_cost(g, {3 * 8, 4.0 * 3 * 8 * 2 + 8.0 * 3}, "rows of a table, read and written, and their numbers", {}, "Gather");
}

}  // namespace graphs

int main(int argc, char** argv) {
  using namespace graphs;
  return run_tests(argc, argv, __FILE__,
                   {GRAPH_TEST(test_each_form_of_a_layer), GRAPH_TEST(test_packed_operands), GRAPH_TEST(test_one_value_in_all_roles), GRAPH_TEST(test_sizes_of_heads),
                    GRAPH_TEST(test_grouped_heads), GRAPH_TEST(test_keys_that_count_of_caches), GRAPH_TEST(test_cached_keys), GRAPH_TEST(test_casts_of_products), GRAPH_TEST(test_rows_of_a_table)});
}

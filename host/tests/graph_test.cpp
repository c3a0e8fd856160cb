// GraphBuilder: what is written in C++ arrives in the tables of dbk_graph. The tables are read back here by hand, as a
// plugin would, so that builder and plugin can be judged apart.
#include <string>
#include <vector>

#include "daybreak_graph.hpp"
#include "expect_error.h"

using namespace daybreak;

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

template <class T>
const T& row(const dbk_pool& pool, uint32_t index) {
  TEST_ASSERT_LESS_THAN_UINT32(pool.count, index);
  TEST_ASSERT_EQUAL_UINT32(sizeof(T), pool.stride);
  return static_cast<const T*>(pool.ptr)[index];
}

std::string text(const dbk_graph& graph, dbk_slice range) {
  return std::string(static_cast<const char*>(graph.text.ptr) + range.off, range.len);
}

std::vector<int64_t> ints(const dbk_graph& graph, dbk_slice range) {
  const auto* first = static_cast<const int64_t*>(graph.ints.ptr) + range.off;
  return {first, first + range.len};
}

std::vector<uint32_t> refs(const dbk_graph& graph, dbk_slice range) {
  const auto* first = static_cast<const uint32_t*>(graph.refs.ptr) + range.off;
  return {first, first + range.len};
}

void test_values() {
  GraphBuilder g;
  const Symbol n = g.symbol("N", 1, 64, 8);
  const Value x = g.input<float>("x", {n, 3, unknown_dim});
  const Value any = g.input("any", DBK_F16, unknown_rank);
  const Value w = g.param<half>("w", {3, 2});
  const std::vector<float> bias{1, 2};
  const Value b = g.param("b", std::span<const float>(bias), {2}, DBK_UNTIL_DESTROY);
  const Value c = g.constant<int64_t>({4, -1});
  const Value empty = g.constant<float>({});
  const dbk_graph& graph = *g.graph();
  TEST_ASSERT_TRUE(
      (ints(graph, row<dbk_value>(graph.values, x.id).dims) == std::vector<int64_t>{-1, 3, DBK_DIM_UNKNOWN}));
  TEST_ASSERT_EQUAL_UINT32(DBK_VALUE_UNKNOWN_RANK, row<dbk_value>(graph.values, any.id).flags);
  TEST_ASSERT_EQUAL_UINT32(DBK_F16, row<dbk_value>(graph.values, w.id).dtype);
  TEST_ASSERT_EQUAL_UINT32(DBK_ORIGIN_PARAM, row<dbk_value>(graph.values, w.id).origin);
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, row<dbk_value>(graph.values, w.id).blob);
  const dbk_blob& borrowed = row<dbk_blob>(graph.blobs, row<dbk_value>(graph.values, b.id).blob);
  TEST_ASSERT_EQUAL_PTR(bias.data(), borrowed.ptr);
  TEST_ASSERT_EQUAL_UINT32(DBK_UNTIL_DESTROY, borrowed.ownership);
  const dbk_blob& copied = row<dbk_blob>(graph.blobs, row<dbk_value>(graph.values, c.id).blob);
  TEST_ASSERT_EQUAL_INT64(-1, static_cast<const int64_t*>(copied.ptr)[1]);
  TEST_ASSERT_EQUAL_UINT64(16, row<dbk_value>(graph.values, c.id).blob_len);
  TEST_ASSERT_NOT_NULL(row<dbk_blob>(graph.blobs, row<dbk_value>(graph.values, empty.id).blob).ptr);
  TEST_ASSERT_EQUAL_STRING("N", text(graph, row<dbk_symbol>(graph.symbols, n.index).name).c_str());
  TEST_ASSERT_EQUAL_INT64(8, row<dbk_symbol>(graph.symbols, n.index).multiple_of);
  expect_error(DBK_INVALID_ARGUMENT, [&] { g.param("short", std::span<const float>(bias), {3}); });
}

void test_nodes_and_attributes() {
  GraphBuilder g(20);
  g.opset("com.microsoft", 1);
  const Value x = g.input<float>("x", {4, 4});
  const Value c = g.scalar(2.0f);
  const auto [values, indices] = g.node<2>(Op("TopK").named("top"), {x, c, absent}, {{"axis", -1}, {"largest", true}});
  const Value y = g.node(Op("Thing").in("com.microsoft"), {values},
                         {{"alpha", 0.5},
                          {"mode", "tanh"},
                          {"perm", {1, 0}},
                          {"scales", {0.5, 2.0}},
                          {"names", {"a", "bc"}},
                          {"value", c},
                          {"values", {c, c}},
                          {"type", g.type(DBK_I64, {3})}});
  g.output(y, "y");
  const std::vector<Value> unwanted = g.nodes("Dropout", std::vector<Value>{x}, {}, {true, false});
  TEST_ASSERT_FALSE(static_cast<bool>(unwanted[1]));
  const dbk_graph& graph = *g.graph();
  const auto& top = row<dbk_node>(graph.nodes, 0);
  TEST_ASSERT_EQUAL_STRING("TopK", text(graph, top.op).c_str());
  TEST_ASSERT_EQUAL_STRING("top", text(graph, top.name).c_str());
  TEST_ASSERT_EQUAL_UINT32(20, top.op_version);
  TEST_ASSERT_TRUE((refs(graph, top.inputs) == std::vector<uint32_t>{x.id, c.id, DBK_NONE}));
  TEST_ASSERT_TRUE((refs(graph, top.outputs) == std::vector<uint32_t>{values.id, indices.id}));
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, refs(graph, row<dbk_node>(graph.nodes, 2).outputs)[1]);
  const auto& thing = row<dbk_node>(graph.nodes, 1);
  TEST_ASSERT_EQUAL_UINT32(1, thing.op_version);
  const uint32_t types[] = {DBK_ATTR_FLOAT,   DBK_ATTR_STRING, DBK_ATTR_INTS,    DBK_ATTR_FLOATS,
                            DBK_ATTR_STRINGS, DBK_ATTR_TENSOR, DBK_ATTR_TENSORS, DBK_ATTR_TYPE};
  TEST_ASSERT_EQUAL_UINT32(8, thing.attrs.len);
  for (uint32_t i = 0; i < 8; ++i) {
    TEST_ASSERT_EQUAL_UINT32(types[i], row<dbk_attr>(graph.attrs, thing.attrs.off + i).type);
  }
  TEST_ASSERT_EQUAL_DOUBLE(0.5, row<dbk_attr>(graph.attrs, thing.attrs.off).v.f);
  TEST_ASSERT_TRUE((ints(graph, row<dbk_attr>(graph.attrs, thing.attrs.off + 2).data) == std::vector<int64_t>{1, 0}));
  const dbk_slice names = row<dbk_attr>(graph.attrs, thing.attrs.off + 4).data;
  TEST_ASSERT_EQUAL_STRING("bc", text(graph, row<dbk_slice>(graph.slices, names.off + 1)).c_str());
}

void test_bodies_capture_outer_values() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2});
  const Value flag = g.input<bool>("flag", {});
  const Block yes = g.body("yes", [&] { g.output(g.node("Neg", {x})); });
  const Block no = g.body("no", [&] {
    const Value inner = g.input<float>("inner", {2});
    g.output(g.node("Add", {x, inner}));
  });
  try {
    g.body("broken", [] { throw 1; });
  } catch (int) {  // the main graph is current again
  }
  g.output(g.node("If", {flag}, {{"then_branch", yes}, {"else_branch", no}}), "y");
  const dbk_graph& graph = *g.graph();
  TEST_ASSERT_EQUAL_UINT32(4, graph.blocks.count);
  const auto& main = row<dbk_block>(graph.blocks, 0);
  TEST_ASSERT_EQUAL_UINT32(1, main.nodes.len);
  TEST_ASSERT_EQUAL_STRING("If", text(graph, row<dbk_node>(graph.nodes, main.nodes.off).op).c_str());
  TEST_ASSERT_TRUE((refs(graph, main.inputs) == std::vector<uint32_t>{x.id, flag.id}));
  const auto& other = row<dbk_block>(graph.blocks, no.index);
  TEST_ASSERT_EQUAL_UINT32(1, other.inputs.len);
  TEST_ASSERT_EQUAL_UINT32(x.id, refs(graph, row<dbk_node>(graph.nodes, other.nodes.off).inputs)[0]);
}

void test_outputs_are_named_once() {
  GraphBuilder g;
  const Value x = g.input<float>("x", {2});
  const Value y = g.node("Neg", {x});
  g.name(y, "y");
  TEST_ASSERT_TRUE(g.name_of(y) == "y");
  g.output(y, "y");
  expect_error(DBK_INVALID_ARGUMENT, [&] { g.output(y, "z"); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { g.output(x, "z"); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { g.output(absent, "z"); });
  g.alias(y, x);
  TEST_ASSERT_EQUAL_UINT32(x.id, row<dbk_value>(g.graph()->values, y.id).alias);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_values);
  RUN_TEST(test_nodes_and_attributes);
  RUN_TEST(test_bodies_capture_outer_values);
  RUN_TEST(test_outputs_are_named_once);
  return UNITY_END();
}

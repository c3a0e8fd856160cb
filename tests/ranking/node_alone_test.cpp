// What kernels are measured on: copies of a node that read weights of their own, as long as those fit into what measuring may take.
#include "plugin/graph/node_alone.h"

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

// y = x W, and `copies` of it alone.
dbk::Graph copies_of_product(int64_t inner, int64_t columns, uint32_t copies) {
  dbk::Graph graph;
  graph.values.resize(3);
  graph.values[1].origin = DBK_ORIGIN_PARAM;
  dbk::Types types;
  types.types = {{DBK_F32, dbk::Shape({1, inner})}, {DBK_F32, dbk::Shape({inner, columns})}, {DBK_F32, dbk::Shape({1, columns})}};
  dbk::Node node;
  node.inputs = {0, 1}, node.outputs = {2};
  return node_alone(graph, node, types, copies);
}

void check(const dbk::Graph& graph, uint32_t copies, uint32_t weights) {
  TEST_ASSERT_EQUAL_UINT32(1, graph.main().inputs.size());
  TEST_ASSERT_EQUAL_UINT32(copies, graph.main().outputs.size());
  TEST_ASSERT_EQUAL_UINT32(weights, graph.params.size());
  for (uint32_t copy = 0; copy < copies; ++copy) {
    TEST_ASSERT_EQUAL_UINT32(graph.main().inputs[0], graph.main().nodes[copy].inputs[0]);
    TEST_ASSERT_EQUAL_UINT32(graph.params[copy % weights], graph.main().nodes[copy].inputs[1]);
  }
}

void test_small_weights() { check(copies_of_product(16, 16, 16), 16, 16); }
void test_weights_take_turns() { check(copies_of_product(1024, 1024, 16), 16, 4); }  // 4 MiB each
void test_a_large_weight_is_shared() { check(copies_of_product(8192, 4096, 3), 3, 1); }

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_small_weights);
  RUN_TEST(test_weights_take_turns);
  RUN_TEST(test_a_large_weight_is_shared);
  return UNITY_END();
}

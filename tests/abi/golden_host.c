/* Test 1: a host built from a frozen header works with today's plugin. One program per frozen version, built from these
 * same sources; it runs a small suite of graphs on the CPU device and compares with numbers known here.
 * The suite touches each table of a graph and each way to give extents and data. */
#include <math.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;

void setUp(void) { ctx = ctx_new(); }
void tearDown(void) { api->ctx_destroy(ctx); }

static dbk_exec* compiled(const graph* g) {
  dbk_exec* exec = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g->tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  return exec;
}

static void bind(dbk_run* run, uint32_t index, uint32_t dtype, uint32_t rank, const int64_t* dims, void* data,
                 uint64_t bytes) {
  dbk_tensor tensor = tensor_of(dtype, rank, dims, data, bytes, DBK_COPY);
  OK(api->run_bind(run, DBK_INPUT, index, &tensor, ERR));
}

static void expect_floats(dbk_run* run, const float* expected, size_t count) {
  float got[16] = {0};
  dbk_copy copy = {.byte_len = count * sizeof(float), .dst = got};
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  for (size_t i = 0; i < count; i++) TEST_ASSERT_FLOAT_WITHIN(1e-6f, expected[i], got[i]);
}

static void perceptron_with_blobs(void) {
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static void perceptron_with_set_param_and_names(void) {
  dbk_exec* exec = mlp_compile(ctx, MLP_NO_DATA);
  dbk_str weight = str_of("weight"), bias = str_of("bias");
  dbk_tensor w = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY);
  dbk_tensor b = tensor_of(DBK_F32, 1, mlp_b_dims, mlp_b, sizeof mlp_b, DBK_COPY);
  uint32_t index = 77;
  OK(api->exec_find(exec, DBK_PARAM, &weight, &index, ERR));
  OK(api->set_param(exec, index, &w, ERR));
  OK(api->exec_find(exec, DBK_PARAM, &bias, &index, ERR));
  OK(api->set_param(exec, index, &b, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

/* softmax over rows of a reshaped input: an attribute, a constant that steers a shape. */
static void reshape_and_softmax(void) {
  static const int64_t shape[2] = {2, 2};
  float x[4] = {0, 0, 1, 3}, e = (float)(1 / (1 + exp(2.0))), expected[4] = {0.5f, 0.5f, e, 1 - e};
  graph g;
  uint32_t in, constant, square, out;
  graph_init(&g);
  in = graph_value(&g, "x", DBK_F32, DIMS(4));
  constant = graph_data(&g, "shape", DBK_ORIGIN_CONST, DBK_I64, DIMS(2), shape, sizeof shape, DBK_COPY);
  square = graph_value(&g, "square", DBK_DTYPE_NONE, 0, NULL);
  out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Reshape", IDS(in, constant), IDS(square));
  graph_node(&g, "Softmax", IDS(square), IDS(out));
  graph_attr(&g, "axis", DBK_ATTR_INT, -1);
  graph_inputs(&g, 0, IDS(in));
  graph_outputs(&g, 0, IDS(out));
  dbk_exec* exec = compiled(&g);
  dbk_run* run = NULL;
  OK(api->run_create(exec, NULL, &run, ERR));
  bind(run, 0, DBK_F32, DIMS(4), x, sizeof x);
  expect_floats(run, expected, 4);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

/* Rows of a table by number; an index that does not exist is the run's failure, not a fault. */
static void gather_and_its_range(void) {
  static const float table[6] = {1, 2, 3, 4, 5, 6};
  const float expected[4] = {5, 6, 1, 2};
  int64_t good[2] = {2, 0}, bad[2] = {0, 3};
  graph g;
  uint32_t rows, which, out;
  graph_init(&g);
  rows = graph_data(&g, "table", DBK_ORIGIN_PARAM, DBK_F32, DIMS(3, 2), table, sizeof table, DBK_COPY);
  which = graph_value(&g, "which", DBK_I64, DIMS(2));
  out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Gather", IDS(rows, which), IDS(out));
  graph_inputs(&g, 0, IDS(which));
  graph_outputs(&g, 0, IDS(out));
  dbk_exec* exec = compiled(&g);
  dbk_run* run = NULL;
  OK(api->run_create(exec, NULL, &run, ERR));
  bind(run, 0, DBK_I64, DIMS(2), good, sizeof good);
  expect_floats(run, expected, 4);
  bind(run, 0, DBK_I64, DIMS(2), bad, sizeof bad);
  FAILS(DBK_OUT_OF_RANGE, "Gather", api->run(run, NULL, NULL, ERR));
  api->run_destroy(run);
  api->exec_destroy(exec);
}

/* A symbolic extent: two lengths with one executable, and the shape known before the run. */
static void relu_of_any_length(void) {
  float x[6] = {-1, 2, -3, 4, -5, 6};
  const float expected[6] = {0, 2, 0, 4, 0, 6};
  graph g;
  int64_t dims[4];
  uint32_t in, out, symbol, rank, exact;
  graph_init(&g);
  symbol = graph_symbol(&g, "length", 1, 8);
  in = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(symbol)));
  out = graph_value(&g, "y", DBK_F32, DIMS(DBK_DIM_SYMBOL(symbol)));
  graph_node(&g, "Relu", IDS(in), IDS(out));
  graph_inputs(&g, 0, IDS(in));
  graph_outputs(&g, 0, IDS(out));
  dbk_exec* exec = compiled(&g);
  dbk_run* run = NULL;
  OK(api->run_create(exec, NULL, &run, ERR));
  for (int64_t length = 2; length <= 6; length += 4) {
    bind(run, 0, DBK_F32, 1, &length, x, (uint64_t)length * sizeof(float));
    OK(api->run_shape(run, DBK_OUTPUT, 0, dims, 4, &rank, &exact, ERR));
    TEST_ASSERT_EQUAL_UINT32(1, rank);
    TEST_ASSERT_EQUAL_UINT32(1, exact);
    TEST_ASSERT_EQUAL_INT64(length, dims[0]);
    expect_floats(run, expected, (size_t)length);
  }
  api->run_destroy(run);
  api->exec_destroy(exec);
}

/* Bodies: y = positive ? x + x : x * x, with x an outer value of both. */
static void branches(void) {
  graph g;
  uint32_t x, positive, y, doubled, squared;
  graph_init(&g);
  x = graph_value(&g, "x", DBK_F32, 0, NULL);
  positive = graph_value(&g, "positive", DBK_BOOL, 0, NULL);
  y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  doubled = graph_value(&g, "doubled", DBK_DTYPE_NONE, 0, NULL);
  squared = graph_value(&g, "squared", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "If", IDS(positive), IDS(y));
  graph_attr(&g, "then_branch", DBK_ATTR_BLOCK, 1);
  graph_attr(&g, "else_branch", DBK_ATTR_BLOCK, 2);
  graph_inputs(&g, 0, IDS(x, positive));
  graph_outputs(&g, 0, IDS(y));
  graph_outputs(&g, graph_block(&g, "then"), IDS(doubled));
  graph_node(&g, "Add", IDS(x, x), IDS(doubled));
  graph_outputs(&g, graph_block(&g, "else"), IDS(squared));
  graph_node(&g, "Mul", IDS(x, x), IDS(squared));
  dbk_exec* exec = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  if (api->compile(ctx, &desc, &exec, NULL) == DBK_UNIMPLEMENTED) TEST_IGNORE_MESSAGE("this plugin has no If");
  TEST_ASSERT_NOT_NULL(exec);
  OK(api->exec_ready(exec, NULL, ERR));
  dbk_run* run = NULL;
  OK(api->run_create(exec, NULL, &run, ERR));
  float values[2] = {5, -3}, expected[2] = {10, 9};
  for (int i = 0; i < 2; i++) {
    uint8_t is_positive = values[i] > 0;
    bind(run, 0, DBK_F32, 0, NULL, &values[i], sizeof values[i]);
    bind(run, 1, DBK_BOOL, 0, NULL, &is_positive, sizeof is_positive);
    expect_floats(run, &expected[i], 1);
  }
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static void every_slot_is_there(void) {
  void* slot;
  TEST_ASSERT_GREATER_OR_EQUAL_UINT32(sizeof(dbk_api), api->size);
  TEST_ASSERT_EQUAL_UINT32(DBK_ABI_1_0, api->abi);
  for (size_t at = offsetof(dbk_api, info); at + sizeof slot <= api->size; at += sizeof slot) {
    memcpy(&slot, (const char*)api + at, sizeof slot);
    TEST_ASSERT_NOT_NULL(slot);
  }
  TEST_ASSERT_EQUAL_STRING("daybreak", api->info->id);
  TEST_ASSERT_TRUE(api->info->version != NULL && api->info->build != NULL);
  TEST_ASSERT_TRUE(api->info->abi_min <= DBK_ABI_1_0 && DBK_ABI_1_0 <= api->info->abi_max);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(every_slot_is_there);
  RUN_TEST(perceptron_with_blobs);
  RUN_TEST(perceptron_with_set_param_and_names);
  RUN_TEST(reshape_and_softmax);
  RUN_TEST(gather_and_its_range);
  RUN_TEST(relu_of_any_length);
  RUN_TEST(branches);
  return UNITY_END();
}

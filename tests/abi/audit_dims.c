/* Test 16: symbolic extents. Values outside min, max and multiple, contradictions and unknown extents are refused and
 * named; a symbol can be let go; what is known before the run is told before the run. */
#include <string.h>

#include "harness.h"
#include "mlp.h"

enum { ROWS, COLUMNS }; /* symbols: rows in 2..8 and even, columns from 1 without an end */
static dbk_ctx* ctx;
static dbk_exec* exec;
static dbk_run* run;
static float numbers[64];

/* y = a + b with a, b [rows, columns] */
static void sum_graph(graph* g) {
  uint32_t a, b, y;
  graph_init(g);
  graph_symbol(g, "rows", 2, 8);
  g->symbols[ROWS].multiple_of = 2;
  graph_symbol(g, "columns", 1, -1);
  a = graph_value(g, "a", DBK_F32, DIMS(DBK_DIM_SYMBOL(ROWS), DBK_DIM_SYMBOL(COLUMNS)));
  b = graph_value(g, "b", DBK_F32, DIMS(DBK_DIM_SYMBOL(ROWS), DBK_DIM_SYMBOL(COLUMNS)));
  y = graph_value(g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(g, "Add", IDS(a, b), IDS(y));
  graph_inputs(g, 0, IDS(a, b));
  graph_outputs(g, 0, IDS(y));
}

void setUp(void) {
  graph g;
  ctx = ctx_new();
  sum_graph(&g);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  OK(api->run_create(exec, NULL, &run, ERR));
}

void tearDown(void) {
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

static dbk_status bind(uint32_t index, int64_t rows, int64_t columns, dbk_error** error) {
  const int64_t dims[2] = {rows, columns};
  dbk_tensor t = tensor_of(DBK_F32, 2, dims, numbers, sizeof numbers, DBK_COPY);
  return api->run_bind(run, DBK_INPUT, index, &t, error);
}

static void symbols_are_described(void) {
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  OK(api->exec_io(exec, DBK_SYMBOL, ROWS, &io, ERR));
  TEST_ASSERT_EQUAL_STRING("rows", io.name);
  TEST_ASSERT_EQUAL_INT64(2, io.dims[0]);
  TEST_ASSERT_EQUAL_INT64(8, io.dims[1]);
  TEST_ASSERT_EQUAL_INT64(2, io.dims[2]);
  OK(api->exec_io(exec, DBK_INPUT, 0, &io, ERR));
  TEST_ASSERT_EQUAL_INT64(DBK_DIM_SYMBOL(ROWS), io.dims[0]);
  TEST_ASSERT_EQUAL_INT64(DBK_DIM_SYMBOL(COLUMNS), io.dims[1]);
}

static void outside_the_range(void) {
  FAILS(DBK_OUT_OF_RANGE, "rows&10", api->run_set_dim(run, ROWS, 10, ERR));
  FAILS(DBK_OUT_OF_RANGE, "rows&0", api->run_set_dim(run, ROWS, 0, ERR));
  FAILS(DBK_OUT_OF_RANGE, "rows&3", api->run_set_dim(run, ROWS, 3, ERR)); /* odd */
  FAILS(DBK_OUT_OF_RANGE, "columns&-5", api->run_set_dim(run, COLUMNS, -5, ERR));
  FAILS(DBK_OUT_OF_RANGE, "rows&10", bind(0, 10, 1, ERR));
}

/* A fixed extent binds the tensors; an extent that a tensor brought along gives way to the next one. */
static void contradictions(void) {
  OK(api->run_set_dim(run, ROWS, 4, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "rows", bind(0, 2, 3, ERR));
  OK(bind(0, 4, 3, ERR));
  OK(bind(1, 4, 3, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->run_set_dim(run, ROWS, 6, ERR));                                   /* tensors of 4 stay bound ... */
  FAILS(DBK_FAILED_PRECONDITION, "'a'&'b'", api->run(run, NULL, NULL, ERR)); /* ... and stop the run */
  OK(bind(0, 6, 3, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "'b'", api->run(run, NULL, NULL, ERR));
  OK(bind(1, 6, 3, ERR));
  OK(api->run(run, NULL, NULL, ERR));
}

static void disagreeing_inputs(void) {
  OK(bind(0, 4, 3, ERR));
  OK(bind(1, 4, 5, ERR)); /* columns are 5 now */
  FAILS(DBK_FAILED_PRECONDITION, "'a'", api->run(run, NULL, NULL, ERR));
  OK(bind(0, 4, 5, ERR));
  OK(api->run(run, NULL, NULL, ERR));
}

static void letting_a_symbol_go(void) {
  OK(api->run_set_dim(run, ROWS, 4, ERR));
  OK(api->run_set_dim(run, ROWS, DBK_DIM_UNKNOWN, ERR));
  OK(bind(0, 2, 3, ERR));
  OK(bind(1, 2, 3, ERR));
  OK(api->run(run, NULL, NULL, ERR));
}

static void unknown_extents(void) {
  OK(api->run_set_dim(run, ROWS, 4, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "'a'&'b'&columns", api->run(run, NULL, NULL, ERR));
}

static void shapes_before_and_after(void) {
  int64_t dims[2] = {0};
  uint32_t rank = 0, exact = 7;
  OK(api->run_shape(run, DBK_OUTPUT, 0, dims, 2, &rank, &exact, ERR));
  TEST_ASSERT_EQUAL_UINT32(2, rank);
  TEST_ASSERT_EQUAL_UINT32(0, exact);
  TEST_ASSERT_TRUE(dims[0] == 8 || dims[0] == DBK_DIM_UNKNOWN); /* an upper bound or unknown */
  TEST_ASSERT_EQUAL_INT64(DBK_DIM_UNKNOWN, dims[1]);
  OK(api->run_set_dim(run, ROWS, 6, ERR));
  OK(api->run_set_dim(run, COLUMNS, 5, ERR));
  OK(api->run_shape(run, DBK_OUTPUT, 0, dims, 2, &rank, &exact, ERR));
  TEST_ASSERT_EQUAL_UINT32(1, exact);
  TEST_ASSERT_TRUE(dims[0] == 6 && dims[1] == 5);
}

/* An extent of any size is checked before anything is allocated or multiplied. */
static void absurd_extents(void) {
  dbk_status status = api->run_set_dim(run, COLUMNS, INT64_MAX, NULL);
  TEST_ASSERT_TRUE_MESSAGE(status == DBK_OK || status == DBK_OUT_OF_RANGE || status == DBK_OUT_OF_MEMORY,
                           status_name(status));
  FAILS(DBK_INVALID_ARGUMENT, "'a'|input 0", bind(0, 8, INT64_MAX, ERR));      /* the product overflows */
  FAILS(DBK_INVALID_ARGUMENT, "'a'|input 0", bind(0, 8, INT64_MAX / 32, ERR)); /* the bytes overflow */
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(symbols_are_described);
  RUN_TEST(outside_the_range);
  RUN_TEST(contradictions);
  RUN_TEST(disagreeing_inputs);
  RUN_TEST(letting_a_symbol_go);
  RUN_TEST(unknown_extents);
  RUN_TEST(shapes_before_and_after);
  RUN_TEST(absurd_extents);
  return UNITY_END();
}

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

typedef struct shape {
  uint32_t rank, exact;
  int64_t dims[4];
} shape;

static shape shape_of(dbk_run* which, uint32_t role, uint32_t index) {
  shape s = {0};
  OK(api->run_shape(which, role, index, s.dims, 4, &s.rank, &s.exact, ERR));
  return s;
}

#define UNKNOWN DBK_DIM_UNKNOWN
#define SHAPE(expected_exact, first, second, which, role, index)                                         \
  do {                                                                                                   \
    const shape s = shape_of(which, role, index);                                                        \
    TEST_ASSERT_TRUE(s.rank == 2 && s.exact == (expected_exact) && s.dims[0] == (first) && s.dims[1] == (second)); \
  } while (0)

/* What is let go is not known any more: outputs of any extents may be bound first, as in the beginning. */
static void shapes_of_what_was_let_go(void) {
  float y[64] = {0};
  dbk_tensor out = tensor_of(DBK_F32, DIMS(2, 3), y, sizeof y, DBK_UNTIL_DESTROY);
  OK(api->run_set_dim(run, ROWS, 4, ERR));
  OK(api->run_set_dim(run, COLUMNS, 5, ERR));
  SHAPE(1, 4, 5, run, DBK_INPUT, 0);
  SHAPE(1, 4, 5, run, DBK_OUTPUT, 0);
  FAILS(DBK_INVALID_ARGUMENT, "'y'", api->run_bind(run, DBK_OUTPUT, 0, &out, ERR));
  OK(api->run_set_dim(run, ROWS, UNKNOWN, ERR));
  SHAPE(0, UNKNOWN, 5, run, DBK_INPUT, 0);
  TEST_ASSERT_EQUAL_UINT32(0, shape_of(run, DBK_OUTPUT, 0).exact);
  OK(api->run_set_dim(run, COLUMNS, UNKNOWN, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, &out, ERR));
  for (int i = 0; i < 64; i++) numbers[i] = (float)i;
  OK(bind(0, 2, 3, ERR));
  OK(bind(1, 2, 3, ERR));
  SHAPE(1, 2, 3, run, DBK_OUTPUT, 0);
  OK(api->run(run, NULL, NULL, ERR));
  for (int i = 0; i < 6; i++) TEST_ASSERT_EQUAL_FLOAT(2 * numbers[i], y[i]);
}

/* A buffer that is bound while extents are unknown is where the run writes, also when they come back as they were. */
static void buffers_meanwhile(void) {
  float y[8] = {0};
  dbk_buffer* buffer = NULL;
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = device, .byte_len = sizeof y};
  dbk_tensor out = tensor_of(DBK_F32, DIMS(2, 4), NULL, sizeof y, DBK_UNTIL_DESTROY);
  const dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  out.buffer = buffer;
  for (int i = 0; i < 8; i++) numbers[i] = (float)i;
  OK(bind(0, 2, 4, ERR));
  OK(bind(1, 2, 4, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->run_set_dim(run, ROWS, UNKNOWN, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, &out, ERR));
  FAILS(DBK_FAILED_PRECONDITION, NULL, api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  OK(api->run_set_dim(run, ROWS, 2, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->buffer_read(buffer, 0, y, sizeof y, NULL, ERR));
  for (int i = 0; i < 8; i++) TEST_ASSERT_EQUAL_FLOAT(2 * numbers[i], y[i]);
  api->buffer_destroy(buffer);
}

static dbk_run* run_of(graph* own_graph, dbk_exec** own) {
  dbk_run* made = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &own_graph->tables, .device = device};
  OK(api->compile(ctx, &desc, own, ERR));
  OK(api->exec_ready(*own, NULL, ERR));
  OK(api->run_create(*own, NULL, &made, ERR));
  return made;
}

/* y = reshape(x, s) with x [?, 3]: unbinding either takes the shapes away that it told. */
static void shapes_of_what_is_unbound(void) {
  graph g;
  int64_t target[2] = {3, 2};
  dbk_exec* own = NULL;
  graph_init(&g);
  const uint32_t in[2] = {graph_value(&g, "x", DBK_F32, DIMS(UNKNOWN, 3)), graph_value(&g, "s", DBK_I64, DIMS(2))};
  const uint32_t out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Reshape", 2, in, IDS(out));
  graph_inputs(&g, 0, 2, in);
  graph_outputs(&g, 0, IDS(out));
  dbk_run* own_run = run_of(&g, &own);
  dbk_tensor x = tensor_of(DBK_F32, DIMS(2, 3), numbers, sizeof numbers, DBK_COPY);
  dbk_tensor s = tensor_of(DBK_I64, DIMS(2), target, sizeof target, DBK_COPY);
  SHAPE(0, UNKNOWN, 3, own_run, DBK_INPUT, 0);
  OK(api->run_bind(own_run, DBK_INPUT, 0, &x, ERR));
  SHAPE(1, 2, 3, own_run, DBK_INPUT, 0);
  for (uint32_t taken = 0; taken < 2; taken++) {
    OK(api->run_bind(own_run, DBK_INPUT, 0, &x, ERR));
    OK(api->run_bind(own_run, DBK_INPUT, 1, &s, ERR));
    SHAPE(1, 3, 2, own_run, DBK_OUTPUT, 0);
    OK(api->run(own_run, NULL, NULL, ERR));
    OK(api->run_bind(own_run, DBK_INPUT, taken, NULL, ERR));
    TEST_ASSERT_EQUAL_UINT32(0, shape_of(own_run, DBK_OUTPUT, 0).exact);
    SHAPE(taken, taken ? 2 : UNKNOWN, 3, own_run, DBK_INPUT, 0);
  }
  api->run_destroy(own_run);
  api->exec_destroy(own);
}

/* a [N], b [K]; y = a and a, declared as [N]. The declaration promises nothing. */
static void symbols_of_outputs_promise_nothing(void) {
  graph g;
  dbk_exec* own = NULL;
  graph_init(&g);
  graph_symbol(&g, "N", 1, 0);
  graph_symbol(&g, "K", 1, 0);
  const uint32_t a = graph_value(&g, "a", DBK_F32, DIMS(DBK_DIM_SYMBOL(0)));
  const uint32_t b = graph_value(&g, "b", DBK_F32, DIMS(DBK_DIM_SYMBOL(1)));
  const uint32_t y = graph_value(&g, "y", DBK_F32, DIMS(DBK_DIM_SYMBOL(0)));
  const uint32_t z = graph_value(&g, "z", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Concat", IDS(a, a), IDS(y));
  graph_attr(&g, "axis", DBK_ATTR_INT, 0);
  graph_node(&g, "Neg", IDS(b), IDS(z));
  graph_inputs(&g, 0, IDS(a, b));
  graph_outputs(&g, 0, IDS(y, z));
  dbk_run* own_run = run_of(&g, &own);
  OK(api->run_set_dim(own_run, 0, 4, ERR));
  shape s = shape_of(own_run, DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == 1 && s.exact == 0 && (s.dims[0] == UNKNOWN || s.dims[0] >= 8));
  OK(api->run_set_dim(own_run, 1, 4, ERR));
  s = shape_of(own_run, DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == 1 && s.exact == 1 && s.dims[0] == 8);
  api->run_destroy(own_run);
  api->exec_destroy(own);
}

/* y = x [N, 3] without extents of 1. */
static void ranks_that_extents_decide(void) {
  graph g;
  dbk_exec* own = NULL;
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  graph_init(&g);
  graph_symbol(&g, "N", 1, 4);
  const uint32_t x = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(0), 3));
  const uint32_t y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Squeeze", IDS(x), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_run* own_run = run_of(&g, &own);
  OK(api->exec_io(own, DBK_OUTPUT, 0, &io, ERR));
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, io.rank);
  shape s = shape_of(own_run, DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == DBK_NONE && s.exact == 0);
  OK(api->run_set_dim(own_run, 0, 1, ERR));
  s = shape_of(own_run, DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == 1 && s.exact == 1 && s.dims[0] == 3);
  api->run_destroy(own_run);
  api->exec_destroy(own);
}

/* Where only the run tells: twice the places of what is not zero, declared as [1, N]. */
static void bounds_are_not_exceeded(void) {
  graph g;
  dbk_exec* own = NULL;
  graph_init(&g);
  graph_symbol(&g, "N", 1, 0);
  const uint32_t x = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(0)));
  const uint32_t places = graph_value(&g, "", DBK_DTYPE_NONE, 0, NULL);
  const uint32_t y = graph_value(&g, "y", DBK_I64, DIMS(1, DBK_DIM_SYMBOL(0)));
  graph_node(&g, "NonZero", IDS(x), IDS(places));
  graph_node(&g, "Concat", IDS(places, places), IDS(y));
  graph_attr(&g, "axis", DBK_ATTR_INT, 1);
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_run* own_run = run_of(&g, &own);
  for (int i = 0; i < 4; i++) numbers[i] = 1;
  dbk_tensor t = tensor_of(DBK_F32, DIMS(4), numbers, sizeof numbers, DBK_COPY);
  OK(api->run_bind(own_run, DBK_INPUT, 0, &t, ERR));
  const shape before = shape_of(own_run, DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(before.rank == 2 && before.exact == 0 && (before.dims[1] == UNKNOWN || before.dims[1] >= 8));
  OK(api->run(own_run, NULL, NULL, ERR));
  SHAPE(1, 1, 8, own_run, DBK_OUTPUT, 0);
  api->run_destroy(own_run);
  api->exec_destroy(own);
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

/* How many elements are not zero only the run tells; a bind or extent that is refused does not make it forget. */
static void refusals_keep_the_results(void) {
  float x[4] = {0, 5, 0, 7};
  graph g;
  uint32_t in, out;
  int64_t dims[2] = {0};
  uint32_t rank = 0, exact = 0;
  dbk_exec* own = NULL;
  graph_init(&g);
  graph_symbol(&g, "n", 1, 8);
  in = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(0)));
  out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "NonZero", IDS(in), IDS(out));
  graph_inputs(&g, 0, IDS(in));
  graph_outputs(&g, 0, IDS(out));
  dbk_run* own_run = run_of(&g, &own);
  dbk_tensor t = tensor_of(DBK_F32, DIMS(4), x, sizeof x, DBK_COPY);
  OK(api->run_bind(own_run, DBK_INPUT, 0, &t, ERR));
  OK(api->run(own_run, NULL, NULL, ERR));
  t.dtype = DBK_I32;
  FAILS(DBK_INVALID_ARGUMENT, "'x'", api->run_bind(own_run, DBK_INPUT, 0, &t, ERR));
  FAILS(DBK_OUT_OF_RANGE, "'n'&9", api->run_set_dim(own_run, 0, 9, ERR));
  OK(api->run_shape(own_run, DBK_OUTPUT, 0, dims, 2, &rank, &exact, ERR));
  TEST_ASSERT_TRUE(exact == 1 && rank == 2 && dims[0] == 1 && dims[1] == 2);
  api->run_destroy(own_run);
  api->exec_destroy(own);
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
  RUN_TEST(shapes_of_what_was_let_go);
  RUN_TEST(buffers_meanwhile);
  RUN_TEST(shapes_of_what_is_unbound);
  RUN_TEST(symbols_of_outputs_promise_nothing);
  RUN_TEST(bounds_are_not_exceeded);
  RUN_TEST(ranks_that_extents_decide);
  RUN_TEST(unknown_extents);
  RUN_TEST(shapes_before_and_after);
  RUN_TEST(refusals_keep_the_results);
  RUN_TEST(absurd_extents);
  return UNITY_END();
}

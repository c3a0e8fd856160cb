/* Test 16: run_shape. It tells what symbols and bindings decide, nothing that was let go, and no bound that a run
 * exceeds. */
#include "graph.h"
#include "harness.h"

enum { ROWS, COLUMNS };
static dbk_ctx* ctx;
static dbk_exec* exec;
static dbk_run* run;
static float numbers[64];

void setUp(void) {
  ctx = ctx_new();
  exec = NULL;
  run = NULL;
}

void tearDown(void) {
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

static void open_graph(const graph* g) {
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g->tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  OK(api->run_create(exec, NULL, &run, ERR));
}

typedef struct shape {
  uint32_t rank, exact;
  int64_t dims[4];
} shape;

static shape shape_of(uint32_t role, uint32_t index) {
  shape s = {0};
  OK(api->run_shape(run, role, index, s.dims, 4, &s.rank, &s.exact, ERR));
  return s;
}

#define UNKNOWN DBK_DIM_UNKNOWN
#define SHAPE(is_exact, first, second, role, index)                                     \
  do {                                                                                  \
    const shape s_ = shape_of(role, index);                                             \
    TEST_ASSERT_EQUAL_UINT32(is_exact, s_.exact);                                       \
    TEST_ASSERT_TRUE(s_.rank == 2 && s_.dims[0] == (first) && s_.dims[1] == (second)); \
  } while (0)

/* y = x + x with x [rows, columns] */
static void open_sum(void) {
  graph g;
  graph_init(&g);
  graph_symbol(&g, "rows", 1, 8);
  graph_symbol(&g, "columns", 1, -1);
  const uint32_t x = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(ROWS), DBK_DIM_SYMBOL(COLUMNS)));
  const uint32_t y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Add", IDS(x, x), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  open_graph(&g);
}

static void bind_x(int64_t rows, int64_t columns) {
  dbk_tensor x = tensor_of(DBK_F32, DIMS(rows, columns), numbers, sizeof numbers, DBK_COPY);
  for (int i = 0; i < 64; i++) numbers[i] = (float)i;
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
}

static void twice_the_numbers(const float* y, int count) {
  for (int i = 0; i < count; i++) TEST_ASSERT_EQUAL_FLOAT(2 * numbers[i], y[i]);
}

/* What is let go is not known any more: outputs of any extents may be bound first, as in the beginning. */
static void shapes_of_what_was_let_go(void) {
  float y[64] = {0};
  dbk_tensor out = tensor_of(DBK_F32, DIMS(2, 3), y, sizeof y, DBK_UNTIL_DESTROY);
  open_sum();
  OK(api->run_set_dim(run, ROWS, 4, ERR));
  OK(api->run_set_dim(run, COLUMNS, 5, ERR));
  SHAPE(1, 4, 5, DBK_INPUT, 0);
  SHAPE(1, 4, 5, DBK_OUTPUT, 0);
  FAILS(DBK_INVALID_ARGUMENT, "'y'", api->run_bind(run, DBK_OUTPUT, 0, &out, ERR));
  OK(api->run_set_dim(run, ROWS, UNKNOWN, ERR));
  SHAPE(0, UNKNOWN, 5, DBK_INPUT, 0);
  TEST_ASSERT_EQUAL_UINT32(0, shape_of(DBK_OUTPUT, 0).exact);
  OK(api->run_set_dim(run, COLUMNS, UNKNOWN, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, &out, ERR));
  bind_x(2, 3);
  SHAPE(1, 2, 3, DBK_OUTPUT, 0);
  OK(api->run(run, NULL, NULL, ERR));
  twice_the_numbers(y, 6);
}

/* A buffer that is bound while extents are unknown is where the run writes, also when they come back as they were. */
static void buffers_meanwhile(void) {
  float y[8] = {0};
  dbk_buffer* buffer = NULL;
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = device, .byte_len = sizeof y};
  dbk_tensor out = tensor_of(DBK_F32, DIMS(2, 4), NULL, sizeof y, DBK_UNTIL_DESTROY);
  const dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  open_sum();
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  out.buffer = buffer;
  bind_x(2, 4);
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->run_set_dim(run, ROWS, UNKNOWN, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, &out, ERR));
  FAILS(DBK_FAILED_PRECONDITION, NULL, api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  OK(api->run_set_dim(run, ROWS, 2, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->buffer_read(buffer, 0, y, sizeof y, NULL, ERR));
  twice_the_numbers(y, 8);
  api->buffer_destroy(buffer);
}

/* y = reshape(x, s) with x [?, 3]: unbinding either takes the shapes away that it told. */
static void shapes_of_what_is_unbound(void) {
  graph g;
  int64_t target[2] = {3, 2};
  graph_init(&g);
  const uint32_t in[2] = {graph_value(&g, "x", DBK_F32, DIMS(UNKNOWN, 3)), graph_value(&g, "s", DBK_I64, DIMS(2))};
  const uint32_t out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Reshape", 2, in, IDS(out));
  graph_inputs(&g, 0, 2, in);
  graph_outputs(&g, 0, IDS(out));
  open_graph(&g);
  dbk_tensor x = tensor_of(DBK_F32, DIMS(2, 3), numbers, sizeof numbers, DBK_COPY);
  dbk_tensor s = tensor_of(DBK_I64, DIMS(2), target, sizeof target, DBK_COPY);
  SHAPE(0, UNKNOWN, 3, DBK_INPUT, 0);
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  SHAPE(1, 2, 3, DBK_INPUT, 0);
  for (uint32_t taken = 0; taken < 2; taken++) {
    OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
    OK(api->run_bind(run, DBK_INPUT, 1, &s, ERR));
    SHAPE(1, 3, 2, DBK_OUTPUT, 0);
    OK(api->run(run, NULL, NULL, ERR));
    OK(api->run_bind(run, DBK_INPUT, taken, NULL, ERR));
    TEST_ASSERT_EQUAL_UINT32(0, shape_of(DBK_OUTPUT, 0).exact);
    SHAPE(taken, taken ? 2 : UNKNOWN, 3, DBK_INPUT, 0);
  }
}

/* a [N], b [K]; y = a and a, declared as [N]. The declaration promises nothing. */
static void symbols_of_outputs_promise_nothing(void) {
  graph g;
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
  open_graph(&g);
  OK(api->run_set_dim(run, 0, 4, ERR));
  shape s = shape_of(DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == 1 && s.exact == 0 && (s.dims[0] == UNKNOWN || s.dims[0] >= 8));
  OK(api->run_set_dim(run, 1, 4, ERR));
  s = shape_of(DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == 1 && s.exact == 1 && s.dims[0] == 8);
}

/* y = x [N, 3] without extents of 1. */
static void ranks_that_extents_decide(void) {
  graph g;
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  graph_init(&g);
  graph_symbol(&g, "N", 1, 4);
  const uint32_t x = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(0), 3));
  const uint32_t y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Squeeze", IDS(x), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  open_graph(&g);
  OK(api->exec_io(exec, DBK_OUTPUT, 0, &io, ERR));
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, io.rank);
  shape s = shape_of(DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == DBK_NONE && s.exact == 0);
  OK(api->run_set_dim(run, 0, 1, ERR));
  s = shape_of(DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(s.rank == 1 && s.exact == 1 && s.dims[0] == 3);
}

/* Where only the run tells: twice the places of what is not zero, declared as [1, N]. */
static void bounds_are_not_exceeded(void) {
  graph g;
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
  open_graph(&g);
  for (int i = 0; i < 4; i++) numbers[i] = 1;
  dbk_tensor t = tensor_of(DBK_F32, DIMS(4), numbers, sizeof numbers, DBK_COPY);
  OK(api->run_bind(run, DBK_INPUT, 0, &t, ERR));
  const shape before = shape_of(DBK_OUTPUT, 0);
  TEST_ASSERT_TRUE(before.rank == 2 && before.exact == 0 && (before.dims[1] == UNKNOWN || before.dims[1] >= 8));
  OK(api->run(run, NULL, NULL, ERR));
  SHAPE(1, 1, 8, DBK_OUTPUT, 0);
}

/* How many elements are not zero only the run tells; a bind or extent that is refused does not make it forget. */
static void refusals_keep_the_results(void) {
  float x[4] = {0, 5, 0, 7};
  graph g;
  uint32_t in, out;
  graph_init(&g);
  graph_symbol(&g, "n", 1, 8);
  in = graph_value(&g, "x", DBK_F32, DIMS(DBK_DIM_SYMBOL(0)));
  out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "NonZero", IDS(in), IDS(out));
  graph_inputs(&g, 0, IDS(in));
  graph_outputs(&g, 0, IDS(out));
  open_graph(&g);
  dbk_tensor t = tensor_of(DBK_F32, DIMS(4), x, sizeof x, DBK_COPY);
  OK(api->run_bind(run, DBK_INPUT, 0, &t, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  t.dtype = DBK_I32;
  FAILS(DBK_INVALID_ARGUMENT, "'x'", api->run_bind(run, DBK_INPUT, 0, &t, ERR));
  FAILS(DBK_OUT_OF_RANGE, "'n'&9", api->run_set_dim(run, 0, 9, ERR));
  SHAPE(1, 1, 2, DBK_OUTPUT, 0);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(shapes_of_what_was_let_go);
  RUN_TEST(buffers_meanwhile);
  RUN_TEST(shapes_of_what_is_unbound);
  RUN_TEST(symbols_of_outputs_promise_nothing);
  RUN_TEST(ranks_that_extents_decide);
  RUN_TEST(bounds_are_not_exceeded);
  RUN_TEST(refusals_keep_the_results);
  return UNITY_END();
}

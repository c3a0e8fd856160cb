/* Test 15, the other half: memory bound to runs and buffers is the host's again at the moment the contract says, is
 * read when the contract says, and never touched beyond byte_len. */
#include <string.h>

#include "guard.h"
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* exec;
static dbk_run* run;

void setUp(void) {
  mlp_open(&ctx, &exec);
  OK(api->run_create(exec, NULL, &run, ERR));
}

void tearDown(void) {
  api->run_destroy(run);
  mlp_close(ctx, exec);
}

static void take_away(void* pages, size_t bytes) {
  pages_poison(pages, bytes);
  pages_release(pages, bytes);
}

static void bind_x(float* x, uint32_t ownership) {
  dbk_tensor tensor = tensor_of(DBK_F32, 2, mlp_x_dims, x, sizeof mlp_x, ownership);
  OK(api->run_bind(run, DBK_INPUT, 0, &tensor, ERR));
}

static void bind_y(float* y, uint32_t ownership) {
  static const int64_t dims[2] = {MLP_ROWS, MLP_OUT};
  dbk_tensor tensor = tensor_of(DBK_F32, 2, dims, y, MLP_Y * sizeof(float), ownership);
  OK(api->run_bind(run, DBK_OUTPUT, 0, &tensor, ERR));
}

static void run_and_check(void) {
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
}

static void run_to_event(void) {
  dbk_event* done = NULL;
  OK(api->run(run, NULL, &done, ERR));
  OK(api->event_wait(done, DBK_WAIT_FOREVER, ERR));
  api->event_destroy(done);
}

static void copied_input_after_bind(void) {
  struct bound {
    float x[MLP_X];
    int64_t dims[2];
  } source, *pages;
  memcpy(source.x, mlp_x, sizeof mlp_x);
  memcpy(source.dims, mlp_x_dims, sizeof mlp_x_dims);
  pages = pages_copy(&source, sizeof source);
  dbk_tensor tensor = tensor_of(DBK_F32, 2, pages->dims, pages->x, sizeof mlp_x, DBK_COPY);
  OK(api->run_bind(run, DBK_INPUT, 0, &tensor, ERR));
  fault_note("copied input after run_bind", 0);
  take_away(pages, sizeof source);
  run_and_check();
  run_and_check(); /* the copy serves every later run */
}

static void lent_input_after_event(void) {
  float* x = pages_copy(mlp_x, sizeof mlp_x);
  bind_x(x, DBK_UNTIL_EVENT);
  run_to_event();
  fault_note("lent input after its event", 0);
  take_away(x, sizeof mlp_x);
  mlp_check(run);
  bind_x(mlp_x, DBK_COPY);
  run_and_check();
}

/* Columns of a wider matrix: what passes through memory of the run. */
static void lent_input_is_not_read_at_bind(void) {
  enum { WIDE = 2 * MLP_IN };
  float wide[MLP_ROWS * WIDE] = {0};
  const int64_t strides[2] = {WIDE * sizeof(float), sizeof(float)};
  for (int i = 0; i < MLP_X; i++) wide[i / MLP_IN * WIDE + i % MLP_IN] = mlp_x[i];
  for (uint32_t how = DBK_UNTIL_EVENT; how <= DBK_UNTIL_DESTROY; how++) {
    float* x = pages_copy(wide, sizeof wide);
    dbk_tensor tensor = tensor_of(DBK_F32, 2, mlp_x_dims, x, sizeof wide, how);
    tensor.byte_strides = strides;
    pages_lock(x, sizeof wide);
    fault_note("lent columns at bind, ownership", how);
    OK(api->run_bind(run, DBK_INPUT, 0, &tensor, ERR));
    pages_unlock(x, sizeof wide);
    run_and_check();
    bind_x(mlp_x, DBK_COPY);
    take_away(x, sizeof wide);
  }
}

static void borrowed_input_is_read_at_every_run(void) {
  float zeros[MLP_X] = {0}, y[MLP_Y], *x = pages_copy(zeros, sizeof zeros);
  bind_x(x, DBK_UNTIL_DESTROY);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_read(run, y);
  TEST_ASSERT_TRUE_MESSAGE(mlp_wrong(y) >= 0, "zeros gave the result of x");
  memcpy(x, mlp_x, sizeof mlp_x);
  run_and_check();
  bind_x(mlp_x, DBK_COPY); /* replaces the binding */
  fault_note("borrowed input after it was rebound", 0);
  take_away(x, sizeof mlp_x);
  run_and_check();
}

static void borrowed_input_after_destroy(void) {
  float* x = pages_copy(mlp_x, sizeof mlp_x);
  bind_x(x, DBK_UNTIL_DESTROY);
  run_and_check();
  api->run_destroy(run);
  fault_note("borrowed input after run_destroy", 0);
  take_away(x, sizeof mlp_x);
  run = mlp_run_new(exec);
  run_and_check();
}

static void lent_output_after_event(void) {
  float y[MLP_Y] = {0}, *pages = pages_copy(y, sizeof y);
  bind_x(mlp_x, DBK_COPY);
  bind_y(pages, DBK_UNTIL_EVENT);
  run_to_event();
  memcpy(y, pages, sizeof y);
  TEST_ASSERT_EQUAL_INT(-1, mlp_wrong(y));
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  fault_note("lent output after its event", 0);
  take_away(pages, sizeof y);
  run_and_check();
}

static void borrowed_output_is_written_by_every_run(void) {
  float y[MLP_Y] = {0}, *pages = pages_copy(y, sizeof y);
  bind_x(mlp_x, DBK_COPY);
  bind_y(pages, DBK_UNTIL_DESTROY);
  for (int i = 0; i < 2; i++) {
    memset(pages, 0, sizeof y);
    OK(api->run(run, NULL, NULL, ERR));
    TEST_ASSERT_EQUAL_INT(-1, mlp_wrong(pages));
  }
  api->run_destroy(run);
  fault_note("borrowed output after run_destroy", 0);
  take_away(pages, sizeof y);
  run = mlp_run_new(exec);
  run_and_check();
}

#define FORGOTTEN(call) FAILS(DBK_FAILED_PRECONDITION, "'y'&forgotten", call)

static dbk_status read_y(float* y, dbk_error** error) {
  const dbk_copy copy = {.byte_len = MLP_Y * sizeof(float), .dst = y};
  return api->read(run, &copy, 1, sizeof copy, NULL, error);
}

/* Wherever the result is: in memory of the host, dense or not, in a buffer, with the run. */
static void a_result_ends_with_its_binding(void) {
  float y[MLP_Y], apart[MLP_Y * 2] = {0};
  float* pages = pages_copy(apart, sizeof apart);
  const int64_t dims[2] = {MLP_ROWS, MLP_OUT}, strides[2] = {2 * MLP_OUT * sizeof(float), 2 * sizeof(float)};
  dbk_tensor strided = tensor_of(DBK_F32, 2, dims, pages, sizeof apart, DBK_UNTIL_EVENT), narrow = strided;
  strided.byte_strides = strides;
  narrow.byte_len = 4;
  bind_x(mlp_x, DBK_COPY);
  run_and_check();
  FAILS(DBK_INVALID_ARGUMENT, "'y'", api->run_bind(run, DBK_OUTPUT, 0, &narrow, ERR));
  mlp_check(run); /* what is refused changes nothing */
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  FORGOTTEN(read_y(y, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  bind_y(pages, DBK_UNTIL_EVENT);
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  FORGOTTEN(read_y(y, ERR));
  bind_y(pages, DBK_UNTIL_EVENT);
  run_to_event();
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  FORGOTTEN(read_y(y, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, &strided, ERR));
  run_to_event();
  for (int i = 0; i < MLP_Y; i++) y[i] = pages[2 * i];
  TEST_ASSERT_EQUAL_INT(-1, mlp_wrong(y));
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  fault_note("lent output after it was unbound", 0);
  take_away(pages, sizeof apart);
  FORGOTTEN(read_y(y, ERR));
  run_and_check();
}

static void a_result_ends_with_its_buffer(void) {
  float y[MLP_Y];
  const int64_t dims[2] = {MLP_ROWS, MLP_OUT};
  dbk_buffer* buffer = NULL;
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = device, .byte_len = sizeof y};
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  dbk_tensor tensor = tensor_of(DBK_F32, 2, dims, NULL, sizeof y, DBK_UNTIL_DESTROY);
  tensor.buffer = buffer;
  bind_x(mlp_x, DBK_COPY);
  OK(api->run_bind(run, DBK_OUTPUT, 0, &tensor, ERR));
  run_and_check();
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  FAILS(DBK_FAILED_PRECONDITION, NULL, read_y(y, ERR));
  api->buffer_destroy(buffer);
  run_and_check();
}

/* Results of other outputs stay. */
static void a_binding_ends_no_other_result(void) {
  float x[2] = {1, -2}, y[2], z[2];
  graph g;
  dbk_exec* own = NULL;
  dbk_run* two = NULL;
  graph_init(&g);
  const uint32_t in = graph_value(&g, "x", DBK_F32, DIMS(2));
  const uint32_t out[2] = {graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL), graph_value(&g, "z", DBK_DTYPE_NONE, 0, NULL)};
  graph_node(&g, "Neg", IDS(in), IDS(out[0]));
  graph_node(&g, "Abs", IDS(in), IDS(out[1]));
  graph_inputs(&g, 0, IDS(in));
  graph_outputs(&g, 0, 2, out);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &own, ERR));
  OK(api->exec_ready(own, NULL, ERR));
  OK(api->run_create(own, NULL, &two, ERR));
  dbk_tensor tensor = tensor_of(DBK_F32, DIMS(2), x, sizeof x, DBK_COPY);
  OK(api->run_bind(two, DBK_INPUT, 0, &tensor, ERR));
  OK(api->run(two, NULL, NULL, ERR));
  tensor = tensor_of(DBK_F32, DIMS(2), y, sizeof y, DBK_UNTIL_EVENT);
  OK(api->run_bind(two, DBK_OUTPUT, 0, &tensor, ERR));
  const dbk_copy copy = {.output = 1, .byte_len = sizeof z, .dst = z};
  OK(api->read(two, &copy, 1, sizeof copy, NULL, ERR));
  TEST_ASSERT_TRUE(z[0] == 1 && z[1] == 2);
  api->run_destroy(two);
  api->exec_destroy(own);
}

/* Both ends are watched: the page behind, and the bytes in front. */
static void nothing_beyond_byte_len(void) {
  guard in = guard_new(4096), out = guard_new(4096);
  float *x = guard_place(&in, sizeof mlp_x), *y = guard_place(&out, MLP_Y * sizeof(float));
  memcpy(x, mlp_x, sizeof mlp_x);
  bind_x(x, DBK_UNTIL_DESTROY);
  bind_y(y, DBK_UNTIL_DESTROY);
  fault_note("memory at an unmapped page", 0);
  OK(api->run(run, NULL, NULL, ERR));
  TEST_ASSERT_EQUAL_INT(-1, mlp_wrong(y));
  TEST_ASSERT_TRUE(guard_intact(&out, y, MLP_Y * sizeof(float)));
  api->run_destroy(run);
  run = NULL;
  guard_free(&in);
  guard_free(&out);
}

static void reads_into_exactly_what_was_asked(void) {
  guard room = guard_new(4096);
  bind_x(mlp_x, DBK_COPY);
  OK(api->run(run, NULL, NULL, ERR));
  for (uint64_t bytes = 0; bytes <= MLP_Y * sizeof(float); bytes += 12) {
    unsigned char* dst = guard_place(&room, bytes);
    dbk_copy copy = {.byte_off = MLP_Y * sizeof(float) - bytes, .byte_len = bytes, .dst = dst};
    fault_note("read of bytes", bytes);
    OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
    TEST_ASSERT_TRUE(guard_intact(&room, dst, bytes));
  }
  guard_free(&room);
}

int main(void) {
  fault_report_install();
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(copied_input_after_bind);
  RUN_TEST(lent_input_after_event);
  RUN_TEST(lent_input_is_not_read_at_bind);
  RUN_TEST(borrowed_input_is_read_at_every_run);
  RUN_TEST(borrowed_input_after_destroy);
  RUN_TEST(lent_output_after_event);
  RUN_TEST(borrowed_output_is_written_by_every_run);
  RUN_TEST(a_result_ends_with_its_binding);
  RUN_TEST(a_result_ends_with_its_buffer);
  RUN_TEST(a_binding_ends_no_other_result);
  RUN_TEST(nothing_beyond_byte_len);
  RUN_TEST(reads_into_exactly_what_was_asked);
  return UNITY_END();
}

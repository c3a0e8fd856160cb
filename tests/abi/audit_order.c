/* Test 16: the right call at the wrong moment is FAILED_PRECONDITION, says what is missing, and changes nothing: before
 * ready, before run, in flight, after a replacement, after the context is gone. */
#include <string.h>

#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;

void setUp(void) { ctx = ctx_new(); }
void tearDown(void) { api->ctx_destroy(ctx); }

#define TOO_EARLY(culprit, call) FAILS(DBK_FAILED_PRECONDITION, culprit, call)

static void before_ready(void) {
  dbk_exec* exec = mlp_compile(ctx, MLP_NO_DATA);
  dbk_run* run = POISON;
  TOO_EARLY("ready", api->run_create(exec, NULL, &run, ERR));
  TOO_EARLY("weight&bias", api->exec_ready(exec, NULL, ERR)); /* every parameter without data */
  dbk_tensor b = tensor_of(DBK_F32, 1, mlp_b_dims, mlp_b, sizeof mlp_b, DBK_COPY);
  OK(api->set_param(exec, 1, &b, ERR));
  TOO_EARLY("weight", api->exec_ready(exec, NULL, ERR));
  TEST_ASSERT_NULL_MESSAGE(strstr(err_text, "bias"), err_text);
  TEST_ASSERT_EQUAL_PTR(POISON, run);
  api->exec_destroy(exec);
}

static void after_a_replacement(void) {
  float y[MLP_Y];
  dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run *run = mlp_run_new(exec), *other = POISON;
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  dbk_tensor w = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY);
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->set_param(exec, 0, &w, ERR));
  TOO_EARLY("ready", api->run(run, NULL, NULL, ERR));
  TOO_EARLY("ready", api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  TOO_EARLY("ready", api->run_set_dim(run, 0, 1, ERR));
  TOO_EARLY("ready", api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  TOO_EARLY("ready", api->run_create(exec, NULL, &other, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  mlp_check(run); /* results and bindings are kept */
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

/* y = 12 / x of integers: fails where x has a zero. */
static void after_a_failure(void) {
  graph g;
  int32_t twelve = 12, x = 4, y = 0;
  const int64_t dims[2] = {1, 2};
  dbk_exec* exec = NULL;
  dbk_run* run = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  dbk_tensor in = tensor_of(DBK_I32, 1, dims, &x, sizeof x, DBK_UNTIL_DESTROY);
  dbk_tensor wrong = tensor_of(DBK_I32, 1, dims + 1, &x, 2 * sizeof x, DBK_UNTIL_DESTROY);
  dbk_copy copy = {.byte_len = sizeof y, .dst = &y};
  graph_init(&g);
  const uint32_t ids[3] = {
      graph_data(&g, "twelve", DBK_ORIGIN_PARAM, DBK_I32, 1, dims, &twelve, sizeof twelve, DBK_COPY),
      graph_value(&g, "x", DBK_I32, 1, dims), graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL)};
  graph_inputs(&g, 0, IDS(ids[1]));
  graph_node(&g, "Div", 2, ids, 1, ids + 2);
  graph_outputs(&g, 0, IDS(ids[2]));
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  OK(api->run_create(exec, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &in, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "'x'", api->run_bind(run, DBK_INPUT, 0, &wrong, ERR)); /* the old binding stands */
  OK(api->run(run, NULL, NULL, ERR));
  x = 0;
  FAILS(DBK_OUT_OF_RANGE, "Div&zero", api->run(run, NULL, NULL, ERR)); /* of data, which may be other the next time */
  TOO_EARLY("completed", api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  x = 3;
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  TEST_ASSERT_EQUAL_INT32(4, y);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static void plan_only_cannot_run(void) {
  graph g;
  dbk_exec* exec = NULL;
  dbk_run* run = POISON;
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  mlp_graph(&g, MLP_COPIED);
  dbk_compile_desc desc = {
      .hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device, .mode = DBK_COMPILE_PLAN_ONLY};
  OK(api->compile(ctx, &desc, &exec, ERR));
  TOO_EARLY("plan", api->run_create(exec, NULL, &run, ERR));
  OK(api->stats(NULL, exec, NULL, &stats, ERR));
  TEST_ASSERT_GREATER_OR_EQUAL_UINT64(sizeof mlp_w + sizeof mlp_b, stats.weight_bytes);
  api->exec_destroy(exec);
}

static void before_run(void) {
  float y[MLP_Y];
  dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = NULL;
  dbk_event* done = POISON;
  OK(api->run_create(exec, NULL, &run, ERR));
  TOO_EARLY("'x'", api->run(run, NULL, &done, ERR)); /* nothing bound */
  TOO_EARLY("run", api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  OK(api->run_cancel(run, ERR)); /* not in flight: nothing to stop */
  TEST_ASSERT_EQUAL_PTR(POISON, done);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static uint64_t allocations(void) {
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  OK(api->stats(ctx, NULL, NULL, &stats, ERR));
  return stats.host_allocations;
}

static void everything_refused(slow* s) {
  float numbers[4] = {0};
  dbk_tensor t = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY);
  dbk_copy copy = {.byte_len = 4, .dst = numbers};
  dbk_event* done = POISON;
  TOO_EARLY("flight", api->run(s->run, NULL, &done, ERR));
  TOO_EARLY("flight", api->run_bind(s->run, DBK_INPUT, 0, &t, ERR));
  TOO_EARLY("flight", api->run_bind(s->run, DBK_OUTPUT, 0, NULL, ERR));
  TOO_EARLY("flight", api->set_param(s->exec, 0, &t, ERR));
  TOO_EARLY("flight|run", api->read(s->run, &copy, 1, sizeof copy, NULL, ERR));
  FAILS(DBK_DEADLINE_EXCEEDED, NULL, api->event_wait(s->done, 0, ERR));
  FAILS(DBK_DEADLINE_EXCEEDED, NULL, api->event_wait(s->done, 1000, ERR));
  const uint64_t before = allocations();
  for (int i = 0; i < 10; ++i) TEST_ASSERT_EQUAL_INT32(DBK_DEADLINE_EXCEEDED, api->event_wait(s->done, 0, NULL));
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(before, allocations(), "polling allocates");
  TEST_ASSERT_EQUAL_PTR(POISON, done);
}

static void in_flight(void) { while_in_flight(ctx, everything_refused); }

/* Cancelled work says so; a run that came through anyway (cancel is a request) is OK. */
static void cancel_in_flight(void) {
  slow s;
  slow_start(&s, ctx, on_gpu() ? 8 : 64);
  OK(api->run_cancel(s.run, ERR));
  dbk_status status = api->event_wait(s.done, DBK_WAIT_FOREVER, NULL);
  TEST_ASSERT_TRUE_MESSAGE(status == DBK_OK || status == DBK_CANCELLED, status_name(status));
  dbk_event* again = NULL;
  OK(api->run(s.run, NULL, &again, ERR)); /* and the run is usable again */
  OK(api->event_wait(again, DBK_WAIT_FOREVER, ERR));
  api->event_destroy(again);
  api->event_destroy(s.done);
  api->run_destroy(s.run);
  api->exec_destroy(s.exec);
}

static int32_t DBK_CALL stop(void* user, uint32_t stage, uint64_t done, uint64_t total) {
  (void)done, (void)total;
  *(uint32_t*)user = stage;
  return 1;
}

static void cancelled_by_progress(void) {
  graph g;
  uint32_t stage = 0;
  dbk_exec* exec = POISON;
  dbk_watch watch = {.hdr = hdr_of(sizeof watch), .user = &stage, .progress = stop};
  mlp_graph(&g, MLP_COPIED);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .watch = &watch, .device = device};
  FAILS(DBK_CANCELLED, NULL, api->compile(ctx, &desc, &exec, ERR));
  dbk_report_desc measuring = {.hdr = hdr_of(sizeof measuring), .ctx = ctx, .kind = str_of("calibration"), .watch = desc.watch};
  dbk_text* text = NULL;
  FAILS(DBK_CANCELLED, NULL, api->report(&measuring, &text, ERR));
  TEST_ASSERT_NULL(text);
  TEST_ASSERT_EQUAL_PTR(POISON, exec);
  TEST_ASSERT_TRUE(stage >= DBK_STAGE_CHECK && stage <= DBK_STAGE_TUNE);
}

/* The executable goes first: its runs are good for nothing but to be destroyed. */
static void after_the_executable(void) {
  float y[MLP_Y];
  int64_t dims[2];
  uint32_t rank = 0, exact = 0;
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  dbk_text* text = POISON;
  dbk_event* done = NULL;
  dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .run = run, .kind = str_of("stats")};
  OK(api->run(run, NULL, &done, ERR));
  api->exec_destroy(exec);
  OK(api->event_wait(done, DBK_WAIT_FOREVER, ERR));
  OK(api->event_cancel(done, ERR)); /* of work that is over: nothing to stop */
  TOO_EARLY("executable", api->run(run, NULL, NULL, ERR));
  TOO_EARLY("executable", api->run_bind(run, DBK_INPUT, 0, NULL, ERR));
  TOO_EARLY("executable", api->run_set_dim(run, 0, 1, ERR));
  TOO_EARLY("executable", api->run_shape(run, DBK_OUTPUT, 0, dims, 2, &rank, &exact, ERR));
  TOO_EARLY("executable", api->run_cancel(run, ERR));
  TOO_EARLY("executable", api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  TOO_EARLY("executable", api->stats(NULL, NULL, run, &stats, ERR));
  TOO_EARLY("executable", api->report(&desc, &text, ERR));
  TEST_ASSERT_TRUE(text == POISON && stats.runs == 0);
  api->event_destroy(done);
  api->run_destroy(run);
}

/* The context goes first: the others answer, and can still be destroyed. */
static void after_the_context(void) {
  dbk_ctx* own = ctx_new();
  dbk_exec* exec = mlp_ready(own);
  dbk_run *run = mlp_run_new(exec), *made = POISON;
  dbk_event* event = NULL;
  uint32_t count = 4711;
  OK(api->run(run, NULL, &event, ERR));
  api->ctx_destroy(own);
  TOO_EARLY("context|ctx", api->exec_count(exec, DBK_INPUT, &count, ERR));
  TOO_EARLY("context|ctx", api->exec_ready(exec, NULL, ERR));
  TOO_EARLY("context|ctx", api->run_create(exec, NULL, &made, ERR));
  TOO_EARLY("context|ctx", api->run(run, NULL, NULL, ERR));
  TOO_EARLY("context|ctx", api->run_cancel(run, ERR));
  TOO_EARLY("context|ctx", api->event_wait(event, 0, ERR));
  TOO_EARLY("context|ctx", api->event_cancel(event, ERR));
  TEST_ASSERT_TRUE(made == POISON && count == 4711);
  api->event_destroy(event);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(before_ready);
  RUN_TEST(after_a_replacement);
  RUN_TEST(after_a_failure);
  RUN_TEST(plan_only_cannot_run);
  RUN_TEST(before_run);
  RUN_TEST(in_flight);
  RUN_TEST(cancel_in_flight);
  RUN_TEST(cancelled_by_progress);
  RUN_TEST(after_the_executable);
  RUN_TEST(after_the_context);
  return UNITY_END();
}

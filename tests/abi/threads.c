/* Test 11: 2 to 16 threads share one executable with a run each and get bit for bit what a single thread gets; objects
 * come and go in parallel. Under the tsan preset the same program shows data races. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "harness.h"
#include "mlp.h"

enum { MOST_THREADS = 16, REPEATS = 20 };

static dbk_ctx* ctx;
static dbk_exec* exec;

void setUp(void) { mlp_open(&ctx, &exec); }

void tearDown(void) { mlp_close(ctx, exec); }

/* Unity is not for several threads: workers return NULL or what went wrong, and the main thread asserts. */
static void in_parallel(int count, void* (*work)(void*)) {
  pthread_t threads[MOST_THREADS];
  void* problem[MOST_THREADS];
  for (int i = 0; i < count; i++) TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, work, (void*)(intptr_t)i));
  for (int i = 0; i < count; i++) pthread_join(threads[i], &problem[i]);
  for (int i = 0; i < count; i++) TEST_ASSERT_NULL_MESSAGE(problem[i], (const char*)problem[i]);
}

/* Every thread has its own input, so that mixed-up bindings would show: x scaled by a power of two. */
static dbk_status compute(int number, float* y) {
  float x[MLP_X];
  dbk_run* run = NULL;
  dbk_tensor tensor = tensor_of(DBK_F32, 2, mlp_x_dims, x, sizeof x, DBK_UNTIL_DESTROY);
  dbk_copy copy = {.byte_len = MLP_Y * sizeof(float), .dst = y};
  for (int i = 0; i < MLP_X; i++) x[i] = mlp_x[i] * (float)(1 << number) / 64;
  dbk_status status = api->run_create(exec, NULL, &run, NULL);
  if (status == DBK_OK) status = api->run_bind(run, DBK_INPUT, 0, &tensor, NULL);
  for (int i = 0; i < REPEATS && status == DBK_OK; i++) status = api->run(run, NULL, NULL, NULL);
  if (status == DBK_OK) status = api->read(run, &copy, 1, sizeof copy, NULL, NULL);
  api->run_destroy(run);
  return status;
}

static float serial[MOST_THREADS][MLP_Y];

static void* compute_and_compare(void* number) {
  float y[MLP_Y] = {0};
  if (compute((int)(intptr_t)number, y) != DBK_OK) return "a call failed";
  return memcmp(y, serial[(intptr_t)number], sizeof y) == 0 ? NULL : "differs from the serial result";
}

static void parallel_equals_serial(void) {
  for (int i = 0; i < MOST_THREADS; i++) TEST_ASSERT_EQUAL_INT32(DBK_OK, compute(i, serial[i]));
  TEST_ASSERT_NOT_EQUAL(0, memcmp(serial[0], serial[1], sizeof serial[0]));
  for (int count = 2; count <= MOST_THREADS; count *= 2) in_parallel(count, compute_and_compare);
}

static void* session(void* number) {
  char name[32];
  snprintf(name, sizeof name, "host %d", (int)(intptr_t)number);
  for (int i = 0; i < 5; i++)
    if (mlp_session(api, name) != 0) return "a session of its own failed";
  return NULL;
}

static void contexts_come_and_go(void) { in_parallel(on_gpu() ? 2 : 8, session); }

/* Also concurrent on the same objects: everything tagged [any]. */
static void* look_around(void* number) {
  dbk_str name = str_of("bias");
  (void)number;
  for (int i = 0; i < 200; i++) {
    dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
    dbk_io_info io = {.hdr = hdr_of(sizeof io)};
    dbk_run* run = NULL;
    uint32_t index = 0;
    dbk_text* text = NULL;
    dbk_report_desc schedule = {.hdr = hdr_of(sizeof schedule), .exec = exec, .kind = str_of("schedule")};
    if (api->stats(ctx, exec, NULL, &stats, NULL) != DBK_OK) return "stats failed";
    if (api->exec_io(exec, DBK_INPUT, 0, &io, NULL) != DBK_OK || strcmp(io.name, "x") != 0) return "exec_io failed";
    if (api->exec_find(exec, DBK_PARAM, &name, &index, NULL) != DBK_OK || index != 1) return "exec_find failed";
    if (api->report(&schedule, &text, NULL) != DBK_OK) return "report failed";
    api->text_destroy(text);
    if (api->run_create(exec, NULL, &run, NULL) != DBK_OK) return "run_create failed";
    api->run_destroy(run);
  }
  return NULL;
}

static void any_means_any(void) { in_parallel(4, look_around); }

static void* wait_for(void* event) {
  return api->event_wait(event, DBK_WAIT_FOREVER, NULL) == DBK_OK ? NULL : "event_wait failed";
}

static void many_wait_for_one_event(void) {
  pthread_t threads[4];
  void* problem;
  slow s;
  slow_start(&s, ctx, 4);
  for (int i = 0; i < 4; i++) TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, wait_for, s.done));
  for (int i = 0; i < 4; i++) {
    pthread_join(threads[i], &problem);
    TEST_ASSERT_NULL_MESSAGE(problem, (const char*)problem);
  }
  slow_end(&s);
}

/* Of one run, over and over, while it is submitted again and again: a cancel finds it in flight or not. */
typedef struct cancelled_run {
  dbk_run* run;
  atomic_int over;
} cancelled_run;

static void* cancel_over_and_over(void* given) {
  cancelled_run* r = given;
  while (!r->over)
    if (api->run_cancel(r->run, NULL) != DBK_OK) return "run_cancel failed";
  return NULL;
}

static void cancels_come_at_any_moment(void) {
  cancelled_run r = {.run = mlp_run_new(exec)};
  pthread_t thread;
  void* problem;
  TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, cancel_over_and_over, &r));
  for (int i = 0; i < 200; i++) {
    dbk_event* done = NULL;
    OK(api->run(r.run, NULL, &done, ERR));
    if (i % 2) OK(api->event_cancel(done, ERR));
    const dbk_status status = api->event_wait(done, DBK_WAIT_FOREVER, NULL);
    TEST_ASSERT_TRUE_MESSAGE(status == DBK_OK || status == DBK_CANCELLED, status_name(status));
    api->event_destroy(done);
  }
  r.over = 1;
  pthread_join(thread, &problem);
  TEST_ASSERT_NULL_MESSAGE(problem, (const char*)problem);
  OK(api->run(r.run, NULL, NULL, ERR));
  mlp_check(r.run);
  api->run_destroy(r.run);
}

/* Everything made from a context may be destroyed by other threads while the context is. */
typedef struct family {
  dbk_exec* exec;
  dbk_run* run;
  dbk_buffer* buffer;
} family;

static void* destroy_family(void* given) {
  family* f = given;
  api->buffer_destroy(f->buffer);
  api->run_destroy(f->run);
  api->exec_destroy(f->exec);
  return NULL;
}

static void children_go_while_the_context_does(void) {
  for (int round = 0; round < (on_gpu() ? 5 : 100); round++) {
    dbk_ctx* parent = ctx_new();
    dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = device, .byte_len = 64};
    family families[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
      families[i].exec = mlp_ready(parent);
      families[i].run = mlp_run_new(families[i].exec);
      OK(api->buffer_create(parent, &desc, &families[i].buffer, ERR));
    }
    for (int i = 0; i < 4; i++)
      TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[i], NULL, destroy_family, &families[i]));
    api->ctx_destroy(parent);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  }
}

/* An executable tells about itself while another thread makes it ready: its progress waits until everything was asked.
 */
typedef struct getting_ready {
  dbk_exec* exec;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int at_work, asked, given_up;
  dbk_status status;
} getting_ready;

static int32_t DBK_CALL wait_until_asked(void* user, uint32_t stage, uint64_t done, uint64_t total) {
  getting_ready* r = user;
  struct timespec deadline;
  (void)stage, (void)done, (void)total;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 20;
  pthread_mutex_lock(&r->mutex);
  r->at_work = 1;
  pthread_cond_broadcast(&r->changed);
  while (!r->asked && !r->given_up)
    if (pthread_cond_timedwait(&r->changed, &r->mutex, &deadline) != 0) r->given_up = 1;
  pthread_mutex_unlock(&r->mutex);
  return 0;
}

static void* make_ready(void* given) {
  getting_ready* r = given;
  dbk_watch watch = {.hdr = hdr_of(sizeof watch), .user = r, .progress = wait_until_asked};
  r->status = api->exec_ready(r->exec, &watch, NULL);
  return NULL;
}

static void nobody_waits_for_exec_ready(void) {
  getting_ready r = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
  dbk_exec_info info = {.hdr = hdr_of(sizeof info)};
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  dbk_run* run = POISON;
  pthread_t thread;
  r.exec = mlp_compile(ctx, MLP_COPIED);
  TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, make_ready, &r));
  pthread_mutex_lock(&r.mutex);
  while (!r.at_work) pthread_cond_wait(&r.changed, &r.mutex);
  pthread_mutex_unlock(&r.mutex);
  OK(api->exec_info(r.exec, &info, ERR));
  OK(api->exec_io(r.exec, DBK_PARAM, 0, &io, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "ready", api->run_create(r.exec, NULL, &run, ERR));
  pthread_mutex_lock(&r.mutex);
  r.asked = 1;
  pthread_cond_broadcast(&r.changed);
  pthread_mutex_unlock(&r.mutex);
  pthread_join(thread, NULL);
  TEST_ASSERT_FALSE_MESSAGE(r.given_up, "a call waited for exec_ready");
  TEST_ASSERT_EQUAL_INT32(DBK_OK, r.status);
  TEST_ASSERT_EQUAL_UINT32(0, info.flags & DBK_EXEC_READY);
  TEST_ASSERT_EQUAL_UINT32(DBK_IO_DATA_SET, io.flags & DBK_IO_DATA_SET);
  api->exec_destroy(r.exec);
}

/* A run whose output goes to memory of the host, and which another thread waits for while the context goes: until the
 * wait says anything but "not yet" the memory is in use, afterwards it is not. */
enum { WAITED_N = 512 };

typedef struct waiting {
  slow s;
  float* y;
  float seen[64]; /* of y, when the work was said to be over */
} waiting;

static void* wait_then_look(void* given) {
  waiting* w = given;
  while (api->event_wait(w->s.done, 0, NULL) == DBK_DEADLINE_EXCEEDED) sched_yield();
  memcpy(w->seen, w->y, sizeof w->seen);
  return NULL;
}

static void events_tell_the_truth_while_the_context_goes(void) {
  static float y[WAITED_N * WAITED_N];
  const int64_t dims[2] = {WAITED_N, WAITED_N};
  const dbk_tensor out = tensor_of(DBK_F32, 2, dims, y, sizeof y, DBK_UNTIL_EVENT);
  for (uint32_t depth = 4; depth <= 64; depth *= 4) {
    dbk_ctx* parent = ctx_new();
    waiting w = {.y = y};
    pthread_t thread;
    slow_start(&w.s, parent, depth);
    OK(api->event_wait(w.s.done, DBK_WAIT_FOREVER, ERR));
    api->event_destroy(w.s.done);
    OK(api->run_bind(w.s.run, DBK_OUTPUT, 0, &out, ERR));
    for (int i = 0; i < WAITED_N * WAITED_N; i++) y[i] = 4711;
    OK(api->run(w.s.run, NULL, &w.s.done, ERR));
    TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, wait_then_look, &w));
    api->ctx_destroy(parent);
    pthread_join(thread, NULL);
    TEST_ASSERT_TRUE_MESSAGE(y[0] != 4711, "ctx_destroy did not wait for the run");
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(y, w.seen, sizeof w.seen, "the work was said to be over before it was");
    api->event_destroy(w.s.done);
    api->run_destroy(w.s.run);
    api->exec_destroy(w.s.exec);
  }
}

/* The shape of an output that only the run tells, asked for by the run's own thread while the run is in flight. */
static void shapes_in_flight(void) {
  graph g;
  float x[4096] = {0};
  const int64_t dims[1] = {4096};
  dbk_exec* counting = NULL;
  dbk_run* run = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  dbk_tensor tensor = tensor_of(DBK_F32, 1, dims, x, sizeof x, DBK_UNTIL_DESTROY);
  graph_init(&g);
  const uint32_t in = graph_value(&g, "x", DBK_F32, 1, dims), out = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_inputs(&g, 0, IDS(in));
  graph_node(&g, "NonZero", IDS(in), IDS(out));
  graph_outputs(&g, 0, IDS(out));
  OK(api->compile(ctx, &desc, &counting, ERR));
  OK(api->exec_ready(counting, NULL, ERR));
  OK(api->run_create(counting, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &tensor, ERR));
  for (int round = 0; round < 50; round++) {
    int64_t shape[2] = {0};
    uint32_t rank = 0, exact = 0;
    dbk_event* done = NULL;
    x[round] = 1;
    OK(api->run(run, NULL, &done, ERR));
    do OK(api->run_shape(run, DBK_OUTPUT, 0, shape, 2, &rank, &exact, ERR));
    while (!exact);
    TEST_ASSERT_EQUAL_INT64(round + 1, shape[1]);
    OK(api->event_wait(done, DBK_WAIT_FOREVER, ERR));
    api->event_destroy(done);
  }
  api->run_destroy(run);
  api->exec_destroy(counting);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(parallel_equals_serial);
  RUN_TEST(contexts_come_and_go);
  RUN_TEST(any_means_any);
  RUN_TEST(many_wait_for_one_event);
  RUN_TEST(nobody_waits_for_exec_ready);
  RUN_TEST(cancels_come_at_any_moment);
  RUN_TEST(children_go_while_the_context_does);
  RUN_TEST(events_tell_the_truth_while_the_context_goes);
  RUN_TEST(shapes_in_flight);
  return UNITY_END();
}

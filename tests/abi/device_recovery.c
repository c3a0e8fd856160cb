/* A device is recovered: every executable that can be is there again, whoever recovers, destroys or makes ready at the
 * same time. What becomes of runs and buffers is in device_loss.c. */
#include <pthread.h>
#include <unistd.h>

#include "driver.h"
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* exec;

void setUp(void) { mlp_open(&ctx, &exec); }

void tearDown(void) {
  driver_reset();
  mlp_close(ctx, exec);
}

/* Two threads notice the loss: after the call of either everything is there again. */
static void* recover_and_run(void* given) {
  dbk_run* run = NULL;
  (void)given;
  if (api->device_recover(ctx, device, NULL, NULL) != DBK_OK) return "device_recover failed";
  const dbk_status status = api->run_create(exec, NULL, &run, NULL);
  api->run_destroy(run);
  return status == DBK_OK ? NULL : "the executable is not restored";
}

static void recovered_by_two(void) {
  driver_needed();
  for (int i = 0; i < 5; i++) {
    pthread_t threads[2];
    void* problem[2];
    dbk_run* run = mlp_run_new(exec);
    driver_lose(run);
    for (int t = 0; t < 2; t++) TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[t], NULL, recover_and_run, NULL));
    for (int t = 0; t < 2; t++) pthread_join(threads[t], &problem[t]);
    for (int t = 0; t < 2; t++) TEST_ASSERT_NULL_MESSAGE(problem[t], (const char*)problem[t]);
    api->run_destroy(run);
  }
}

static int is_ready(dbk_exec* which) {
  dbk_exec_info info = {.hdr = hdr_of(sizeof info)};
  OK(api->exec_info(which, &info, ERR));
  return (info.flags & DBK_EXEC_READY) != 0;
}

/* Its runs keep the rest of it, which is no business of a recovery any more. */
static void a_destroyed_executable_is_left_alone(void) {
  driver_needed();
  dbk_exec* gone = mlp_ready(ctx);
  dbk_run *run = mlp_run_new(exec), *left = mlp_run_new(gone);
  driver_lose(run);
  api->exec_destroy(gone);
  OK(api->device_recover(ctx, device, NULL, ERR));
  TEST_ASSERT_TRUE(is_ready(exec));
  api->run_destroy(left);
  api->run_destroy(run);
}

/* y = x + w of 16 MiB: more than the driver will give. */
static dbk_exec* large_ready(void) {
  static float w[4 << 20];
  const int64_t dims[1] = {4 << 20};
  graph g;
  dbk_exec* large = NULL;
  graph_init(&g);
  const uint32_t x = graph_value(&g, "x", DBK_F32, 1, dims);
  const uint32_t in[2] = {x, graph_data(&g, "large", DBK_ORIGIN_PARAM, DBK_F32, 1, dims, w, sizeof w, DBK_COPY)};
  const uint32_t y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Add", 2, in, IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &large, ERR));
  OK(api->exec_ready(large, NULL, ERR));
  return large;
}

static void one_that_cannot_be_restored(void) {
  enum { SMALL = 6 };
  driver_needed();
  dbk_exec *small[SMALL], *large = NULL;
  for (int i = 0; i < SMALL; i++) {
    if (i == SMALL / 2) large = large_ready();
    small[i] = mlp_ready(ctx);
  }
  dbk_run* run = mlp_run_new(exec);
  driver_lose(run);
  the_driver.refuse_memory(8 << 20);
  FAILS(DBK_OUT_OF_MEMORY, NULL, api->device_recover(ctx, device, NULL, ERR));
  TEST_ASSERT_TRUE(is_ready(exec));
  for (int i = 0; i < SMALL; i++) TEST_ASSERT_TRUE(is_ready(small[i]));
  TEST_ASSERT_FALSE(is_ready(large));
  the_driver.refuse_memory(0);
  OK(api->device_recover(ctx, device, NULL, ERR)); /* another call gets what the first could not */
  TEST_ASSERT_TRUE(is_ready(large));
  for (int i = 0; i < SMALL; i++) api->exec_destroy(small[i]);
  api->exec_destroy(large);
  api->run_destroy(run);
}

/* Work of the CPU that takes a while: runs one after the other. */
enum { LONG = 4 };
typedef struct long_work {
  slow first;
  dbk_run* runs[LONG];
  dbk_event* done[LONG];
} long_work;

static void long_work_make(long_work* work) {
  static float zeros[512 * 512];
  const int64_t dims[2] = {512, 512};
  const uint32_t gpu = device;
  dbk_tensor x = tensor_of(DBK_F32, 2, dims, zeros, sizeof zeros, DBK_UNTIL_DESTROY);
  uint32_t devices = 0;
  OK(api->device_count(ctx, &devices, ERR));
  device = devices - 1;
  slow_start(&work->first, ctx, 64);
  device = gpu;
  for (int i = 0; i < LONG; i++) {
    OK(api->run_create(work->first.exec, NULL, &work->runs[i], ERR));
    OK(api->run_bind(work->runs[i], DBK_INPUT, 0, &x, ERR));
  }
}

static void long_work_start(long_work* work) {
  for (int i = 0; i < LONG; i++) OK(api->run(work->runs[i], NULL, &work->done[i], ERR));
}

static void long_work_end(long_work* work) {
  for (int i = 0; i < LONG; i++) {
    api->run_destroy(work->runs[i]); /* waits */
    api->event_destroy(work->done[i]);
  }
  slow_end(&work->first);
}

static void* recover(void* given) {
  (void)given;
  return api->device_recover(ctx, device, NULL, NULL) == DBK_OK ? NULL : "device_recover failed";
}

/* A run that was started behind the recovery is in flight while the executable is not ready any more. */
static void ready_while_runs_end(void) {
  driver_needed();
  long_work work;
  pthread_t thread;
  dbk_event* done = NULL;
  void* problem = NULL;
  long_work_make(&work);
  dbk_run* run = mlp_run_new(exec);
  driver_lose(run);
  the_driver.hold_devices(1);
  TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, recover, NULL));
  usleep(50000); /* it waits for the device by now; if not, this is an easier test */
  long_work_start(&work);
  dbk_submit submit = {.hdr = hdr_of(sizeof submit), .wait = &work.done[LONG - 1], .wait_count = 1};
  OK(api->run(run, &submit, &done, ERR));
  the_driver.hold_devices(0);
  while (is_ready(exec) && api->event_wait(done, 0, NULL) == DBK_DEADLINE_EXCEEDED) usleep(100);
  OK(api->exec_ready(exec, NULL, ERR));
  pthread_join(thread, &problem);
  TEST_ASSERT_NULL_MESSAGE(problem, (const char*)problem);
  TEST_ASSERT_TRUE(api->event_wait(done, DBK_WAIT_FOREVER, NULL) != DBK_OK);
  TEST_ASSERT_TRUE(is_ready(exec));
  api->event_destroy(done);
  api->run_destroy(run);
  long_work_end(&work);
}

int main(void) {
  plugin_load();
  driver_find();
  UNITY_BEGIN();
  RUN_TEST(recovered_by_two);
  RUN_TEST(a_destroyed_executable_is_left_alone);
  RUN_TEST(one_that_cannot_be_restored);
  RUN_TEST(ready_while_runs_end);
  return UNITY_END();
}

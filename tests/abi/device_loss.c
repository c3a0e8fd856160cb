/* A device is lost and recovered: executables are there again, runs and buffers of the lost device are refused until
 * they are created again, and whoever asks meanwhile gets an answer. The driver loses devices on demand (driver.h). */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "driver.h"
#include "guard.h"
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* exec;

void setUp(void) { mlp_open(&ctx, &exec); }

void tearDown(void) {
  if (the_driver.live_imports) {
    the_driver.refuse_devices(0);
    the_driver.hold_devices(0);
    the_driver.refuse_memory(0);
  }
  mlp_close(ctx, exec);
}

static void lose(dbk_run* run) {
  the_driver.lose_device();
  FAILS(DBK_UNAVAILABLE, "lost", api->run(run, NULL, NULL, ERR));
}

static dbk_buffer* buffer_new(void) {
  dbk_buffer* buffer = NULL;
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = device, .byte_len = sizeof mlp_x};
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  OK(api->buffer_write(buffer, 0, mlp_x, sizeof mlp_x, NULL, ERR));
  return buffer;
}

static dbk_tensor x_in(dbk_buffer* buffer) {
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, NULL, sizeof mlp_x, DBK_UNTIL_DESTROY);
  x.buffer = buffer;
  return x;
}

static void new_run_works(dbk_buffer* buffer) {
  dbk_run* run = NULL;
  dbk_tensor x = x_in(buffer);
  OK(api->run_create(exec, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
}

#define REFUSED(call) FAILS(DBK_FAILED_PRECONDITION, "lost&again", call)

static void run_refused(dbk_run* run) {
  float y[MLP_Y];
  int64_t dims[2];
  uint32_t rank, exact;
  dbk_text* text = POISON;
  dbk_event* done = POISON;
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  dbk_report_desc plan = {.hdr = hdr_of(sizeof plan), .run = run, .kind = str_of("plan")};
  REFUSED(api->run(run, NULL, NULL, ERR));
  REFUSED(api->run(run, NULL, &done, ERR));
  REFUSED(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  REFUSED(api->run_set_dim(run, 0, 1, ERR));
  REFUSED(api->run_shape(run, DBK_OUTPUT, 0, dims, 2, &rank, &exact, ERR));
  REFUSED(api->run_cancel(run, ERR));
  REFUSED(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  REFUSED(api->stats(NULL, NULL, run, &stats, ERR));
  REFUSED(api->report(&plan, &text, ERR));
  TEST_ASSERT_TRUE(done == POISON && text == POISON);
}

static void buffer_refused(dbk_buffer* buffer, dbk_buffer* other) {
  float bytes[MLP_X];
  void* at = POISON;
  REFUSED(api->buffer_write(buffer, 0, bytes, sizeof bytes, NULL, ERR));
  REFUSED(api->buffer_write(buffer, 0, NULL, 0, NULL, ERR));
  REFUSED(api->buffer_read(buffer, 0, bytes, sizeof bytes, NULL, ERR));
  REFUSED(api->buffer_copy(buffer, 0, other, 0, 16, NULL, ERR));
  REFUSED(api->buffer_copy(other, 0, buffer, 0, 16, NULL, ERR));
  REFUSED(api->buffer_map(buffer, DBK_MAP_READ, 0, 16, &at, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, at);
}

static void runs_and_buffers_are_created_again(void) {
  driver_needed();
  dbk_run *run = mlp_run_new(exec), *fresh = NULL;
  dbk_buffer *lost = buffer_new(), *mapped = buffer_new();
  dbk_tensor x = x_in(lost);
  char* at = NULL;
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->buffer_map(mapped, DBK_MAP_WRITE, 0, sizeof mlp_x, (void**)&at, ERR));
  lose(run);
  FAILS(DBK_UNAVAILABLE, "lost", api->buffer_read(lost, 0, mlp_x, 4, NULL, ERR));
  OK(api->device_recover(ctx, device, NULL, ERR));
  dbk_buffer* buffer = buffer_new();
  run_refused(run);
  buffer_refused(lost, buffer);
  at[0] = 1; /* there until it is unmapped or destroyed */
  REFUSED(api->buffer_unmap(mapped, ERR));
  OK(api->run_create(exec, NULL, &fresh, ERR));
  REFUSED(api->run_bind(fresh, DBK_INPUT, 0, &x, ERR));
  new_run_works(buffer);
  api->buffer_destroy(lost);
  api->buffer_destroy(mapped);
  api->run_destroy(run);
  api->run_destroy(fresh);
  new_run_works(buffer);
  api->buffer_destroy(buffer);
}

static void lent_memory_of_a_lost_buffer(void) {
  static char zeros[4096];
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  driver_needed();
  OK(api->device_info(ctx, device, &info, ERR));
  if (info.host_ptr_align == 0) TEST_IGNORE_MESSAGE("this device cannot borrow");
  char* pages = pages_copy(zeros, sizeof zeros);
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc),
                          .device = device,
                          .byte_len = sizeof zeros,
                          .host_ptr = pages,
                          .ownership = DBK_UNTIL_DESTROY};
  dbk_run* run = mlp_run_new(exec);
  dbk_buffer* buffer = NULL;
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  const int before = the_driver.live_imports();
  lose(run);
  OK(api->device_recover(ctx, device, NULL, ERR));
  api->buffer_destroy(buffer);
  TEST_ASSERT_EQUAL_INT(before - 1, the_driver.live_imports());
  fault_note("memory lent to a buffer of a lost device", 0);
  pages_release(pages, sizeof zeros);
  api->run_destroy(run);
}

/* No device can be had: the call says so, and another one is not taken for unnecessary. */
static void recovery_that_fails_first(void) {
  driver_needed();
  dbk_run* run = mlp_run_new(exec);
  lose(run);
  the_driver.refuse_devices(1);
  for (int i = 0; i < 2; i++) FAILS(DBK_UNAVAILABLE, NULL, api->device_recover(ctx, device, NULL, ERR));
  the_driver.refuse_devices(0);
  OK(api->device_recover(ctx, device, NULL, ERR));
  run_refused(run);
  dbk_buffer* buffer = buffer_new();
  new_run_works(buffer);
  api->run_destroy(run);
  api->buffer_destroy(buffer);
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
  lose(run);
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
  lose(run);
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
  lose(run);
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

/* Reports ask what a recovery replaces. */
typedef struct reader {
  int stop, answers, failures;
} reader;

static void* read_reports(void* given) {
  static const char* const kinds[] = {"plan", "placement", "schedule"};
  reader* r = given;
  for (int i = 0; !__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE); i++) {
    dbk_text* text = NULL;
    dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .exec = exec, .kind = str_of(kinds[i % 3])};
    const dbk_status status = api->report(&desc, &text, NULL);
    r->failures += status != DBK_OK;
    r->answers++;
    api->text_destroy(text);
  }
  return NULL;
}

static void reports_during_recovery(void) {
  driver_needed();
  reader r = {0};
  pthread_t thread;
  TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, read_reports, &r));
  for (int i = 0; i < 10; i++) {
    dbk_run* run = mlp_run_new(exec);
    lose(run);
    OK(api->device_recover(ctx, device, NULL, ERR));
    api->run_destroy(run);
  }
  __atomic_store_n(&r.stop, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  TEST_ASSERT_EQUAL_INT(0, r.failures);
  TEST_ASSERT_TRUE(r.answers > 0);
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
    lose(run);
    for (int t = 0; t < 2; t++) TEST_ASSERT_EQUAL_INT(0, pthread_create(&threads[t], NULL, recover_and_run, NULL));
    for (int t = 0; t < 2; t++) pthread_join(threads[t], &problem[t]);
    for (int t = 0; t < 2; t++) TEST_ASSERT_NULL_MESSAGE(problem[t], (const char*)problem[t]);
    api->run_destroy(run);
  }
}

int main(void) {
  fault_report_install();
  plugin_load();
  driver_find();
  UNITY_BEGIN();
  RUN_TEST(runs_and_buffers_are_created_again);
  RUN_TEST(lent_memory_of_a_lost_buffer);
  RUN_TEST(recovery_that_fails_first);
  RUN_TEST(reports_during_recovery);
  RUN_TEST(recovered_by_two);
  RUN_TEST(a_destroyed_executable_is_left_alone);
  RUN_TEST(one_that_cannot_be_restored);
  RUN_TEST(ready_while_runs_end);
  return UNITY_END();
}

/* A device is lost and recovered: executables are there again, runs and buffers of the lost device are refused until
 * they are created again, and whoever asks meanwhile gets an answer. The driver loses devices on demand (driver.h). */
#include <pthread.h>
#include <string.h>

#include "driver.h"
#include "guard.h"
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* exec;

void setUp(void) { mlp_open(&ctx, &exec); }

void tearDown(void) {
  driver_reset();
  mlp_close(ctx, exec);
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
  driver_lose(run);
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
  driver_lose(run);
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
  driver_lose(run);
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
    driver_lose(run);
    OK(api->device_recover(ctx, device, NULL, ERR));
    api->run_destroy(run);
  }
  __atomic_store_n(&r.stop, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  TEST_ASSERT_EQUAL_INT(0, r.failures);
  TEST_ASSERT_TRUE(r.answers > 0);
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
  return UNITY_END();
}

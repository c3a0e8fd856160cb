/* Test 15, memory lent to parameters: a device that borrows reads the host's pages where they are, touches none beside
 * them, and has let them go when exec_destroy, exec_ready after a replacement, or ctx_destroy returns, whatever else is
 * still alive. On a GPU the driver itself is asked, through driver_layer.c. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"
#include "graph.h"
#include "guard.h"
#include "harness.h"

enum { PAGE = 4096, COUNT = 3 * PAGE / 4, BYTES = 3 * PAGE };
static const int64_t dims[1] = {COUNT};

static dbk_ctx* ctx;
static int borrows; /* the device reads lent pages in place */

void setUp(void) {
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  ctx = ctx_new();
  OK(api->device_info(ctx, device, &info, ERR));
  borrows = (info.features & DBK_FEATURE_BORROW) != 0;
  driver_reset();
}

void tearDown(void) { api->ctx_destroy(ctx); }

static void expect_live(int count) {
  if (the_driver.live_imports && borrows)
    TEST_ASSERT_EQUAL_INT_MESSAGE(count, the_driver.live_imports(), "imports of the driver");
}

/* A file of `pages` pages of floats, mapped for reading only and unlinked; element i is `first` + i. */
static float* map_file(int pages, float first) {
  char name[] = "/tmp/daybreak-borrowed-XXXXXX";
  const int file = mkstemp(name);
  TEST_ASSERT_TRUE(file >= 0);
  unlink(name);
  for (int i = 0; i < pages * PAGE / 4; i++) {
    const float value = first + (float)i;
    TEST_ASSERT_EQUAL_INT(4, write(file, &value, 4));
  }
  float* map = mmap(NULL, (size_t)(pages * PAGE), PROT_READ, MAP_SHARED, file, 0);
  TEST_ASSERT_TRUE(map != MAP_FAILED);
  close(file);
  return map;
}

/* y = x - w, with w [COUNT] and without data. */
static dbk_exec* compile_difference(dbk_exec* share) {
  graph g;
  dbk_exec* exec = NULL;
  graph_init(&g);
  const uint32_t x = graph_value(&g, "x", DBK_F32, 1, dims), y = graph_value(&g, "y", DBK_F32, 1, dims);
  const uint32_t w = graph_data(&g, "w", DBK_ORIGIN_PARAM, DBK_F32, 1, dims, NULL, 0, DBK_COPY);
  graph_node(&g, "Sub", IDS(x, w), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .share = share, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  return exec;
}

static void lend(dbk_exec* exec, const float* w, uint64_t byte_len) {
  const dbk_tensor tensor = tensor_of(DBK_F32, 1, dims, (void*)w, byte_len, DBK_UNTIL_DESTROY);
  OK(api->set_param(exec, 0, &tensor, ERR));
}

static dbk_run* run_new(dbk_exec* exec) {
  static float x[COUNT];
  const dbk_tensor tensor = tensor_of(DBK_F32, 1, dims, x, sizeof x, DBK_COPY);
  dbk_run* run = NULL;
  for (int i = 0; i < COUNT; i++) x[i] = (float)(2 * i);
  OK(api->run_create(exec, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &tensor, ERR));
  return run;
}

/* w[i] is `first` + i */
static void run_and_check(dbk_run* run, float first) {
  static float y[COUNT];
  const dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  for (int i = 0; i < COUNT; i++) TEST_ASSERT_EQUAL_FLOAT((float)i - first, y[i]);
}

static dbk_exec* ready_with(const float* w, uint64_t byte_len) {
  dbk_exec* exec = compile_difference(NULL);
  lend(exec, w, byte_len);
  OK(api->exec_ready(exec, NULL, ERR));
  return exec;
}

static uint64_t weight_bytes(dbk_exec* exec) {
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  OK(api->stats(NULL, exec, NULL, &stats, ERR));
  return stats.weight_bytes;
}

static void file_gone_after_exec_destroy(void) {
  float* w = map_file(3, 7);
  dbk_exec* exec = ready_with(w, BYTES);
  expect_live(1);
  if (borrows) TEST_ASSERT_EQUAL_UINT64(0, weight_bytes(exec));
  dbk_run* run = run_new(exec);
  run_and_check(run, 7);
  fault_note("mapped file after exec_destroy", 0);
  api->exec_destroy(exec);
  munmap(w, BYTES);
  expect_live(0);
  FAILS(DBK_FAILED_PRECONDITION, NULL, api->run(run, NULL, NULL, ERR));
  api->run_destroy(run); /* the run outlives its executable's handle, not the loan */
}

static void file_gone_after_replacement(void) {
  float *first = map_file(3, 1), *second = map_file(3, 20);
  dbk_exec* exec = ready_with(first, BYTES);
  dbk_run* run = run_new(exec);
  run_and_check(run, 1);
  lend(exec, second, BYTES);
  OK(api->exec_ready(exec, NULL, ERR));
  fault_note("mapped file after its replacement", 0);
  munmap(first, BYTES);
  expect_live(1);
  run_and_check(run, 20);
  api->run_destroy(run);
  api->exec_destroy(exec);
  munmap(second, BYTES);
  expect_live(0);
}

static void file_gone_after_ctx_destroy(void) {
  float* w = map_file(3, 3);
  dbk_exec* exec = ready_with(w, BYTES);
  dbk_run* run = run_new(exec);
  run_and_check(run, 3);
  fault_note("mapped file after ctx_destroy", 0);
  api->ctx_destroy(ctx);
  munmap(w, BYTES);
  expect_live(0);
  api->run_destroy(run);
  api->exec_destroy(exec);
  ctx = ctx_new();
}

/* Several tensors of one borrowed blob, one of them not at the start of a page: the pages around it are lent too. */
static void parts_of_a_blob(void) {
  enum { FILE_PAGES = 8 };
  const int64_t part_dims[1] = {1000};
  float* file = map_file(FILE_PAGES, 0);
  const uint64_t offsets[3] = {0, PAGE + 256, 5 * PAGE + 1024};
  graph g;
  dbk_exec* exec = NULL;
  dbk_run* run = NULL;
  graph_init(&g);
  uint32_t sum = graph_value(&g, "x", DBK_F32, 1, part_dims);
  graph_inputs(&g, 0, IDS(sum));
  for (int i = 0; i < 3; i++) {
    char name[8];
    snprintf(name, sizeof name, "w%d", i);
    const uint32_t w = graph_data(&g, name, DBK_ORIGIN_PARAM, DBK_F32, 1, part_dims, file, 4000, DBK_UNTIL_DESTROY);
    g.blobs[g.values[w].blob].len = FILE_PAGES * PAGE;
    g.values[w].blob_off = offsets[i];
    const uint32_t next = graph_value(&g, i == 2 ? "y" : "", DBK_F32, 1, part_dims);
    graph_node(&g, "Add", IDS(sum, w), IDS(next));
    sum = next;
  }
  graph_outputs(&g, 0, IDS(sum));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  expect_live(3);
  if (borrows) TEST_ASSERT_EQUAL_UINT64(0, weight_bytes(exec));
  float x[1000] = {0}, y[1000];
  const dbk_tensor tensor = tensor_of(DBK_F32, 1, part_dims, x, sizeof x, DBK_COPY);
  const dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  OK(api->run_create(exec, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &tensor, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  for (int i = 0; i < 1000; i++)
    TEST_ASSERT_EQUAL_FLOAT((float)(offsets[0] + offsets[1] + offsets[2]) / 4 + 3 * (float)i, y[i]);
  api->run_destroy(run);
  api->exec_destroy(exec);
  fault_note("borrowed blob after exec_destroy", 0);
  munmap(file, FILE_PAGES * PAGE);
  expect_live(0);
}

/* Between two pages that fault. */
static void nothing_beside_the_loan(void) {
  char* map = mmap(NULL, BYTES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  TEST_ASSERT_TRUE(map != MAP_FAILED);
  float* w = (float*)(map + PAGE);
  TEST_ASSERT_EQUAL_INT(0, mprotect(w, BYTES, PROT_READ | PROT_WRITE));
  for (int i = 0; i < COUNT; i++) w[i] = 5 + (float)i;
  fault_note("pages beside a loan", 0);
  dbk_exec* exec = ready_with(w, BYTES);
  expect_live(1);
  dbk_run* run = run_new(exec);
  run_and_check(run, 5);
  api->run_destroy(run);
  api->exec_destroy(exec);
  munmap(map, BYTES + 2 * PAGE);
  expect_live(0);
}

/* A length that ends inside its last page: a GPU would have to take what was not lent, and copies. */
static void part_of_a_page_is_copied(void) {
  const int64_t short_dims[1] = {COUNT - 8};
  float* w = map_file(3, 2);
  graph g;
  dbk_exec* exec = NULL;
  graph_init(&g);
  const uint32_t x = graph_value(&g, "x", DBK_F32, 1, short_dims), y = graph_value(&g, "y", DBK_F32, 1, short_dims);
  const uint32_t p = graph_data(&g, "w", DBK_ORIGIN_PARAM, DBK_F32, 1, short_dims, NULL, 0, DBK_COPY);
  graph_node(&g, "Sub", IDS(x, p), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  const uint64_t bytes = BYTES - 32;
  dbk_tensor tensor = tensor_of(DBK_F32, 1, short_dims, w, bytes, DBK_UNTIL_DESTROY);
  OK(api->set_param(exec, 0, &tensor, ERR)); /* what lies behind it in its last page is not lent */
  OK(api->exec_ready(exec, NULL, ERR));
  expect_live(0);
  TEST_ASSERT_EQUAL_UINT64(on_gpu() ? bytes : 0, weight_bytes(exec));
  tensor.byte_len = BYTES; /* now it is */
  OK(api->set_param(exec, 0, &tensor, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  expect_live(1);
  if (borrows) TEST_ASSERT_EQUAL_UINT64(0, weight_bytes(exec));
  api->exec_destroy(exec);
  munmap(w, BYTES);
  expect_live(0);
}

/* A driver that says no: the bytes are copied, and nothing else on the device notices. */
static void refused_by_the_driver(void) {
  driver_needed();
  float *lent = map_file(3, 9), *neighbour = map_file(3, 4);
  dbk_exec* other = ready_with(neighbour, BYTES);
  dbk_run* other_run = run_new(other);
  the_driver.refuse_imports(1);
  dbk_exec* exec = ready_with(lent, BYTES);
  if (borrows) expect_live(1);
  TEST_ASSERT_EQUAL_UINT64(BYTES, weight_bytes(exec));
  dbk_run* run = run_new(exec);
  run_and_check(run, 9);
  run_and_check(other_run, 4);
  dbk_buffer* buffer = NULL;
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc),
                          .device = device,
                          .byte_len = BYTES,
                          .host_ptr = lent,
                          .ownership = DBK_UNTIL_DESTROY};
  FAILS(DBK_UNIMPLEMENTED, "host_ptr", api->buffer_create(ctx, &desc, &buffer, ERR));
  the_driver.refuse_imports(0);
  run_and_check(other_run, 4);
  api->run_destroy(run);
  api->run_destroy(other_run);
  api->exec_destroy(exec);
  api->exec_destroy(other);
  munmap(lent, BYTES);
  munmap(neighbour, BYTES);
  expect_live(0);
}

static void lose(dbk_run* run) {
  the_driver.lose_devices(1);
  FAILS(DBK_UNAVAILABLE, "lost", api->run(run, NULL, NULL, ERR));
}

static void device_lost_and_recovered(void) {
  driver_needed();
  float* w = map_file(3, 6);
  dbk_exec* exec = ready_with(w, BYTES);
  dbk_run* run = run_new(exec);
  run_and_check(run, 6);
  lose(run);
  OK(api->device_recover(ctx, device, NULL, ERR));
  expect_live(1);
  dbk_run* again = run_new(exec);
  run_and_check(again, 6);
  api->run_destroy(run);
  api->run_destroy(again);
  api->exec_destroy(exec);
  munmap(w, BYTES);
  expect_live(0);
}

static void device_lost_for_good(void) {
  driver_needed();
  float* w = map_file(3, 6);
  dbk_exec* exec = ready_with(w, BYTES);
  dbk_run* run = run_new(exec);
  run_and_check(run, 6);
  lose(run);
  api->exec_destroy(exec);
  munmap(w, BYTES);
  expect_live(0);
  api->run_destroy(run);
}

/* One thread runs, another replaces the loan and unmaps the old one at once: a run sees the one or the other, or is
 * refused because nothing is ready. */
typedef struct runner {
  dbk_run* run;
  int stop, runs, wrong;
} runner;

static void* run_until_stopped(void* argument) {
  runner* r = argument;
  static float y[COUNT];
  const dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  while (!__atomic_load_n(&r->stop, __ATOMIC_ACQUIRE)) {
    const dbk_status status = api->run(r->run, NULL, NULL, NULL);
    if (status == DBK_FAILED_PRECONDITION) continue;
    r->wrong += status != DBK_OK;
    if (api->read(r->run, &copy, 1, sizeof copy, NULL, NULL) != DBK_OK) continue; /* replaced meanwhile */
    r->runs++;
    for (int i = 1; i < COUNT; i++) r->wrong += y[i] != y[0] + (float)i;
  }
  return NULL;
}

static void replaced_while_another_thread_runs(void) {
  float* w = map_file(3, 1);
  dbk_exec* exec = ready_with(w, BYTES);
  runner r = {.run = run_new(exec)};
  pthread_t thread;
  TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread, NULL, run_until_stopped, &r));
  fault_note("a loan replaced while another thread runs", 0);
  for (int i = 0; i < 60; i++) {
    float* next = map_file(3, (float)i);
    const dbk_tensor tensor = tensor_of(DBK_F32, 1, dims, next, BYTES, DBK_UNTIL_DESTROY);
    dbk_status status;
    while ((status = api->set_param(exec, 0, &tensor, NULL)) == DBK_FAILED_PRECONDITION) sched_yield(); /* in flight */
    TEST_ASSERT_EQUAL_INT(DBK_OK, status);
    OK(api->exec_ready(exec, NULL, ERR));
    munmap(w, BYTES);
    w = next;
    usleep(1000);
  }
  __atomic_store_n(&r.stop, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  TEST_ASSERT_EQUAL_INT(0, r.wrong);
  TEST_ASSERT_TRUE_MESSAGE(r.runs > 0, "no run happened");
  api->exec_destroy(exec);
  munmap(w, BYTES);
  api->run_destroy(r.run);
  expect_live(0);
}

/* Shared, the loan is that of both: it ends with the last of them. */
static void shared_loan(void) {
  float* w = map_file(3, 8);
  dbk_exec* first = ready_with(w, BYTES);
  dbk_exec* second = compile_difference(first);
  OK(api->exec_ready(second, NULL, ERR));
  expect_live(2);
  if (borrows) TEST_ASSERT_EQUAL_UINT64(0, weight_bytes(second));
  dbk_run* run = run_new(second);
  api->exec_destroy(first);
  expect_live(1);
  run_and_check(run, 8);
  api->run_destroy(run);
  api->exec_destroy(second);
  fault_note("mapped file after the last executable that shares it", 0);
  munmap(w, BYTES);
  expect_live(0);
}

int main(void) {
  fault_report_install();
  plugin_load();
  driver_find();
  UNITY_BEGIN();
  RUN_TEST(file_gone_after_exec_destroy);
  RUN_TEST(file_gone_after_replacement);
  RUN_TEST(file_gone_after_ctx_destroy);
  RUN_TEST(parts_of_a_blob);
  RUN_TEST(nothing_beside_the_loan);
  RUN_TEST(part_of_a_page_is_copied);
  RUN_TEST(refused_by_the_driver);
  RUN_TEST(device_lost_and_recovered);
  RUN_TEST(device_lost_for_good);
  RUN_TEST(shared_loan);
  RUN_TEST(replaced_while_another_thread_runs);
  return UNITY_END();
}

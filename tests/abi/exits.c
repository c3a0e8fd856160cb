/* Test 9: a process may end at any moment with live objects. Each way to end runs in a child of its own, which must
 * be gone with exit status 0 within five seconds of the call of exit, and print nothing. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "harness.h"
#include "mlp.h"
#include "process.h"

static dbk_ctx* ctx; /* static, like everything left alive: a leak checker must find it reachable */
static dbk_exec* exec;
static dbk_run* run;
static slow work;
static double* left_at; /* shared with the children: when exit was called */

static void child_open(void) {
  plugin_load();
  ctx = ctx_new();
}

static int leave(int status) {
  *left_at = seconds_now();
  return status;
}

static void start_long_run(void) {
  slow_start(&work, ctx, on_gpu() ? 4 : 64);
  TEST_ASSERT_TRUE_MESSAGE(slow_busy(&work), "the run was over already: this proves nothing");
}

static void destroy_everything(void) {
  api->event_destroy(work.done);
  api->run_destroy(work.run);
  api->exec_destroy(work.exec);
  api->ctx_destroy(ctx);
}

static int live_objects(void* arg) {
  (void)arg;
  child_open();
  exec = mlp_ready(ctx);
  run = mlp_run_new(exec);
  return leave(0);
}

static int run_in_flight(void* arg) {
  (void)arg;
  child_open();
  start_long_run();
  return leave(0);
}

/* Registered before the plugin is loaded: runs after the exit handlers of every library the plugin brings along. */
static int destroyed_late_in_atexit(void* arg) {
  (void)arg;
  atexit(destroy_everything);
  child_open();
  start_long_run();
  return leave(0);
}

static int destroyed_early_in_atexit(void* arg) {
  (void)arg;
  child_open();
  start_long_run();
  atexit(destroy_everything);
  return leave(0);
}

static void* exit_here(void* arg) {
  (void)arg;
  exit(leave(0));
}

static int exit_from_another_thread(void* arg) {
  pthread_t thread;
  (void)arg;
  child_open();
  start_long_run();
  if (pthread_create(&thread, NULL, exit_here, NULL) != 0) return 4;
  api->event_wait(work.done, DBK_WAIT_FOREVER, NULL); /* inside the plugin while the process ends */
  pthread_join(thread, NULL);
  return 5; /* not reached: the other thread ends the process */
}

static int nothing_left(void* arg) {
  (void)arg;
  child_open();
  api->ctx_destroy(ctx);
  return leave(0);
}

static void expect_clean_exit(int (*body)(void*)) {
  char output[4096];
  *left_at = 0;
  int status = child_run(body, NULL, 120, output, sizeof output);
  double took = seconds_now() - *left_at;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, output);
  TEST_ASSERT_EQUAL_STRING("", output);
  TEST_ASSERT_TRUE_MESSAGE(took < 5, "exit took over five seconds");
}

#define EXIT_TEST(name) \
  static void test_##name(void) { expect_clean_exit(name); }
EXIT_TEST(nothing_left)
EXIT_TEST(live_objects)
EXIT_TEST(run_in_flight)
EXIT_TEST(destroyed_late_in_atexit)
EXIT_TEST(destroyed_early_in_atexit)
EXIT_TEST(exit_from_another_thread)

static int probe(void* arg) {
  (void)arg;
  child_open();
  return 0;
}

int main(void) {
  char output[1024];
  /* The parent never loads the plugin; a child finds out whether there is a device at all. */
  int status = child_run(probe, NULL, 60, output, sizeof output);
  printf("%s", output);
  if (status == SKIPPED) return SKIPPED;
  left_at = mmap(NULL, sizeof *left_at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  UNITY_BEGIN();
  RUN_TEST(test_nothing_left);
  RUN_TEST(test_live_objects);
  RUN_TEST(test_run_in_flight);
  RUN_TEST(test_destroyed_late_in_atexit);
  RUN_TEST(test_destroyed_early_in_atexit);
  RUN_TEST(test_exit_from_another_thread);
  return UNITY_END();
}

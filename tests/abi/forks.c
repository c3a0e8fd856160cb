/* Test 12: fork. A plugin loaded before fork serves a new context in the child; a context made before fork answers
 * FAILED_PRECONDITION there to every call, is destroyed without waiting for threads that the child does not have, and
 * lets the child exit. The parent goes on undisturbed. */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"
#include "process.h"

static dbk_ctx* ctx;
static dbk_exec* exec;
static dbk_run* run;
static dbk_buffer* buffer;
static dbk_event* event;

static void expect_child(int (*body)(void*)) {
  char output[4096];
  int status = child_run(body, NULL, 30, output, sizeof output);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, status == CHILD_TIMEOUT ? "the child hangs" : output);
  TEST_ASSERT_EQUAL_STRING("", output);
}

static void open_everything(void) {
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .byte_len = 64};
  ctx = ctx_new();
  exec = mlp_ready(ctx);
  run = mlp_run_new(exec);
  desc.device = device;
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  OK(api->run(run, NULL, &event, ERR));
  OK(api->event_wait(event, DBK_WAIT_FOREVER, ERR));
}

static void close_everything(void) {
  api->event_destroy(event);
  api->buffer_destroy(buffer);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

static int new_session(void* arg) {
  (void)arg;
  return mlp_session(api, "child");
}

static int refused_calls(void* arg) {
  uint32_t n = 0;
  int64_t dims[4];
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  dbk_copy copy = {.byte_len = 4, .dst = dims};
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .ctx = ctx, .kind = str_of("device")};
  dbk_str name = str_of("weight");
  void* out = NULL;
  (void)arg;
#define REFUSED(call) FAILS(DBK_FAILED_PRECONDITION, "fork", call)
  REFUSED(api->device_count(ctx, &n, ERR));
  REFUSED(api->device_info(ctx, device, &info, ERR));
  REFUSED(api->device_recover(ctx, device, NULL, ERR));
  REFUSED(api->report(&desc, (dbk_text**)&out, ERR));
  REFUSED(api->stats(ctx, NULL, NULL, &stats, ERR));
  REFUSED(api->exec_count(exec, DBK_INPUT, &n, ERR));
  REFUSED(api->exec_io(exec, DBK_INPUT, 0, &io, ERR));
  REFUSED(api->exec_find(exec, DBK_PARAM, &name, &n, ERR));
  REFUSED(api->set_param(exec, 0, &x, ERR));
  REFUSED(api->exec_ready(exec, NULL, ERR));
  REFUSED(api->run_create(exec, NULL, (dbk_run**)&out, ERR));
  REFUSED(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  REFUSED(api->run_set_dim(run, 0, 1, ERR));
  REFUSED(api->run_shape(run, DBK_OUTPUT, 0, dims, 4, &n, &n, ERR));
  REFUSED(api->run(run, NULL, NULL, ERR));
  REFUSED(api->run_cancel(run, ERR));
  REFUSED(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  REFUSED(api->event_wait(event, 0, ERR));
  REFUSED(api->event_cancel(event, ERR));
  REFUSED(api->buffer_write(buffer, 0, dims, 8, NULL, ERR));
  REFUSED(api->buffer_map(buffer, DBK_MAP_READ, 0, 8, &out, ERR));
  return 0;
}

static int refused_compile_and_check(void* arg) {
  graph g;
  void* out = NULL;
  (void)arg;
  mlp_graph(&g, MLP_COPIED);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  dbk_buffer_desc buffer_desc = {.hdr = hdr_of(sizeof buffer_desc), .device = device, .byte_len = 64};
  REFUSED(api->compile(ctx, &desc, (dbk_exec**)&out, ERR));
  REFUSED(api->check(ctx, &desc, (dbk_text**)&out, ERR));
  REFUSED(api->buffer_create(ctx, &buffer_desc, (dbk_buffer**)&out, ERR));
  return 0;
}

static int destroy_all(void* arg) {
  (void)arg;
  close_everything();
  return 0;
}

static int just_exit(void* arg) {
  (void)arg;
  return 0;
}

static void context_after_fork(void) { expect_child(new_session); }

static void context_before_fork(void) {
  open_everything();
  expect_child(refused_calls);
  expect_child(refused_compile_and_check);
  expect_child(destroy_all);
  expect_child(new_session);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  close_everything();
}

static void child_exits(void) {
  if (on_gpu()) TEST_IGNORE_MESSAGE("exit handlers of Mesa's drivers join threads that a child does not have");
  open_everything();
  expect_child(just_exit);
  close_everything();
}

static void fork_during_a_run(void) {
  slow s;
  ctx = ctx_new();
  slow_start(&s, ctx, on_gpu() ? 4 : 32);
  expect_child(just_exit);
  slow_end(&s);
  api->ctx_destroy(ctx);
}

int main(void) {
  plugin_load();
  if (on_gpu()) {
    dbk_ctx* first = ctx_new(); /* skip here where there is no GPU */
    api->ctx_destroy(first);
    child_leaves_quickly = 1; /* see child_exits */
  }
  UNITY_BEGIN();
  if (!on_gpu()) RUN_TEST(context_after_fork);
  RUN_TEST(context_before_fork);
  RUN_TEST(child_exits);
  RUN_TEST(fork_during_a_run);
  return UNITY_END();
}

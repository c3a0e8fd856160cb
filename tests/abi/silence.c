/* The plugin never prints: a whole session with successes, failures and every report, on CPU and GPU, in a child whose
 * stdout and stderr are a pipe that must stay empty; log messages go to the host's hook only. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"
#include "process.h"

static void DBK_CALL swallow(void* user, uint32_t level, const char* msg, uint64_t len) {
  (void)level, (void)msg;
  *(uint64_t*)user += len > 0;
}

static void failing_calls(dbk_ctx* ctx) {
  graph g;
  dbk_exec* exec = NULL;
  dbk_buffer* buffer = NULL;
  mlp_graph(&g, MLP_COPIED);
  g.nodes[1].inputs.off = 0x40000000;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  dbk_buffer_desc huge = {.hdr = hdr_of(sizeof huge), .device = device, .byte_len = (uint64_t)1 << 60};
  if (api->compile(ctx, &desc, &exec, NULL) == DBK_OK || api->buffer_create(ctx, &huge, &buffer, NULL) == DBK_OK)
    exit(3);
}

static void every_report(dbk_ctx* ctx, dbk_exec* exec) {
  static const char* const kinds[] = {"device", "options", "ops", "plan", "placement", "schedule", "stats", "no such"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    dbk_report_desc desc = {
        .hdr = hdr_of(sizeof desc), .ctx = i < 3 ? ctx : NULL, .exec = i < 3 ? NULL : exec, .kind = str_of(kinds[i])};
    dbk_text* text = NULL;
    if (api->report(&desc, &text, NULL) == DBK_OK) api->text_destroy(text);
  }
}

static int session(void* arg) {
  uint64_t messages = 0;
  dbk_host host = host_desc();
  (void)arg;
  plugin_load();
  host.log = swallow, host.user = &messages, host.log_level = DBK_LOG_DEBUG;
  dbk_ctx* ctx = ctx_new_with(api, &host);
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  failing_calls(ctx);
  every_report(ctx, exec);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
  return mlp_session(api, NULL); /* and without a log hook */
}

/* The child did print if it wanted to: else an empty pipe would prove nothing. */
static int talkative(void* arg) {
  (void)arg;
  return system("echo to stdout; echo to stderr >&2") == 0 ? 0 : 1;
}

static void the_pipe_works(void) {
  char output[256];
  TEST_ASSERT_EQUAL_INT(0, child_run(talkative, NULL, 30, output, sizeof output));
  TEST_ASSERT_EQUAL_STRING("to stdout\nto stderr\n", output);
}

static void a_session_prints_nothing(void) {
  char output[4096];
  int status = child_run(session, NULL, 120, output, sizeof output);
  if (status == SKIPPED) TEST_IGNORE_MESSAGE(output);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, output);
  TEST_ASSERT_EQUAL_STRING("", output);
}

int main(void) {
  UNITY_BEGIN();
  RUN_TEST(the_pipe_works);
  RUN_TEST(a_session_prints_nothing);
  return UNITY_END() != 0 ? 1 : Unity.TestIgnores > 0 ? SKIPPED : 0;
}

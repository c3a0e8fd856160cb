/* Test 11: two hosts that know nothing of each other share one loaded plugin, each with its own log; and two files of
 * the plugin live side by side in one process without mixing. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "mlp.h"

static int heard[2];
static void DBK_CALL listen(void* user, uint32_t level, const char* msg, uint64_t len) {
  (void)level, (void)msg, (void)len;
  heard[(intptr_t)user]++;
}

static dbk_ctx* ctx_of(intptr_t number, const char* name) {
  dbk_host host = host_desc();
  host.name = name;
  host.user = (void*)number, host.log = listen, host.log_level = DBK_LOG_DEBUG;
  return ctx_new_with(api, &host);
}

static void compute_on(dbk_ctx* ctx) {
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static void two_hosts_share_one_plugin(void) {
  dbk_ctx *first = ctx_of(0, "first host"), *second = ctx_of(1, "second host");
  int silent;
  compute_on(first);
  compute_on(second);
  api->ctx_destroy(first); /* must not disturb the other, and silences the first host's log for ever */
  silent = heard[0];
  compute_on(second);
  TEST_ASSERT_EQUAL_INT(silent, heard[0]);
  api->ctx_destroy(second);
}

/* An event of one context is nothing that the other may wait for. */
static void objects_of_two_contexts_do_not_mix(void) {
  dbk_ctx *first = ctx_of(0, "first host"), *second = ctx_of(1, "second host");
  dbk_exec *e1 = mlp_ready(first), *e2 = mlp_ready(second);
  dbk_run *r1 = mlp_run_new(e1), *r2 = mlp_run_new(e2);
  dbk_event* done = NULL;
  OK(api->run(r1, NULL, &done, ERR));
  dbk_submit submit = {.hdr = hdr_of(sizeof submit), .wait = &done, .wait_count = 1};
  FAILS(DBK_INVALID_ARGUMENT, "context|wait", api->run(r2, &submit, NULL, ERR));
  OK(api->event_wait(done, DBK_WAIT_FOREVER, ERR));
  api->event_destroy(done);
  api->run_destroy(r1);
  api->run_destroy(r2);
  api->exec_destroy(e1);
  api->exec_destroy(e2);
  api->ctx_destroy(first);
  api->ctx_destroy(second);
}

static void copy_file(const char* from, const char* to) {
  struct stat info;
  off_t at = 0;
  int in = open(from, O_RDONLY), out = open(to, O_WRONLY | O_CREAT | O_EXCL, 0700);
  TEST_ASSERT_TRUE(in >= 0 && out >= 0 && fstat(in, &info) == 0);
  while (at < info.st_size) TEST_ASSERT_TRUE(sendfile(out, in, &at, (size_t)(info.st_size - at)) > 0);
  close(in);
  close(out);
}

static void two_files_in_one_process(void) {
  char dir[] = "/tmp/daybreak_abi_XXXXXX", path[64];
  const dbk_api* second = NULL;
  TEST_ASSERT_NOT_NULL(mkdtemp(dir));
  snprintf(path, sizeof path, "%s/libother.so", dir);
  copy_file(plugin_path(), path);
  plugin_open(path, &second);
  unlink(path);
  rmdir(dir);
  TEST_ASSERT_TRUE_MESSAGE(second != api, "the copy gave the first one's table");
  TEST_ASSERT_EQUAL_INT(0, mlp_session(second, "second file"));
  TEST_ASSERT_EQUAL_INT(0, mlp_session(api, "first file"));
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(two_hosts_share_one_plugin);
  RUN_TEST(objects_of_two_contexts_do_not_mix);
  RUN_TEST(two_files_in_one_process);
  return UNITY_END();
}

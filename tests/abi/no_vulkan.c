/* A machine without Vulkan, without a driver or with a broken loader still has the CPU device, is told why there is no
 * GPU (report "device"), and sees nothing on stderr. The environment of the test takes the driver or (no_loader.c) the
 * loader away; the child below must find it so. usage: no_vulkan [no-loader] */
#include <dlfcn.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"
#include "process.h"

static void no_gpu_listed(dbk_ctx* ctx) {
  uint32_t count = 0;
  OK(api->device_count(ctx, &count, ERR));
  for (uint32_t i = 0; i < count; i++) {
    dbk_device_info info = {.hdr = hdr_of(sizeof info)};
    OK(api->device_info(ctx, i, &info, ERR));
    TEST_ASSERT_TRUE_MESSAGE((info.kind == DBK_DEVICE_CPU) == (i + 1 == count), "the CPU is last and alone usable");
    TEST_ASSERT_TRUE_MESSAGE(info.kind == DBK_DEVICE_CPU || info.score == 0, info.name);
  }
}

static void reason_told(dbk_ctx* ctx) {
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .ctx = ctx, .kind = str_of("device")};
  dbk_text* text = NULL;
  const char* chars = NULL;
  uint64_t length = 0;
  OK(api->report(&desc, &text, ERR));
  TEST_ASSERT_EQUAL_INT32(DBK_OK, api->text_get(text, &chars, &length));
  TEST_ASSERT_TRUE_MESSAGE(mentions(chars, "no adapter|no GPU|no Vulkan|without a GPU|not found|built without"), chars);
  TEST_ASSERT_NULL_MESSAGE(strstr(chars, "\"available\":false,\"reason\":\"\""), chars);
  api->text_destroy(text);
}

/* Looks for GPUs, unlike the other CPU tests, and goes to the default device. */
static int session(void* arg) {
  dbk_host host = host_desc();
  dbk_ctx* ctx = NULL;
  (void)arg;
  plugin_load();
  OK(api->ctx_create(&host, NULL, &ctx, ERR));
  no_gpu_listed(ctx);
  reason_told(ctx);
  device = DBK_DEVICE_DEFAULT;
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
  return 0;
}

static int no_loader;

/* The environment really hides the loader; asked in the parent, so that nothing is loaded in the child. */
static void the_loader_is_hidden(void) {
  void* loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  if (no_loader) TEST_ASSERT_NULL_MESSAGE(loader, "this test would prove nothing");
}

static void the_cpu_serves_and_the_reason_is_told(void) {
  char output[8192];
  int status = child_run(session, NULL, 60, output, sizeof output);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, status, output);
  TEST_ASSERT_EQUAL_STRING("", output);
}

int main(int argc, char** argv) {
  no_loader = argc > 1 && strcmp(argv[1], "no-loader") == 0;
  UNITY_BEGIN();
  RUN_TEST(the_cpu_serves_and_the_reason_is_told);
  RUN_TEST(the_loader_is_hidden);
  return UNITY_END();
}

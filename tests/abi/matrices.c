/* Matrices of subgroups are tried on a device of their own before kernels use them. What keeps a driver from answering
 * then is no failure of exec_ready and no verdict on the matrices: this executable does without, the next one asks
 * again. */
#include <stdio.h>
#include <string.h>

#include "driver.h"
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* other; /* for which the context has its device */
static char log_text[1 << 16];

static void DBK_CALL note(void* user, uint32_t level, const char* msg, uint64_t len) {
  const size_t used = strlen(log_text);
  (void)user;
  (void)level;
  snprintf(log_text + used, sizeof log_text - used, "%.*s\n", (int)len, msg);
}

static dbk_ctx* ctx_with_matrices(void) {
  dbk_host host = host_desc();
  dbk_kv coop = kv_string("matmul_family", "coop");
  dbk_options options = options_of(&coop, 1);
  dbk_ctx* made = NULL;
  host.log = note, host.log_level = DBK_LOG_INFO;
  OK(api->ctx_create(&host, &options, &made, ERR));
  return made;
}

/* y = -x */
static dbk_exec* negation_ready(void) {
  graph g;
  dbk_exec* exec = NULL;
  graph_init(&g);
  const uint32_t x = graph_value(&g, "x", DBK_F32, 2, mlp_x_dims), y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Neg", IDS(x), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  return exec;
}

void setUp(void) {
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  ctx = NULL, other = NULL;
  driver_needed();
  api->ctx_destroy(ctx_new()); /* finds the device under test */
  ctx = ctx_with_matrices();
  OK(api->device_info(ctx, device, &info, ERR));
  if (!(info.features & DBK_FEATURE_SUBGROUP_MATRIX)) TEST_IGNORE_MESSAGE("this device has no matrices of subgroups");
  other = negation_ready();
  log_text[0] = '\0';
}

void tearDown(void) {
  driver_reset();
  mlp_close(ctx, other);
}

static int on_matrices(dbk_exec* exec) {
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .exec = exec, .kind = str_of("schedule")};
  dbk_text* text = NULL;
  const char* json = NULL;
  uint64_t length = 0;
  OK(api->report(&desc, &text, ERR));
  TEST_ASSERT_EQUAL_INT32(DBK_OK, api->text_get(text, &json, &length));
  const int found = strstr(json, "/coop") != NULL;
  api->text_destroy(text);
  return found;
}

/* The network gets ready and computes, with matrices or without them. */
static void works(int with_matrices) {
  dbk_exec* exec = mlp_ready(ctx);
  driver_reset();
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  TEST_ASSERT_EQUAL_INT_MESSAGE(with_matrices, on_matrices(exec), log_text);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static int times_told(const char* what) {
  int times = 0;
  for (const char* at = log_text; (at = strstr(at, what)) != NULL; at++) times++;
  return times;
}

static void no_device_to_try_them_on(void) {
  the_driver.refuse_devices(1);
  works(0);
  TEST_ASSERT_TRUE_MESSAGE(times_told("not used this time") > 0, log_text);
  works(1);
}

static void no_memory_to_try_them_in(void) {
  the_driver.make_devices_poor(1);
  works(0);
  TEST_ASSERT_TRUE_MESSAGE(times_told("not used this time") > 0, log_text);
  works(1);
}

/* Somebody else may have reset it. */
static void a_device_is_lost_once(void) {
  the_driver.lose_devices(1);
  works(1);
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, times_told("not used"), log_text);
}

/* The kind that was tried on both is not tried again; the others are what they are. */
static void two_devices_are_lost(void) {
  the_driver.lose_devices(2);
  works(1);
  works(1);
  TEST_ASSERT_EQUAL_INT_MESSAGE(1, times_told("not used"), log_text);
}

int main(void) {
  plugin_load();
  driver_find();
  UNITY_BEGIN();
  RUN_TEST(no_device_to_try_them_on);
  RUN_TEST(no_memory_to_try_them_in);
  RUN_TEST(a_device_is_lost_once);
  RUN_TEST(two_devices_are_lost);
  return UNITY_END();
}

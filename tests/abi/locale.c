/* Test 19: a host whose locale has other letters. In Turkish the capital of i is no I, nor the small letter of I an i:
 * in UTF-8 both stay as they are. Variables and selectors are ASCII all the same. The tables of the C library are
 * replaced by such ones, because few machines have that locale. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"

int(toupper)(int c) { return c >= 'a' && c <= 'z' && c != 'i' ? c - 'a' + 'A' : c; }
int(tolower)(int c) { return c >= 'A' && c <= 'Z' && c != 'I' ? c - 'A' + 'a' : c; }

/* What compilers read in place of a call: tables for -128 to 255. */
static __int32_t upper[384], lower[384];

const __int32_t** __ctype_toupper_loc(void) {
  static const __int32_t* table = upper + 128;
  return &table;
}

const __int32_t** __ctype_tolower_loc(void) {
  static const __int32_t* table = lower + 128;
  return &table;
}

void setUp(void) {}
void tearDown(void) {}

static void variables_keep_their_names(void) {
  dbk_host host = host_desc();
  dbk_ctx* ctx = POISON;
  setenv("DAYBREAK_PRECISION", "f33", 1);
  FAILS(DBK_INVALID_ARGUMENT, "DAYBREAK_PRECISION&f33", api->ctx_create(&host, NULL, &ctx, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, ctx);
  unsetenv("DAYBREAK_PRECISION");
}

static void named(dbk_ctx* ctx, const char* selector, uint32_t wanted) {
  graph g;
  const dbk_kv item = kv_string("device", selector);
  dbk_options options = options_of(&item, 1);
  dbk_exec_info info = {.hdr = hdr_of(sizeof info)};
  dbk_exec* exec = NULL;
  mlp_graph(&g, MLP_COPIED);
  dbk_compile_desc desc = {
      .hdr = hdr_of(sizeof desc), .graph = &g.tables, .options = &options, .device = DBK_DEVICE_DEFAULT};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_info(exec, &info, ERR));
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(wanted, info.device, selector);
  api->exec_destroy(exec);
}

static void devices_are_found_in_any_case(void) {
  dbk_ctx* ctx = ctx_new();
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  OK(api->device_info(ctx, device, &info, ERR));
  char name[sizeof info.name];
  for (int to_upper = 0; to_upper < 2; to_upper++) {
    strcpy(name, info.name);
    for (char* c = name; *c; c++)
      if (to_upper ? *c >= 'a' && *c <= 'z' : *c >= 'A' && *c <= 'Z') *c ^= 'a' ^ 'A';
    named(ctx, name, device);
  }
  api->ctx_destroy(ctx);
}

int main(void) {
  for (int c = -128; c < 256; c++) upper[c + 128] = (toupper)(c), lower[c + 128] = (tolower)(c);
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(variables_keep_their_names);
  RUN_TEST(devices_are_found_in_any_case);
  return UNITY_END();
}

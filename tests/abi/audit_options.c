/* Test 16: options. Unknown, repeated, mistyped and out-of-domain items are refused and named; an item flagged optional
 * is ignored where its key, type or value is unknown. Refused are also wrong versions, devices and modes in the structs
 * around them. */
#include <pthread.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static graph g;

void setUp(void) {
  ctx = ctx_new();
  mlp_graph(&g, MLP_COPIED);
}
void tearDown(void) { api->ctx_destroy(ctx); }

static dbk_status ctx_with(const dbk_kv* items, uint32_t count, dbk_error** error) {
  dbk_host host = host_desc();
  dbk_options options = options_of(items, count);
  dbk_ctx* made = POISON;
  dbk_status status = api->ctx_create(&host, &options, &made, error);
  if (status == DBK_OK)
    api->ctx_destroy(made);
  else
    TEST_ASSERT_EQUAL_PTR(POISON, made);
  return status;
}

static dbk_status compile_with(const dbk_kv* items, uint32_t count, dbk_error** error) {
  dbk_options options = options_of(items, count);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .options = &options, .device = device};
  dbk_exec* made = POISON;
  dbk_status status = api->compile(ctx, &desc, &made, error);
  if (status == DBK_OK)
    api->exec_destroy(made);
  else
    TEST_ASSERT_EQUAL_PTR(POISON, made);
  return status;
}

#define ONE(item) (dbk_kv[]){item}, 1

static void known_options_are_taken(void) {
  dbk_kv both[2] = {kv_bool("gpu", 0), kv_bool("validation", 1)};
  OK(ctx_with(both, 2, ERR));
  OK(ctx_with(ONE(kv_string("device", "cpu")), ERR));
  OK(compile_with(ONE(kv_string("policy", "prefer_gpu")), ERR));
  OK(compile_with(ONE(kv_string("precision", "f32")), ERR));
  OK(compile_with(ONE(kv_int("memory_budget", 1 << 30)), ERR));
}

static void unknown_keys(void) {
  dbk_kv item = kv_int("no_such_key", 1);
  FAILS(DBK_INVALID_ARGUMENT, "no_such_key", ctx_with(&item, 1, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "no_such_key", compile_with(&item, 1, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "policy",
        ctx_with(ONE(kv_string("policy", "prefer_gpu")), ERR)); /* of compile, not of ctx */
  item.flags = DBK_OPTION_OPTIONAL;
  OK(ctx_with(&item, 1, ERR));
  OK(compile_with(&item, 1, ERR));
  item.flags = 0x80;
  FAILS(DBK_INVALID_ARGUMENT, "no_such_key", ctx_with(&item, 1, ERR));
}

static dbk_kv optional(dbk_kv item) {
  item.flags = DBK_OPTION_OPTIONAL;
  return item;
}

/* A later plugin may know another type or value of a key that this one knows: an optional item is for both. */
static void optional_items_of_known_keys(void) {
  dbk_kv item = optional(kv_string("policy", "fastest"));
  OK(compile_with(&item, 1, ERR));
  OK(compile_with(ONE(optional(kv_int("policy", 1))), ERR));
  OK(compile_with(ONE(optional(kv_int("memory_budget", -1))), ERR));
  OK(ctx_with(ONE(optional(kv_bool("gpu", 2))), ERR));
  item.type = 4711;
  OK(compile_with(&item, 1, ERR));
  FAILS(DBK_OUT_OF_MEMORY, "budget", compile_with(ONE(optional(kv_int("memory_budget", 1))), ERR)); /* not ignored */
  item = optional(kv_string("policy", ""));
  item.v.s = (dbk_str){NULL, 5}; /* no text at all */
  FAILS(DBK_INVALID_ARGUMENT, "policy", compile_with(&item, 1, ERR));
}

/* Whether a key is repeated must not depend on what the plugin knows. */
static void optional_items_are_not_alternatives(void) {
  dbk_kv policies[2] = {optional(kv_string("policy", "fastest")), kv_string("policy", "prefer_gpu")};
  dbk_kv unknown[2] = {optional(kv_int("no_such_key", 1)), optional(kv_int("no_such_key", 2))};
  FAILS(DBK_INVALID_ARGUMENT, "policy", compile_with(policies, 2, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "no_such_key", compile_with(unknown, 2, ERR));
}

static void repeated_keys(void) {
  dbk_kv items[2] = {kv_bool("gpu", 0), kv_bool("gpu", 0)};
  dbk_kv budgets[2] = {kv_int("memory_budget", 1 << 30), kv_int("memory_budget", 1 << 30)};
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(items, 2, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "memory_budget", compile_with(budgets, 2, ERR));
}

static void wrong_types(void) {
  dbk_kv item = kv_bool("gpu", 0);
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(ONE(kv_int("gpu", 0)), ERR));
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(ONE(kv_string("gpu", "no")), ERR));
  FAILS(DBK_INVALID_ARGUMENT, "device", ctx_with(ONE(kv_int("device", 0)), ERR));
  FAILS(DBK_INVALID_ARGUMENT, "memory_budget", compile_with(ONE(kv_string("memory_budget", "1G")), ERR));
  item.type = 0;
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(&item, 1, ERR));
  item.type = 5;
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(&item, 1, ERR));
  item = kv_bool("gpu", 0), item.flags = 0x80; /* a flag nobody knows */
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(&item, 1, ERR));
}

static void wrong_values(void) {
  dbk_kv unnamed = kv_bool("gpu", 0);
  FAILS(DBK_INVALID_ARGUMENT, "gpu", ctx_with(ONE(kv_bool("gpu", 2)), ERR));
  FAILS(DBK_INVALID_ARGUMENT, "policy&fastest", compile_with(ONE(kv_string("policy", "fastest")), ERR));
  FAILS(DBK_INVALID_ARGUMENT, "precision&f33", compile_with(ONE(kv_string("precision", "f33")), ERR));
  FAILS(DBK_INVALID_ARGUMENT, "memory_budget", compile_with(ONE(kv_int("memory_budget", -1)), ERR));
  unnamed.key = (dbk_str){NULL, 3};
  FAILS(DBK_INVALID_ARGUMENT, "key", ctx_with(&unnamed, 1, ERR));
  unnamed.key = str_of("");
  FAILS(DBK_INVALID_ARGUMENT, "unknown|key", ctx_with(&unnamed, 1, ERR));
  dbk_kv policy = kv_string("policy", "");
  policy.v.s = (dbk_str){NULL, 5};
  FAILS(DBK_INVALID_ARGUMENT, "policy", compile_with(&policy, 1, ERR));
}

static dbk_status choose(const char* selector, dbk_error** error) {
  const dbk_kv item = kv_string("device", selector);
  dbk_options options = options_of(&item, 1);
  dbk_compile_desc desc = {
      .hdr = hdr_of(sizeof desc), .graph = &g.tables, .options = &options, .device = DBK_DEVICE_DEFAULT};
  dbk_exec* made = NULL;
  dbk_status status = api->compile(ctx, &desc, &made, error);
  api->exec_destroy(made);
  return status;
}

/* What is no index may be a part of a name: "4090", or the 512 of a CPU with avx512. */
static void digits_of_a_name(void) {
  uint32_t count = 0, named = 0;
  OK(api->device_count(ctx, &count, ERR));
  FAILS(DBK_NOT_FOUND, "4711471147", choose("4711471147", ERR));
  OK(choose("0", ERR));
  for (uint32_t d = 0; d < count; d++) {
    dbk_device_info info = {.hdr = hdr_of(sizeof info)};
    char* rest = NULL;
    OK(api->device_info(ctx, d, &info, ERR));
    for (char* c = strtok_r(info.name, " ()[]/,.-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", &rest); c;
         c = strtok_r(NULL, " ()[]/,.-abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", &rest)) {
      if (strspn(c, "0123456789") != strlen(c) || strlen(c) < 3 || c[0] == '0') continue;
      OK(choose(c, ERR));
      named++;
    }
  }
  if (named == 0) TEST_IGNORE_MESSAGE("no device has a number in its name");
}

/* The default device is looked up when it is needed: at the latest by the first compile. */
static void no_such_device(void) {
  dbk_kv item = kv_string("device", "abacus");
  dbk_options options = options_of(&item, 1);
  dbk_host host = host_desc();
  dbk_ctx* own = NULL;
  dbk_exec* exec = POISON;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = DBK_DEVICE_DEFAULT};
  dbk_status status = api->ctx_create(&host, &options, &own, ERR);
  if (status == DBK_OK) status = api->compile(own, &desc, &exec, ERR);
  check_fails(status, DBK_NOT_FOUND, "abacus", "device abacus", __LINE__);
  TEST_ASSERT_EQUAL_PTR(POISON, exec);
  api->ctx_destroy(own);
  desc.options = &options;
  FAILS(DBK_NOT_FOUND, "abacus", api->compile(ctx, &desc, &exec, ERR));
}

static void too_small_a_budget(void) {
  dbk_kv budget = kv_int("memory_budget", 1);
  dbk_options options = options_of(&budget, 1);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .options = &options, .device = device};
  const int64_t budgets[2] = {1, 1 << 30};
  FAILS(DBK_OUT_OF_MEMORY, "1|budget", compile_with(&budget, 1, ERR));
  for (int i = 0; i < 2; i++) { /* check says the same */
    dbk_text* text = NULL;
    const char* chars = NULL;
    uint64_t length = 0;
    budget.v.i = budgets[i];
    OK(api->check(ctx, &desc, &text, ERR));
    TEST_ASSERT_EQUAL_INT32(DBK_OK, api->text_get(text, &chars, &length));
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(chars, i ? "\"runs\":true" : "\"runs\":false"), chars);
    TEST_ASSERT_TRUE_MESSAGE((strstr(chars, "memory_budget of 1 bytes") != NULL) == (i == 0), chars);
    api->text_destroy(text);
  }
}

static void host_versions(void) {
  dbk_host host = host_desc();
  dbk_ctx* made = POISON;
  host.abi = DBK_ABI(1, 1); /* not what was agreed */
  FAILS(DBK_INVALID_ARGUMENT, "abi|1.1", api->ctx_create(&host, NULL, &made, ERR));
  host.abi = 0;
  FAILS(DBK_INVALID_ARGUMENT, "abi|0.0", api->ctx_create(&host, NULL, &made, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, made);
}

/* The host's own services: asked on the caller's thread, during the call alone; an answer to any name is no answer. */
typedef struct services {
  pthread_t thread;
  int asked, elsewhere;
  const void* answer;
} services;

static const void* DBK_CALL find_service(void* user, const char* id) {
  services* s = user;
  s->asked++;
  s->elsewhere += !pthread_equal(s->thread, pthread_self()) || id == NULL || strncmp(id, "dbk.", 4) != 0;
  return s->answer;
}

static void host_extensions(void) {
  services s = {.thread = pthread_self()};
  dbk_host host = host_desc();
  dbk_ctx* made = NULL;
  host.user = &s;
  host.log = NULL;
  host.get_extension = find_service;
  OK(api->ctx_create(&host, NULL, &made, ERR));
  TEST_ASSERT_TRUE(s.asked > 0);
  const int asked = s.asked;
  api->ctx_destroy(made);
  TEST_ASSERT_EQUAL_INT(asked, s.asked);
  made = POISON;
  s.answer = &s;
  FAILS(DBK_INVALID_ARGUMENT, "get_extension", api->ctx_create(&host, NULL, &made, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, made);
  TEST_ASSERT_EQUAL_INT(0, s.elsewhere);
}

static void compile_desc_numbers(void) {
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = 77};
  dbk_exec* made = POISON;
  dbk_text* text = POISON;
  FAILS(DBK_OUT_OF_RANGE, "77", api->compile(ctx, &desc, &made, ERR));
  FAILS(DBK_OUT_OF_RANGE, "77", api->check(ctx, &desc, &text, ERR));
  desc.device = device, desc.mode = 2;
  FAILS(DBK_INVALID_ARGUMENT, "mode", api->compile(ctx, &desc, &made, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "mode", api->check(ctx, &desc, &text, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, made);
  TEST_ASSERT_EQUAL_PTR(POISON, text);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(known_options_are_taken);
  RUN_TEST(unknown_keys);
  RUN_TEST(optional_items_of_known_keys);
  RUN_TEST(optional_items_are_not_alternatives);
  RUN_TEST(repeated_keys);
  RUN_TEST(wrong_types);
  RUN_TEST(wrong_values);
  RUN_TEST(digits_of_a_name);
  RUN_TEST(no_such_device);
  RUN_TEST(too_small_a_budget);
  RUN_TEST(host_versions);
  RUN_TEST(host_extensions);
  RUN_TEST(compile_desc_numbers);
  return UNITY_END();
}

/* See harness.h. Nothing here may keep plugin state between tests but the table itself. */
#include "harness.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const dbk_api* api;
dbk_error* err;
uint32_t device;
char err_text[8192];
char poison_target[1];

__attribute__((weak)) void setUp(void) {}
__attribute__((weak)) void tearDown(void) {}

const char* status_name(dbk_status status) {
  static const char* const names[] = {
      "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT", "DEADLINE_EXCEEDED",
      "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "OUT_OF_MEMORY",    "FAILED_PRECONDITION",
      "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",         "UNAVAILABLE",
      "DATA_LOSS"};
  return status >= 0 && status <= 15 ? names[status] : "a code outside ABI 1.0";
}

int mentions(const char* text, const char* culprit) {
  char words[256], *all = words, *any, *word;
  if (culprit == NULL) return text[0] != '\0';
  snprintf(words, sizeof words, "%s", culprit);
  while ((any = strsep(&all, "&")) != NULL) {
    int found = 0;
    while ((word = strsep(&any, "|")) != NULL) found |= strcasestr(text, word) != NULL;
    if (!found) return 0;
  }
  return 1;
}

/* Reads every cause into err_text. False where the error object itself breaks the rules. */
static int read_error(const dbk_error* error, dbk_status status) {
  dbk_error_info info = {.hdr = {sizeof info, 0, NULL}};
  size_t used = 0;
  int sound = 1;
  err_text[0] = '\0';
  for (uint32_t i = 0; api->error_get(error, i, &info) == DBK_OK; i++) {
    sound &= info.msg != NULL && strlen(info.msg) == info.len && info.len > 0 && i < info.count;
    sound &= info.code != DBK_OK && (i > 0 || info.code == status);
    if (used < sizeof err_text)
      used += (size_t)snprintf(err_text + used, sizeof err_text - used, "%s\n", info.msg ? info.msg : "(NULL)");
    info = (dbk_error_info){.hdr = {sizeof info, 0, NULL}};
  }
  return sound && err_text[0] != '\0';
}

int is_failure(dbk_status got, dbk_status want, const char* culprit, dbk_error* error) {
  int sound = error != NULL && error != POISON && got != DBK_OK && read_error(error, got);
  if (got != DBK_OK && error != POISON) api->error_destroy(error);
  return sound && got == want && mentions(err_text, culprit);
}

void check_ok(dbk_status got, const char* call, int line) {
  char text[9000];
  if (got == DBK_OK && err == NULL) return;
  if (got == DBK_OK) {
    snprintf(text, sizeof text, "succeeded but did not store NULL in *out_error: %s", call);
  } else {
    err_text[0] = '\0';
    if (err != NULL && err != POISON) read_error(err, got);
    snprintf(text, sizeof text, "%s: %s: %s", status_name(got), err_text, call);
  }
  UNITY_TEST_FAIL((UNITY_LINE_TYPE)line, text);
}

/* Marks the test as failed and goes on: an audit should list everything that is wrong, not only the first. */
void note_failure(int line, const char* text) {
  printf("%s:%d: %s\n", Unity.CurrentTestName ? Unity.CurrentTestName : "", line, text);
  fflush(stdout);
  Unity.CurrentTestFailed = 1;
}

void check_fails(dbk_status got, dbk_status want, const char* culprit, const char* call, int line) {
  char text[9000];
  dbk_error* error = err;
  err_text[0] = '\0';
  err = NULL;
  if (is_failure(got, want, culprit, error)) return;
  snprintf(text, sizeof text, "wanted %s naming \"%s\", got %s%s: %s: %s", status_name(want), culprit ? culprit : "",
           status_name(got), got != DBK_OK && (error == NULL || error == POISON) ? " without an error object" : "",
           err_text, call);
  note_failure(line, text);
}

/* ---- the plugin ---- */

const char* plugin_path(void) {
  const char* path = getenv("DAYBREAK_PLUGIN");
  if (path != NULL && path[0] != '\0') return path;
  fprintf(stderr, "set DAYBREAK_PLUGIN to the path of the plugin\n");
  exit(1);
}

int on_gpu(void) {
  const char* name = getenv("DAYBREAK_TEST_DEVICE");
  return name != NULL && strcmp(name, "gpu") == 0;
}

void* plugin_open(const char* path, const dbk_api** out_api) {
  char why[256] = "";
  void* symbol;
  dbk_entry_fn entry;
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL || (symbol = dlsym(library, "dbk_entry")) == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from an object to a function pointer */
  if (entry(DBK_ABI_1_0, DBK_ABI_1_0, out_api, why, sizeof why) != DBK_OK) {
    fprintf(stderr, "%s refuses ABI 1.0: %s\n", path, why);
    exit(1);
  }
  return library;
}

void plugin_load(void) { plugin_open(plugin_path(), &api); }

/* ---- a context on the device under test ---- */

dbk_host host_desc(void) {
  return (dbk_host){.hdr = hdr_of(sizeof(dbk_host)), .abi = DBK_ABI_1_0, .name = "abi tests", .version = "1.0"};
}

/* Present, usable and not the CPU; or the CPU, which is last. */
static int choose_device(const dbk_api* table, dbk_ctx* ctx, uint32_t* out_device) {
  uint32_t count = 0;
  if (table->device_count(ctx, &count, NULL) != DBK_OK || count == 0) return 0;
  for (uint32_t i = 0; i < count; i++) {
    dbk_device_info info = {.hdr = hdr_of(sizeof info)};
    if (table->device_info(ctx, i, &info, NULL) != DBK_OK || info.score == 0) continue;
    if (on_gpu() != (info.kind == DBK_DEVICE_CPU)) {
      *out_device = i;
      return 1;
    }
  }
  return 0;
}

dbk_ctx* ctx_try(const dbk_api* table, const dbk_host* host, uint32_t* out_device) {
  /* Optional, so that a plugin without the key (or without a GPU part) serves as well. */
  dbk_kv no_gpu = kv_bool("gpu", 0);
  dbk_options options = options_of(&no_gpu, on_gpu() ? 0 : 1);
  dbk_ctx* ctx = NULL;
  no_gpu.flags = DBK_OPTION_OPTIONAL;
  if (table->ctx_create(host, &options, &ctx, NULL) != DBK_OK) return NULL;
  if (choose_device(table, ctx, out_device)) return ctx;
  table->ctx_destroy(ctx);
  return NULL;
}

dbk_ctx* ctx_new_with(const dbk_api* table, const dbk_host* host) {
  dbk_ctx* ctx = ctx_try(table, host, &device);
  if (ctx != NULL) return ctx;
  if (!on_gpu() || getenv("CI") != NULL || getenv("DAYBREAK_REQUIRE_GPU") != NULL) {
    printf("%s\n", on_gpu() ? "no usable GPU, and CI or DAYBREAK_REQUIRE_GPU is set" : "no context on the CPU device");
    exit(1);
  }
  printf("skipped: no usable GPU on this machine (set DAYBREAK_REQUIRE_GPU to make this a failure)\n");
  exit(SKIPPED);
}

dbk_ctx* ctx_new(void) {
  dbk_host host = host_desc();
  return ctx_new_with(api, &host);
}

/* ---- structs ---- */

dbk_hdr hdr_of(size_t size) { return (dbk_hdr){(uint32_t)size, 0, NULL}; }

dbk_str str_of(const char* text) { return (dbk_str){text, strlen(text)}; }

dbk_tensor tensor_of(uint32_t dtype, uint32_t rank, const int64_t* dims, void* data, uint64_t bytes,
                     uint32_t ownership) {
  return (dbk_tensor){.hdr = hdr_of(sizeof(dbk_tensor)),
                      .dtype = dtype,
                      .rank = rank,
                      .dims = dims,
                      .data = data,
                      .byte_len = bytes,
                      .ownership = ownership};
}

dbk_kv kv_int(const char* key, int64_t value) {
  return (dbk_kv){.key = str_of(key), .type = DBK_OPTION_INT, .v.i = value};
}

dbk_kv kv_bool(const char* key, int value) {
  return (dbk_kv){.key = str_of(key), .type = DBK_OPTION_BOOL, .v.i = value};
}

dbk_kv kv_string(const char* key, const char* value) {
  return (dbk_kv){.key = str_of(key), .type = DBK_OPTION_STRING, .v.s = str_of(value)};
}

dbk_options options_of(const dbk_kv* items, uint32_t count) {
  return (dbk_options){.hdr = hdr_of(sizeof(dbk_options)), .items = items, .count = count, .stride = sizeof(dbk_kv)};
}

/* What every test of the ABI shares: loading the plugin, a context on the device under test, and checks that print the
 * plugin's own explanation when they fail. Uses nothing newer than ABI 1.0, because the frozen hosts are built from it.
 *
 * Environment: DAYBREAK_PLUGIN path of the plugin; DAYBREAK_TEST_DEVICE "cpu" (default) or "gpu". */
#ifndef DAYBREAK_TESTS_HARNESS_H
#define DAYBREAK_TESTS_HARNESS_H

#include <daybreak.h>
#include <stddef.h>
#include <unity.h>

#define SKIPPED 77 /* exit status that ctest counts as "skipped" */

extern const dbk_api* api;  /* table of the loaded plugin */
extern dbk_error* err;      /* error of the last OK() or FAILS() */
extern uint32_t device;     /* index of the device under test, set by ctx_new */
extern char err_text[8192]; /* every message of the last failure, one per line */

/* A value that no call may leave in `*out_error`, and that every failing call must leave in its other outputs. */
extern char poison_target[1];
#define POISON ((void*)poison_target)
#define ERR (err = POISON, &err)

/* Call with ERR as out_error: OK(api->exec_ready(exec, NULL, ERR)). A failed OK ends the test, a
 * failed FAILS marks it and goes on. `culprit` is what the messages must mention: words
 * joined by '&', each with alternatives separated by '|'; NULL: any text. */
#define OK(call) check_ok((call), #call, __LINE__)
#define FAILS(code, culprit, call) check_fails((call), (code), (culprit), #call, __LINE__)
void note_failure(int line, const char* text);
void check_ok(dbk_status got, const char* call, int line);
void check_fails(dbk_status got, dbk_status want, const char* culprit, const char* call, int line);
/* For code that reports by itself: true when `status` is as wanted and *error matches it; frees the error. */
int is_failure(dbk_status got, dbk_status want, const char* culprit, dbk_error* error);
int mentions(const char* text, const char* culprit);
const char* status_name(dbk_status status);

const char* plugin_path(void);
int on_gpu(void);
/* dlopen + dbk_entry for the version range of the header; exits the process with a message where that is impossible. */
void* plugin_open(const char* path, const dbk_api** out_api);
void plugin_load(void); /* plugin_open(plugin_path()) into `api`, kept for the life of the process */

dbk_host host_desc(void);
/* A context on the device under test. Without a usable GPU a GPU test exits: SKIPPED, or failed in CI. */
dbk_ctx* ctx_new(void);
dbk_ctx* ctx_new_with(const dbk_api* table, const dbk_host* host);
/* For children after fork, which must not print test results: NULL instead of an exit. */
dbk_ctx* ctx_try(const dbk_api* table, const dbk_host* host, uint32_t* out_device);

dbk_hdr hdr_of(size_t size);
dbk_str str_of(const char* text);
dbk_tensor tensor_of(uint32_t dtype, uint32_t rank, const int64_t* dims, void* data, uint64_t bytes,
                     uint32_t ownership);
dbk_kv kv_int(const char* key, int64_t value);
dbk_kv kv_bool(const char* key, int value);
dbk_kv kv_string(const char* key, const char* value);
dbk_options options_of(const dbk_kv* items, uint32_t count);

#endif

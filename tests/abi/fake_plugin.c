/* Test 2: a plugin without contents, built once from each frozen header, to see what a host loader does with it.
 * Environment: FAKE_MIN, FAKE_MAX: the versions it speaks, as numbers (default: 1.0 alone).
 * FAKE_FAULT: what it does wrong: "null" table, "short" table, "version" out of the host's range, "mute" refusal. */
#include <daybreak.h>
#include <stdlib.h>
#include <string.h>

static uint32_t number(const char* name, uint32_t otherwise) {
  const char* text = getenv(name);
  return text != NULL ? (uint32_t)strtoul(text, NULL, 0) : otherwise;
}

static int fault(const char* name) {
  const char* text = getenv("FAKE_FAULT");
  return text != NULL && strcmp(text, name) == 0;
}

/* One context and one device, so that `daybreak info` has something to print; everything else is refused. */
static char the_ctx;
static dbk_status DBK_CALL ctx_create(const dbk_host* host, const dbk_options* options, dbk_ctx** out,
                                      dbk_error** error) {
  (void)host, (void)options;
  if (error != NULL) *error = NULL;
  *out = (dbk_ctx*)&the_ctx;
  return DBK_OK;
}
static void DBK_CALL ctx_destroy(dbk_ctx* ctx) { (void)ctx; }
static dbk_status DBK_CALL device_count(dbk_ctx* ctx, uint32_t* out, dbk_error** error) {
  (void)ctx;
  if (error != NULL) *error = NULL;
  *out = 1;
  return DBK_OK;
}
static dbk_status DBK_CALL device_info(dbk_ctx* ctx, uint32_t device, dbk_device_info* inout, dbk_error** error) {
  (void)ctx, (void)device;
  if (error != NULL) *error = NULL;
  inout->kind = DBK_DEVICE_CPU;
  inout->score = 1;
  strcpy(inout->name, "fake CPU");
  return DBK_OK;
}

/* The other slots share one refusal: a caller passes arguments that it ignores, which every calling convention allows.
 */
static dbk_status DBK_CALL refuse(void) { return DBK_UNIMPLEMENTED; }
static const void* DBK_CALL no_extension(const char* id) {
  (void)id;
  return NULL;
}

static dbk_info info = {.hdr = {sizeof info, 0, NULL}, .id = "fake", .version = "0.0.0", .build = "fake"};
static dbk_api table;

static void fill_table(uint32_t abi) {
  dbk_status(DBK_CALL * slot)(void) = refuse;
  for (size_t at = 2 * sizeof(uint32_t); at < sizeof table; at += sizeof slot)
    memcpy((char*)&table + at, &slot, sizeof slot);
  table.size = fault("short") ? 64 : sizeof table;
  table.abi = fault("version") ? DBK_ABI(9, 9) : abi;
  table.info = &info;
  table.get_extension = no_extension;
  table.ctx_create = ctx_create;
  table.ctx_destroy = ctx_destroy;
  table.device_count = device_count;
  table.device_info = device_info;
}

dbk_status DBK_CALL dbk_entry(uint32_t host_abi_min, uint32_t host_abi_max, const dbk_api** out_api, char* why,
                              uint32_t why_cap) {
  info.abi_min = number("FAKE_MIN", DBK_ABI_1_0);
  info.abi_max = number("FAKE_MAX", DBK_ABI_1_0);
  if (host_abi_min > info.abi_max || host_abi_max < info.abi_min || fault("mute")) {
    if (why != NULL && why_cap > 0)
      strncpy(why, fault("mute") ? "" : "fake: no common version", why_cap - 1)[why_cap - 1] = '\0';
    return DBK_UNIMPLEMENTED;
  }
  fill_table(host_abi_max < info.abi_max ? host_abi_max : info.abi_max);
  *out_api = fault("null") ? NULL : &table;
  return DBK_OK;
}

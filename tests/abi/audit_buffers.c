/* Test 16: device memory. Ranges outside a buffer, wrong modes and the wrong moment (mapped, not mapped, in a run) are
 * refused, and the message has the numbers. Reports and long names are audited here as well. */
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_buffer *buffer, *other;
static void* at;

static dbk_status create(dbk_buffer_desc desc, dbk_buffer** out, dbk_error** error) {
  desc.hdr = hdr_of(sizeof desc);
  return api->buffer_create(ctx, &desc, out, error);
}

void setUp(void) {
  ctx = ctx_new();
  at = POISON;
  OK(create((dbk_buffer_desc){.device = device, .byte_len = 64}, &buffer, ERR));
  OK(create((dbk_buffer_desc){.device = device, .byte_len = 64}, &other, ERR));
}

void tearDown(void) {
  api->buffer_destroy(buffer);
  api->buffer_destroy(other);
  api->ctx_destroy(ctx);
}

static void creation(void) {
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  dbk_buffer* made = POISON;
  OK(api->device_info(ctx, device, &info, ERR));
  FAILS(DBK_OUT_OF_RANGE, "77", create((dbk_buffer_desc){.device = 77, .byte_len = 64}, &made, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "usage",
        create((dbk_buffer_desc){.device = device, .byte_len = 64, .usage = 4}, &made, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "reserved",
        create((dbk_buffer_desc){.device = device, .byte_len = 64, .reserved = 1}, &made, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "ownership",
        create((dbk_buffer_desc){.device = device, .byte_len = 4, .host_ptr = mlp_x, .ownership = DBK_UNTIL_EVENT},
               &made, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "ownership",
        create((dbk_buffer_desc){.device = device, .byte_len = 4, .ownership = DBK_UNTIL_DESTROY}, &made, ERR));
  /* Not aligned, or cannot be used in place at all. */
  FAILS(info.host_ptr_align ? DBK_INVALID_ARGUMENT : DBK_UNIMPLEMENTED, "host_ptr|host memory",
        create((dbk_buffer_desc){.device = device, .byte_len = 4, .host_ptr = mlp_x, .ownership = DBK_UNTIL_DESTROY},
               &made, ERR));
  if (info.max_buffer < UINT64_MAX)
    FAILS(DBK_OUT_OF_RANGE, NULL,
          create((dbk_buffer_desc){.device = device, .byte_len = info.max_buffer + 1}, &made, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, made);
}

static void ranges(void) {
  char bytes[128] = {0};
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_write(buffer, 0, bytes, 65, NULL, ERR));
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_write(buffer, 60, bytes, 8, NULL, ERR));
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_write(buffer, UINT64_MAX - 3, bytes, 8, NULL, ERR)); /* wraps */
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_copy(buffer, 60, other, 0, 8, NULL, ERR));
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_copy(buffer, 0, other, 60, 8, NULL, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "overlap", api->buffer_copy(buffer, 0, buffer, 16, 32, NULL, ERR));
  OK(api->buffer_copy(buffer, 0, buffer, 32, 32, NULL, ERR));
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_map(buffer, DBK_MAP_READ, 32, 64, &at, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "mode", api->buffer_map(buffer, 0, 0, 64, &at, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "mode", api->buffer_map(buffer, 4, 0, 64, &at, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, at);
}

static void new_memory_is_zero(void) {
  static const char zeros[64];
  OK(api->buffer_map(buffer, DBK_MAP_READ, 0, 64, &at, ERR));
  TEST_ASSERT_EQUAL_MEMORY(zeros, at, 64);
  OK(api->buffer_unmap(buffer, ERR));
}

static void mapped_and_not(void) {
  char bytes[8] = {0};
  void* second = POISON;
  FAILS(DBK_FAILED_PRECONDITION, "map", api->buffer_unmap(buffer, ERR));
  OK(api->buffer_map(buffer, DBK_MAP_READ | DBK_MAP_WRITE, 0, 64, &at, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "map", api->buffer_map(buffer, DBK_MAP_READ, 0, 8, &second, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "map", api->buffer_write(buffer, 0, bytes, 8, NULL, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "map", api->buffer_copy(buffer, 0, other, 0, 8, NULL, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "map", api->buffer_copy(other, 0, buffer, 0, 8, NULL, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, second);
  OK(api->buffer_unmap(buffer, ERR));
}

static dbk_tensor x_in(dbk_buffer* where) {
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, NULL, sizeof mlp_x, DBK_UNTIL_DESTROY);
  x.buffer = where;
  return x;
}

static void in_a_run(void) {
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  dbk_tensor x = x_in(buffer);
  OK(api->buffer_write(buffer, 0, mlp_x, sizeof mlp_x, NULL, ERR));
  x.byte_off = 8;
  FAILS(DBK_INVALID_ARGUMENT, "'x'&8&256", api->run_bind(run, DBK_INPUT, 0, &x, ERR)); /* DBK_BUFFER_ALIGN */
  x.byte_off = DBK_BUFFER_ALIGN;
  FAILS(DBK_OUT_OF_RANGE, "'x'&64", api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  x.byte_off = 0, x.byte_len = 65;
  FAILS(DBK_OUT_OF_RANGE, "'x'&64", api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  x.byte_len = 47;
  FAILS(DBK_INVALID_ARGUMENT, "'x'&47&48", api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  x.byte_len = 64;
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  OK(api->buffer_map(buffer, DBK_MAP_READ, 0, 64, &at, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "map", api->run(run, NULL, NULL, ERR));
  OK(api->buffer_unmap(buffer, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static void usage_is_kept(void) {
  static const int64_t dims[2] = {MLP_ROWS, MLP_OUT};
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  dbk_buffer *in = NULL, *outgoing = NULL;
  OK(create((dbk_buffer_desc){.device = device, .byte_len = 64, .usage = DBK_BUFFER_INPUT}, &in, ERR));
  OK(create((dbk_buffer_desc){.device = device, .byte_len = 64, .usage = DBK_BUFFER_OUTPUT}, &outgoing, ERR));
  dbk_tensor x = x_in(outgoing), y = tensor_of(DBK_F32, 2, dims, NULL, 64, DBK_UNTIL_DESTROY);
  FAILS(DBK_INVALID_ARGUMENT, "usage", api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  y.buffer = in;
  FAILS(DBK_INVALID_ARGUMENT, "usage", api->run_bind(run, DBK_OUTPUT, 0, &y, ERR));
  y.buffer = outgoing, x.buffer = in;
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, &y, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->buffer_destroy(in);
  api->buffer_destroy(outgoing);
}

static void writing_and_reading(void) {
  char bytes[8] = {0};
  dbk_event *written = NULL, *got = NULL;
  OK(api->buffer_write(buffer, 5, "daybreak", 8, &written, ERR));
  OK(api->event_wait(written, DBK_WAIT_FOREVER, ERR));
  OK(api->buffer_read(buffer, 5, bytes, 8, &got, ERR));
  OK(api->event_wait(got, DBK_WAIT_FOREVER, ERR));
  TEST_ASSERT_EQUAL_MEMORY("daybreak", bytes, 8);
  OK(api->buffer_read(buffer, 8, bytes, 3, NULL, ERR));
  TEST_ASSERT_EQUAL_MEMORY("brebreak", bytes, 8);
  OK(api->buffer_read(buffer, 64, NULL, 0, NULL, ERR));
  FAILS(DBK_OUT_OF_RANGE, "64", api->buffer_read(buffer, 60, bytes, 8, NULL, ERR));
  OK(api->buffer_map(buffer, DBK_MAP_READ, 64, 0, &at, ERR)); /* of nothing: still a pointer */
  TEST_ASSERT_NOT_NULL(at);
  FAILS(DBK_FAILED_PRECONDITION, "map", api->buffer_read(buffer, 0, bytes, 8, NULL, ERR));
  OK(api->buffer_unmap(buffer, ERR));
  api->event_destroy(written);
  api->event_destroy(got);
}

static void one_buffer_for_input_and_output(void) {
  static const int64_t dims[2] = {MLP_ROWS, MLP_OUT};
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  dbk_tensor x = x_in(buffer), y = tensor_of(DBK_F32, 2, dims, NULL, 64, DBK_UNTIL_DESTROY);
  dbk_status status;
  y.buffer = buffer; /* and no alias in the graph */
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  status = api->run_bind(run, DBK_OUTPUT, 0, &y, ERR);
  if (status == DBK_OK) status = api->run(run, NULL, NULL, ERR); /* refused now or then */
  check_fails(status, DBK_INVALID_ARGUMENT, "'y'|'x'", "input and output in one buffer", __LINE__);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static void reports(void) {
  dbk_text* text = POISON;
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .ctx = ctx, .kind = str_of("horoscope")};
  const char* chars = NULL;
  uint64_t length = 0;
  FAILS(DBK_NOT_FOUND, "horoscope&device&options", api->report(&desc, &text, ERR));
  TEST_ASSERT_EQUAL_PTR(POISON, text);
  static const char* const unknown[] = {"ops/2", "ops/0", "ops/", "ops/1/1", "ops/01", "/1"};
  for (int i = 0; i < 6; i++) {
    desc.kind = str_of(unknown[i]);
    FAILS(DBK_NOT_FOUND, "revision 1&ops", api->report(&desc, &text, ERR));
  }
  static const char* const kinds[] = {"device", "options", "ops", "ops/1"};
  for (int i = 0; i < 4; i++) {
    desc.kind = str_of(kinds[i]);
    OK(api->report(&desc, &text, ERR));
    TEST_ASSERT_EQUAL_INT32(DBK_OK, api->text_get(text, &chars, &length));
    TEST_ASSERT_EQUAL_UINT64(strlen(chars), length);
    TEST_ASSERT_TRUE_MESSAGE(chars[0] == '{' && strstr(chars, "\"schema\"") != NULL, chars);
    api->text_destroy(text);
  }
}

/* Hosts may count on these for ever: see dbk_report_desc. */
static void promised_fields(void) {
  static const struct {
    const char *kind, *fields;
  } reports[] = {
      {"device/1",
       "default devices index name kind api driver uuid score usable reason mem_total mem_free features"},
      {"options/1", "options scope key type domain default meaning"},
      {"ops/1", "ops domain name versions gpu cpu"},
      {"stats/1",
       "weight_bytes activation_bytes staging_bytes pipelines_built pipeline_cache_hits buffers_created device_objects "
       "runs dispatches segments host_islands island_bytes uploads upload_bytes uploads_skipped readback_bytes replans "
       "host_allocations objects compile_stats graph_nanoseconds ready_nanoseconds shader_nanoseconds pipeline_nanoseconds "
       "warm_up_nanoseconds blob_cache_hits blob_cache_misses"}};
  for (size_t i = 0; i < sizeof reports / sizeof reports[0]; i++) {
    char fields[640] = "schema ", quoted[64], *rest = NULL;
    const char* chars = NULL;
    uint64_t length = 0;
    dbk_text* text = NULL;
    dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .ctx = ctx, .kind = str_of(reports[i].kind)};
    OK(api->report(&desc, &text, ERR));
    TEST_ASSERT_EQUAL_INT32(DBK_OK, api->text_get(text, &chars, &length));
    strcat(fields, reports[i].fields);
    for (char* f = strtok_r(fields, " ", &rest); f; f = strtok_r(NULL, " ", &rest)) {
      snprintf(quoted, sizeof quoted, "\"%s\":", f);
      TEST_ASSERT_NOT_NULL_MESSAGE(strstr(chars, quoted), quoted);
    }
    api->text_destroy(text);
  }
}

static void a_long_name_is_whole(void) {
  char name[301] = "";
  graph g;
  dbk_exec* exec = NULL;
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  for (int i = 0; i < 150; i++) strcat(name, "\xC3\xA4");
  mlp_graph(&g, MLP_COPIED);
  g.values[0].name = graph_text(&g, name);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_io(exec, DBK_INPUT, 0, &io, ERR));
  TEST_ASSERT_EQUAL_UINT64(300, io.name_len);
  TEST_ASSERT_EQUAL_STRING(name, io.name);
  api->exec_destroy(exec);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(creation);
  RUN_TEST(ranges);
  RUN_TEST(new_memory_is_zero);
  RUN_TEST(mapped_and_not);
  RUN_TEST(in_a_run);
  RUN_TEST(usage_is_kept);
  RUN_TEST(writing_and_reading);
  RUN_TEST(one_buffer_for_input_and_output);
  RUN_TEST(reports);
  RUN_TEST(promised_fields);
  RUN_TEST(a_long_name_is_whole);
  return UNITY_END();
}

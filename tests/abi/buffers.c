/* Test 15, device memory: what is written is there, host memory given to a buffer is free at the moment the contract
 * says, and a buffer can be output of one run and input of the next. */
#include <string.h>

#include "guard.h"
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;

void setUp(void) { ctx = ctx_new(); }
void tearDown(void) { api->ctx_destroy(ctx); }

static void take_away(void* pages, size_t bytes) {
  pages_poison(pages, bytes);
  pages_release(pages, bytes);
}

static dbk_buffer* buffer_of(uint64_t bytes, void* host_ptr, uint32_t ownership) {
  dbk_buffer* buffer = NULL;
  dbk_buffer_desc desc = {
      .hdr = hdr_of(sizeof desc), .device = device, .byte_len = bytes, .host_ptr = host_ptr, .ownership = ownership};
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  return buffer;
}

static void expect_content(dbk_buffer* buffer, const void* expected, uint64_t bytes) {
  void* at = NULL;
  OK(api->buffer_map(buffer, DBK_MAP_READ, 0, bytes, &at, ERR));
  TEST_ASSERT_EQUAL_MEMORY(expected, at, bytes);
  OK(api->buffer_unmap(buffer, ERR));
}

static void source_after_write(void) {
  dbk_buffer* buffer = buffer_of(sizeof mlp_x, NULL, 0);
  void* source = pages_copy(mlp_x, sizeof mlp_x);
  OK(api->buffer_write(buffer, 0, source, sizeof mlp_x, NULL, ERR));
  fault_note("source of buffer_write", 0);
  take_away(source, sizeof mlp_x);
  expect_content(buffer, mlp_x, sizeof mlp_x);
  api->buffer_destroy(buffer);
}

static void copied_content_after_create(void) {
  void* source = pages_copy(mlp_x, sizeof mlp_x);
  dbk_buffer* buffer = buffer_of(sizeof mlp_x, source, DBK_COPY);
  fault_note("copied content of buffer_create", 0);
  take_away(source, sizeof mlp_x);
  expect_content(buffer, mlp_x, sizeof mlp_x);
  api->buffer_destroy(buffer);
}

static void borrowed_memory_after_destroy(void) {
  float zeros[1024] = {0}, *pages;
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  OK(api->device_info(ctx, device, &info, ERR));
  if (info.host_ptr_align == 0) TEST_IGNORE_MESSAGE("this device cannot borrow");
  pages = pages_copy(zeros, sizeof zeros); /* a page is aligned enough for every device we know */
  memcpy(pages, mlp_x, sizeof mlp_x);
  dbk_buffer* buffer = buffer_of(sizeof zeros, pages, DBK_UNTIL_DESTROY);
  expect_content(buffer, mlp_x, sizeof mlp_x);
  api->buffer_destroy(buffer);
  fault_note("borrowed memory after buffer_destroy", 0);
  take_away(pages, sizeof zeros);
}

static void copy_and_map_for_writing(void) {
  dbk_buffer *from = buffer_of(64, NULL, 0), *to = buffer_of(64, NULL, 0);
  char text[64] = "first half, 32 bytes in length; second half, as long as the 1st";
  void* at = NULL;
  OK(api->buffer_map(from, DBK_MAP_WRITE, 0, 64, &at, ERR));
  memcpy(at, text, sizeof text);
  OK(api->buffer_unmap(from, ERR));
  OK(api->buffer_copy(to, 32, from, 0, 32, NULL, ERR));
  OK(api->buffer_copy(to, 0, from, 32, 32, NULL, ERR));
  expect_content(to, text + 32, 32);
  OK(api->buffer_map(to, DBK_MAP_READ, 32, 32, &at, ERR));
  TEST_ASSERT_EQUAL_MEMORY(text, at, 32);
  OK(api->buffer_unmap(to, ERR));
  api->buffer_destroy(from);
  api->buffer_destroy(to);
}

/* Offsets and lengths are bytes, whatever the device prefers. */
static void any_offset_and_length(void) {
  dbk_buffer* buffer = buffer_of(13, "abcdefghijklm", DBK_COPY);
  OK(api->buffer_write(buffer, 3, "XYZ", 3, NULL, ERR));
  expect_content(buffer, "abcXYZghijklm", 13);
  api->buffer_destroy(buffer);
}

/* y = 2 * x */
static const int64_t four[1] = {4};
static dbk_exec* doubling(void) {
  static const float weight = 2;
  graph g;
  uint32_t in, factor, out;
  dbk_exec* exec = NULL;
  graph_init(&g);
  in = graph_value(&g, "x", DBK_F32, 1, four);
  factor = graph_data(&g, "factor", DBK_ORIGIN_CONST, DBK_F32, 0, NULL, &weight, sizeof weight, DBK_COPY);
  out = graph_value(&g, "y", DBK_F32, 1, four);
  graph_node(&g, "Mul", IDS(in, factor), IDS(out));
  graph_inputs(&g, 0, IDS(in));
  graph_outputs(&g, 0, IDS(out));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  return exec;
}

static dbk_tensor four_in(dbk_buffer* buffer) {
  dbk_tensor t = tensor_of(DBK_F32, 1, four, NULL, 4 * sizeof(float), DBK_UNTIL_DESTROY);
  t.buffer = buffer;
  return t;
}

/* A destroyed buffer gives lent memory back at once: runs that it is bound to refuse until they have another. */
static void lent_memory_is_free_though_runs_have_it(void) {
  float zeros[1024] = {0}, *pages[2], x[4] = {1, -2, 3, 0}, y[4] = {0};
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  dbk_run* run = NULL;
  dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  OK(api->device_info(ctx, device, &info, ERR));
  if (info.host_ptr_align == 0) TEST_IGNORE_MESSAGE("this device cannot borrow");
  dbk_exec* exec = doubling();
  dbk_buffer *lent[2], *own = buffer_of(sizeof x, x, DBK_COPY);
  dbk_tensor t;
  OK(api->run_create(exec, NULL, &run, ERR));
  for (uint32_t role = DBK_INPUT; role <= DBK_OUTPUT; role++) {
    pages[role] = pages_copy(zeros, sizeof zeros);
    lent[role] = buffer_of(sizeof zeros, pages[role], DBK_UNTIL_DESTROY);
    t = four_in(lent[role]);
    OK(api->run_bind(run, role, 0, &t, ERR));
  }
  OK(api->buffer_write(lent[DBK_INPUT], 0, x, sizeof x, NULL, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  for (int i = 0; i < 4; i++) TEST_ASSERT_EQUAL_FLOAT(2 * x[i], y[i]);
  for (uint32_t role = DBK_INPUT; role <= DBK_OUTPUT; role++) {
    api->buffer_destroy(lent[role]);
    fault_note("lent memory after buffer_destroy, bound to a run", 0);
    take_away(pages[role], sizeof zeros);
  }
  FAILS(DBK_FAILED_PRECONDITION, "'x'&'y'&destroyed", api->run(run, NULL, NULL, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "'y'&destroyed", api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  t = four_in(own);
  OK(api->run_bind(run, DBK_INPUT, 0, &t, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "'y'&destroyed", api->run(run, NULL, NULL, ERR));
  OK(api->run_bind(run, DBK_OUTPUT, 0, NULL, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  memset(y, 0, sizeof y);
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  for (int i = 0; i < 4; i++) TEST_ASSERT_EQUAL_FLOAT(2 * x[i], y[i]);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->buffer_destroy(own);
}

/* The mapping ends with the buffer, and a run that keeps the memory may use it. */
static void destroyed_while_mapped(void) {
  float x[4] = {1, -2, 3, 0}, y[4] = {0};
  dbk_exec* exec = doubling();
  dbk_run* run = NULL;
  dbk_buffer* buffer = buffer_of(sizeof x, x, DBK_COPY);
  dbk_tensor t = four_in(buffer);
  dbk_copy copy = {.byte_len = sizeof y, .dst = y};
  void* at = NULL;
  OK(api->run_create(exec, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &t, ERR));
  OK(api->buffer_map(buffer, DBK_MAP_READ | DBK_MAP_WRITE, 0, sizeof x, &at, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "'x'&mapped", api->run(run, NULL, NULL, ERR));
  api->buffer_destroy(buffer);
  OK(api->run(run, NULL, NULL, ERR));
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  for (int i = 0; i < 4; i++) TEST_ASSERT_EQUAL_FLOAT(2 * x[i], y[i]);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

/* y = 2 * x, three times, through device memory only. */
static void output_of_one_run_is_input_of_the_next(void) {
  float x[4] = {1, -2, 3, 0}, y[4] = {0};
  dbk_exec* exec = doubling();
  dbk_run* run = NULL;
  OK(api->run_create(exec, NULL, &run, ERR));
  dbk_buffer* place[2] = {buffer_of(sizeof x, x, DBK_COPY), buffer_of(sizeof x, NULL, 0)};
  for (int i = 0; i < 3; i++) { /* 2, 4, 8 times x, to and fro */
    dbk_tensor from = four_in(place[i % 2]), to = four_in(place[1 - i % 2]);
    OK(api->run_bind(run, DBK_INPUT, 0, &from, ERR));
    OK(api->run_bind(run, DBK_OUTPUT, 0, &to, ERR));
    OK(api->run(run, NULL, NULL, ERR));
  }
  for (int i = 0; i < 4; i++) y[i] = 8 * x[i];
  expect_content(place[1], y, sizeof y);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->buffer_destroy(place[0]);
  api->buffer_destroy(place[1]);
}

int main(void) {
  fault_report_install();
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(source_after_write);
  RUN_TEST(copied_content_after_create);
  RUN_TEST(borrowed_memory_after_destroy);
  RUN_TEST(copy_and_map_for_writing);
  RUN_TEST(any_offset_and_length);
  RUN_TEST(lent_memory_is_free_though_runs_have_it);
  RUN_TEST(destroyed_while_mapped);
  RUN_TEST(output_of_one_run_is_input_of_the_next);
  return UNITY_END();
}

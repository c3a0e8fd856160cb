/* Test 16: a NULL in place of every required pointer of every function is INVALID_ARGUMENT, the message names the
 * parameter, outputs keep what was in them; destroy functions take NULL; an error is never required. */
#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* exec;
static dbk_run* run;
static dbk_buffer* buffer;
static graph g;
static uint32_t number;
static void* out;

void setUp(void) {
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .byte_len = 64};
  mlp_open(&ctx, &exec);
  run = mlp_run_new(exec);
  desc.device = device;
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  mlp_graph(&g, MLP_COPIED);
  number = 4711;
  out = POISON;
}

void tearDown(void) {
  TEST_ASSERT_EQUAL_PTR(POISON, out); /* no failing call may write it */
  TEST_ASSERT_EQUAL_UINT32(4711, number);
  api->buffer_destroy(buffer);
  api->run_destroy(run);
  mlp_close(ctx, exec);
}

#define NULL_IS(culprit, call) FAILS(DBK_INVALID_ARGUMENT, culprit, call)

static void errors_and_texts(void) {
  dbk_error_info info = {.hdr = hdr_of(sizeof info)};
  dbk_error* error = NULL;
  const char* text = POISON;
  uint64_t length = 4711;
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, api->device_count(NULL, &number, &error));
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, api->error_get(NULL, 0, &info));
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, api->error_get(error, 0, NULL));
  TEST_ASSERT_EQUAL_INT32(DBK_OUT_OF_RANGE, api->error_get(error, 1, &info));
  TEST_ASSERT_EQUAL_INT32(DBK_OUT_OF_RANGE, api->error_get(error, DBK_NONE, &info));
  TEST_ASSERT_EQUAL_INT32(DBK_OK, api->error_get(error, 0, &info));
  TEST_ASSERT_EQUAL_UINT32(1, info.count);
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, info.node);
  TEST_ASSERT_EQUAL_UINT32(DBK_NONE, info.value);
  api->error_destroy(error);
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, api->text_get(NULL, &text, &length));
  TEST_ASSERT_EQUAL_PTR(POISON, text);
  TEST_ASSERT_EQUAL_UINT64(4711, length);
  TEST_ASSERT_NULL(api->get_extension(NULL));
}

static void contexts(void) {
  dbk_host host = host_desc();
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  dbk_options no_items = options_of(NULL, 1);
  NULL_IS("host", api->ctx_create(NULL, NULL, (dbk_ctx**)&out, ERR));
  NULL_IS("out_ctx", api->ctx_create(&host, NULL, NULL, ERR));
  NULL_IS("items", api->ctx_create(&host, &no_items, (dbk_ctx**)&out, ERR));
  NULL_IS("ctx", api->device_count(NULL, &number, ERR));
  NULL_IS("out_count", api->device_count(ctx, NULL, ERR));
  NULL_IS("ctx", api->device_info(NULL, 0, &info, ERR));
  NULL_IS("inout", api->device_info(ctx, 0, NULL, ERR));
  NULL_IS("ctx", api->device_recover(NULL, 0, NULL, ERR));
}

static void check_and_compile(void) {
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device}, empty = desc;
  empty.graph = NULL;
  NULL_IS("ctx", api->check(NULL, &desc, (dbk_text**)&out, ERR));
  NULL_IS("desc", api->check(ctx, NULL, (dbk_text**)&out, ERR));
  NULL_IS("graph", api->check(ctx, &empty, (dbk_text**)&out, ERR));
  NULL_IS("out_verdicts", api->check(ctx, &desc, NULL, ERR));
  NULL_IS("ctx", api->compile(NULL, &desc, (dbk_exec**)&out, ERR));
  NULL_IS("desc", api->compile(ctx, NULL, (dbk_exec**)&out, ERR));
  NULL_IS("out_exec", api->compile(ctx, &desc, NULL, ERR));
  NULL_IS("graph", api->compile(ctx, &empty, (dbk_exec**)&out, ERR));
}

/* A table with elements needs a pointer. */
static void tables(void) {
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  struct {
    dbk_pool* pool;
    const char* name;
  } rows[] = {{&g.tables.values, "values"}, {&g.tables.nodes, "nodes"},  {&g.tables.blocks, "blocks"},
              {&g.tables.blobs, "blobs"},   {&g.tables.ints, "ints"},    {&g.tables.refs, "refs"},
              {&g.tables.text, "text"},     {&g.tables.attrs, "attrs"},  {&g.tables.symbols, "symbols"},
              {&g.tables.floats, "floats"}, {&g.tables.slices, "slices"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    dbk_pool kept = *rows[i].pool;
    rows[i].pool->ptr = NULL;
    if (kept.count == 0) rows[i].pool->count = 1;
    NULL_IS(rows[i].name, api->compile(ctx, &desc, (dbk_exec**)&out, ERR));
    *rows[i].pool = kept;
  }
}

static void executables(void) {
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  dbk_exec_info info = {.hdr = hdr_of(sizeof info)};
  dbk_str name = str_of("x"), nothing = {NULL, 3};
  dbk_tensor weight = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY), spoilt = weight;
  NULL_IS("exec", api->exec_info(NULL, &info, ERR));
  NULL_IS("inout", api->exec_info(exec, NULL, ERR));
  NULL_IS("exec", api->exec_count(NULL, DBK_INPUT, &number, ERR));
  NULL_IS("out_count", api->exec_count(exec, DBK_INPUT, NULL, ERR));
  NULL_IS("exec", api->exec_io(NULL, DBK_INPUT, 0, &io, ERR));
  NULL_IS("inout", api->exec_io(exec, DBK_INPUT, 0, NULL, ERR));
  NULL_IS("exec", api->exec_find(NULL, DBK_INPUT, &name, &number, ERR));
  NULL_IS("name", api->exec_find(exec, DBK_INPUT, NULL, &number, ERR));
  NULL_IS("name", api->exec_find(exec, DBK_INPUT, &nothing, &number, ERR));
  NULL_IS("out_index", api->exec_find(exec, DBK_INPUT, &name, NULL, ERR));
  NULL_IS("exec", api->set_param(NULL, 0, &weight, ERR));
  spoilt.data = NULL;
  NULL_IS("data", api->set_param(exec, 0, &spoilt, ERR));
  spoilt = weight, spoilt.dims = NULL;
  NULL_IS("dims", api->set_param(exec, 0, &spoilt, ERR));
  NULL_IS("exec", api->exec_ready(NULL, NULL, ERR));
}

static void runs(void) {
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY), spoilt = x;
  dbk_copy copy = {.byte_len = 4, .dst = NULL};
  dbk_submit submit = {.hdr = hdr_of(sizeof submit), .wait_count = 1};
  dbk_event* none[1] = {NULL};
  int64_t dims[2] = {4711, 4711};
  uint32_t rank = 4711, exact = 4711;
  NULL_IS("exec", api->run_create(NULL, NULL, (dbk_run**)&out, ERR));
  NULL_IS("out_run", api->run_create(exec, NULL, NULL, ERR));
  NULL_IS("run", api->run_set_dim(NULL, 0, 1, ERR));
  NULL_IS("run", api->run_bind(NULL, DBK_INPUT, 0, &x, ERR));
  spoilt.data = NULL;
  NULL_IS("data", api->run_bind(run, DBK_INPUT, 0, &spoilt, ERR));
  spoilt = x, spoilt.dims = NULL;
  NULL_IS("dims", api->run_bind(run, DBK_INPUT, 0, &spoilt, ERR));
  NULL_IS("run", api->run_shape(NULL, DBK_INPUT, 0, dims, 2, &rank, &exact, ERR));
  NULL_IS("out_dims", api->run_shape(run, DBK_INPUT, 0, NULL, 2, &rank, &exact, ERR));
  NULL_IS("out_rank", api->run_shape(run, DBK_INPUT, 0, dims, 2, NULL, &exact, ERR));
  NULL_IS("out_exact", api->run_shape(run, DBK_INPUT, 0, dims, 2, &rank, NULL, ERR));
  TEST_ASSERT_TRUE(dims[0] == 4711 && dims[1] == 4711 && rank == 4711 && exact == 4711);
  NULL_IS("run", api->run(NULL, NULL, NULL, ERR));
  NULL_IS("wait", api->run(run, &submit, (dbk_event**)&out, ERR));
  submit.wait = none;
  NULL_IS("wait", api->run(run, &submit, (dbk_event**)&out, ERR));
  NULL_IS("run", api->run_cancel(NULL, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  NULL_IS("run", api->read(NULL, &copy, 1, sizeof copy, NULL, ERR));
  NULL_IS("copies", api->read(run, NULL, 1, sizeof copy, NULL, ERR));
  NULL_IS("dst", api->read(run, &copy, 1, sizeof copy, NULL, ERR));
  NULL_IS("event", api->event_wait(NULL, 0, ERR));
  NULL_IS("event", api->event_cancel(NULL, ERR));
}

static void buffers_and_reports(void) {
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .device = device, .byte_len = 64};
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  dbk_report_desc report = {.hdr = hdr_of(sizeof report), .kind = str_of("device")}, nothing = report;
  char bytes[8] = {0};
  NULL_IS("ctx", api->buffer_create(NULL, &desc, (dbk_buffer**)&out, ERR));
  NULL_IS("desc", api->buffer_create(ctx, NULL, (dbk_buffer**)&out, ERR));
  NULL_IS("out_buffer", api->buffer_create(ctx, &desc, NULL, ERR));
  NULL_IS("buffer", api->buffer_write(NULL, 0, bytes, 8, NULL, ERR));
  NULL_IS("src", api->buffer_write(buffer, 0, NULL, 8, NULL, ERR));
  NULL_IS("buffer", api->buffer_read(NULL, 0, bytes, 8, NULL, ERR));
  NULL_IS("dst", api->buffer_read(buffer, 0, NULL, 8, NULL, ERR));
  NULL_IS("dst", api->buffer_copy(NULL, 0, buffer, 0, 8, NULL, ERR));
  NULL_IS("src", api->buffer_copy(buffer, 0, NULL, 0, 8, NULL, ERR));
  NULL_IS("buffer", api->buffer_map(NULL, DBK_MAP_READ, 0, 8, &out, ERR));
  NULL_IS("out_ptr", api->buffer_map(buffer, DBK_MAP_READ, 0, 8, NULL, ERR));
  NULL_IS("buffer", api->buffer_unmap(NULL, ERR));
  NULL_IS("ctx|exec|run", api->stats(NULL, NULL, NULL, &stats, ERR));
  NULL_IS("inout", api->stats(ctx, NULL, NULL, NULL, ERR));
  NULL_IS("desc", api->report(NULL, (dbk_text**)&out, ERR));
  NULL_IS("ctx|exec|run", api->report(&nothing, (dbk_text**)&out, ERR));
  report.ctx = ctx;
  NULL_IS("out_text", api->report(&report, NULL, ERR));
  report.kind = (dbk_str){NULL, 6};
  NULL_IS("kind", api->report(&report, (dbk_text**)&out, ERR));
}

static void destroying_nothing(void) {
  api->error_destroy(NULL);
  api->text_destroy(NULL);
  api->ctx_destroy(NULL);
  api->exec_destroy(NULL);
  api->run_destroy(NULL);
  api->event_destroy(NULL);
  api->buffer_destroy(NULL);
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, api->exec_count(exec, DBK_INPUT, NULL, NULL)); /* no error wanted */
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(errors_and_texts);
  RUN_TEST(contexts);
  RUN_TEST(check_and_compile);
  RUN_TEST(tables);
  RUN_TEST(executables);
  RUN_TEST(runs);
  RUN_TEST(buffers_and_reports);
  RUN_TEST(destroying_nothing);
  return UNITY_END();
}

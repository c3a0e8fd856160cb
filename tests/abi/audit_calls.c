/* Test 16: lists, indices and ranges of executables, runs and buffers, and the tensors bound to them. What does not
 * exist is OUT_OF_RANGE or NOT_FOUND, what can never be right is INVALID_ARGUMENT; the message has the number or name.
 */
#include <string.h>

#include "harness.h"
#include "mlp.h"

static dbk_ctx* ctx;
static dbk_exec* exec;
static dbk_run* run;
static dbk_buffer* buffer;

void setUp(void) {
  dbk_buffer_desc desc = {.hdr = hdr_of(sizeof desc), .byte_len = 64};
  ctx = ctx_new();
  desc.device = device;
  OK(api->buffer_create(ctx, &desc, &buffer, ERR));
  exec = mlp_ready(ctx);
  run = mlp_run_new(exec);
}

void tearDown(void) {
  api->buffer_destroy(buffer);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

static void devices(void) {
  dbk_device_info info = {.hdr = hdr_of(sizeof info)};
  FAILS(DBK_OUT_OF_RANGE, "77", api->device_info(ctx, 77, &info, ERR));
  FAILS(DBK_OUT_OF_RANGE, "77", api->device_recover(ctx, 77, NULL, ERR));
  TEST_ASSERT_EQUAL_UINT32(0, info.kind);
}

static void roles_and_lists(void) {
  static const uint32_t expected[4] = {1, 1, 2, 0};
  dbk_io_info io = {.hdr = hdr_of(sizeof io)};
  dbk_str name = str_of("wieght");
  uint32_t count = 4711;
  for (uint32_t role = DBK_INPUT; role <= DBK_SYMBOL; role++) {
    OK(api->exec_count(exec, role, &count, ERR));
    TEST_ASSERT_EQUAL_UINT32(expected[role], count);
    FAILS(DBK_OUT_OF_RANGE, "2", api->exec_io(exec, role, 2, &io, ERR));
    FAILS(DBK_NOT_FOUND, "wieght", api->exec_find(exec, role, &name, &count, ERR));
  }
  count = 4711;
  FAILS(DBK_NOT_FOUND, "'weight'|\"weight\"", api->exec_find(exec, DBK_PARAM, &name, &count, ERR)); /* the nearest */
  name = str_of("w\xFF\xC3\xA4\xC3"); /* names are bytes, messages UTF-8: what is no character is replaced */
  FAILS(DBK_NOT_FOUND, "'w\xEF\xBF\xBD\xC3\xA4\xEF\xBF\xBD'", api->exec_find(exec, DBK_PARAM, &name, &count, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "role", api->exec_count(exec, 4, &count, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "role", api->exec_io(exec, 4, 0, &io, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "role", api->exec_find(exec, 4, &name, &count, ERR));
  TEST_ASSERT_EQUAL_UINT32(4711, count);
  TEST_ASSERT_EQUAL_UINT64(0, io.name_len);
}

static void roles_of_a_run(void) {
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  int64_t dims[4] = {4711};
  uint32_t rank = 4711, exact = 4711;
  FAILS(DBK_INVALID_ARGUMENT, "role", api->run_bind(run, DBK_PARAM, 0, &x, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "role", api->run_bind(run, DBK_SYMBOL, 0, &x, ERR));
  FAILS(DBK_OUT_OF_RANGE, "7", api->run_bind(run, DBK_INPUT, 7, &x, ERR));
  FAILS(DBK_OUT_OF_RANGE, "7", api->run_bind(run, DBK_OUTPUT, 7, &x, ERR));
  FAILS(DBK_OUT_OF_RANGE, "7", api->run_set_dim(run, 7, 1, ERR));
  FAILS(DBK_INVALID_ARGUMENT, "role", api->run_shape(run, DBK_PARAM, 0, dims, 4, &rank, &exact, ERR));
  FAILS(DBK_OUT_OF_RANGE, "7", api->run_shape(run, DBK_OUTPUT, 7, dims, 4, &rank, &exact, ERR));
  TEST_ASSERT_TRUE(dims[0] == 4711 && rank == 4711 && exact == 4711);
  FAILS(DBK_OUT_OF_RANGE, "2", api->run_shape(run, DBK_OUTPUT, 0, dims, 1, &rank, &exact, ERR));
  TEST_ASSERT_TRUE(dims[0] == 4711 && rank == 4711 && exact == 4711);
  OK(api->run_shape(run, DBK_OUTPUT, 0, NULL, 0, &rank, &exact, ERR)); /* the rank alone */
  TEST_ASSERT_TRUE(rank == 2 && exact == 1);
}

/* The same defects in a tensor for a parameter and for an input; each names the list entry and the field. */
static void tensors(void) {
  static const int64_t flat[1] = {20}, other[2] = {4, 3}, negative[2] = {-3, -4}, strides[2] = {16, 8};
  const dbk_tensor good = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  dbk_tensor t;
#define REFUSED(status, culprit, change)                               \
  do {                                                                 \
    t = good;                                                          \
    change;                                                            \
    FAILS(status, culprit, api->run_bind(run, DBK_INPUT, 0, &t, ERR)); \
  } while (0)
#define SPOILT(culprit, change) REFUSED(DBK_INVALID_ARGUMENT, culprit, change)
  SPOILT("'x'|input 0&dtype|f64|float64", t.dtype = DBK_F64);
  SPOILT("'x'|input 0", t.dtype = DBK_DTYPE_NONE);
  SPOILT("'x'|input 0&rank|[20]", (t.rank = 1, t.dims = flat));
  REFUSED(DBK_UNIMPLEMENTED, "'x'|input 0&rank", t.rank = 33);
  SPOILT("'x'|input 0", t.dims = other);
  REFUSED(DBK_UNIMPLEMENTED, "'x'|input 0", t.dims = negative); /* reserved for symbols */
  SPOILT("'x'|input 0&47", t.byte_len = sizeof mlp_x - 1);
  SPOILT("'x'|input 0&48|60", t.byte_strides = strides); /* the last element would end at 60 */
  SPOILT("ownership", t.ownership = 3);
  SPOILT("reserved", t.reserved = 1);
  SPOILT("byte_off", t.byte_off = DBK_BUFFER_ALIGN);
  SPOILT("reserved", (t.data = NULL, t.buffer = buffer, t.ownership = DBK_UNTIL_DESTROY, t.reserved = 1));
  SPOILT("ownership", (t.data = NULL, t.buffer = buffer));
  REFUSED(DBK_UNIMPLEMENTED, "strides",
          (t.data = NULL, t.buffer = buffer, t.ownership = DBK_UNTIL_DESTROY, t.byte_strides = strides));
  SPOILT("buffer|data", t.buffer = buffer); /* both kinds of memory */
  t = tensor_of(DBK_F32, 1, flat, mlp_w, sizeof mlp_w, DBK_COPY);
  FAILS(DBK_INVALID_ARGUMENT, "weight|parameter 0", api->set_param(exec, 0, &t, ERR));
  t = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_UNTIL_EVENT);
  FAILS(DBK_INVALID_ARGUMENT, "ownership", api->set_param(exec, 0, &t, ERR));
  FAILS(DBK_OUT_OF_RANGE, "2", api->set_param(exec, 2, &t, ERR));
  OK(api->run(run, NULL, NULL, ERR)); /* none of it changed a thing */
  mlp_check(run);
}

/* NULL takes away what was given; the rest stays. */
static void taking_away(void) {
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  dbk_tensor w = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY);
  dbk_exec_info info = {.hdr = hdr_of(sizeof info)};
  OK(api->run_bind(run, DBK_INPUT, 0, NULL, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "'x'&bound", api->run(run, NULL, NULL, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  OK(api->exec_info(exec, &info, ERR));
  TEST_ASSERT_TRUE(info.device == device && info.mode == DBK_COMPILE_FULL && info.flags == DBK_EXEC_READY);
  OK(api->set_param(exec, 0, NULL, ERR));
  OK(api->exec_info(exec, &info, ERR));
  TEST_ASSERT_EQUAL_UINT32(0, info.flags);
  FAILS(DBK_FAILED_PRECONDITION, "weight&data", api->exec_ready(exec, NULL, ERR));
  FAILS(DBK_FAILED_PRECONDITION, "ready", api->run(run, NULL, NULL, ERR));
  FAILS(DBK_OUT_OF_RANGE, "9", api->set_param(exec, 9, NULL, ERR));
  OK(api->set_param(exec, 0, &w, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
}

static void outputs_cannot_be_copied(void) {
  static const int64_t dims[2] = {MLP_ROWS, MLP_OUT};
  float y[MLP_Y];
  dbk_tensor t = tensor_of(DBK_F32, 2, dims, y, sizeof y, DBK_COPY);
  FAILS(DBK_INVALID_ARGUMENT, "ownership|COPY", api->run_bind(run, DBK_OUTPUT, 0, &t, ERR));
  t.ownership = DBK_UNTIL_DESTROY, t.byte_len -= 1;
  FAILS(DBK_INVALID_ARGUMENT, "'y'|output 0&59", api->run_bind(run, DBK_OUTPUT, 0, &t, ERR));
}

static void reads(void) {
  float y[MLP_Y];
  dbk_copy good = {.byte_len = sizeof y, .dst = y}, c;
  OK(api->run(run, NULL, NULL, ERR));
  memset(y, 0x55, sizeof y);
  c = good, c.output = 1;
  FAILS(DBK_OUT_OF_RANGE, "1", api->read(run, &c, 1, sizeof c, NULL, ERR));
  c = good, c.byte_len += 1;
  FAILS(DBK_OUT_OF_RANGE, "61|60", api->read(run, &c, 1, sizeof c, NULL, ERR));
  c = good, c.byte_off = 4;
  FAILS(DBK_OUT_OF_RANGE, "60", api->read(run, &c, 1, sizeof c, NULL, ERR));
  c = good, c.byte_off = 0xFFFFFFFFFFFFFFFCull, c.byte_len = 8; /* wraps */
  FAILS(DBK_OUT_OF_RANGE, "60|outside", api->read(run, &c, 1, sizeof c, NULL, ERR));
  c = good, c.reserved = 1;
  FAILS(DBK_INVALID_ARGUMENT, "reserved", api->read(run, &c, 1, sizeof c, NULL, ERR));
  dbk_copy two[2] = {good, good};
  two[1].output = 9; /* the first one is not done either */
  FAILS(DBK_OUT_OF_RANGE, "9", api->read(run, two, 2, sizeof c, NULL, ERR));
  for (size_t i = 0; i < sizeof y; i++) TEST_ASSERT_EQUAL_HEX8(0x55, ((unsigned char*)y)[i]);
}

static void causes_carry_the_index(void) {
  graph g;
  dbk_error* error = NULL;
  dbk_exec* made = NULL;
  dbk_error_info info = {.hdr = hdr_of(sizeof info)};
  mlp_graph(&g, MLP_COPIED);
  g.values[1].kind = 9;
  g.nodes[1].flags = 1;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, api->compile(ctx, &desc, &made, &error));
  TEST_ASSERT_EQUAL_INT32(DBK_OK, api->error_get(error, 0, &info));
  TEST_ASSERT_EQUAL_UINT32(2, info.count);
  TEST_ASSERT_EQUAL_UINT32(1, info.value);
  TEST_ASSERT_EQUAL_INT32(DBK_OK, api->error_get(error, 1, &info));
  TEST_ASSERT_EQUAL_UINT32(1, info.node);
  api->error_destroy(error);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(devices);
  RUN_TEST(roles_and_lists);
  RUN_TEST(roles_of_a_run);
  RUN_TEST(tensors);
  RUN_TEST(taking_away);
  RUN_TEST(outputs_cannot_be_copied);
  RUN_TEST(reads);
  RUN_TEST(causes_carry_the_index);
  return UNITY_END();
}

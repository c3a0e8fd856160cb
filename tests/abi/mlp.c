/* See mlp.h. The expected numbers are computed here in double and independently of the plugin. */
#include "mlp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

const int64_t mlp_x_dims[2] = {MLP_ROWS, MLP_IN}, mlp_w_dims[2] = {MLP_IN, MLP_OUT}, mlp_b_dims[1] = {MLP_OUT};
float mlp_x[MLP_X] = {1, -2, 0.5f, 3, -1, 0, 2, -0.5f, 4, 1, -3, 0.25f};
float mlp_w[MLP_IN * MLP_OUT] = {0.5f, -1,     0.25f, 2, -0.75f, 1,     0.5f, -0.5f, 0.125f, 1.5f,
                                 -2,   0.375f, 1,     0, -1.25f, 0.25f, -1,   0.75f, 1,      -0.5f};
float mlp_b[MLP_OUT] = {0.5f, -0.25f, 1, -1, 0.125f};

void mlp_graph(graph* g, enum mlp_data data) {
  const float *w_data = data == MLP_NO_DATA ? NULL : mlp_w, *b_data = data == MLP_NO_DATA ? NULL : mlp_b;
  uint32_t x, w, b, product, sum, y;
  graph_init(g);
  x = graph_value(g, "x", DBK_F32, 2, mlp_x_dims);
  w = graph_data(g, "weight", DBK_ORIGIN_PARAM, DBK_F32, 2, mlp_w_dims, w_data, sizeof mlp_w, data);
  b = graph_data(g, "bias", DBK_ORIGIN_PARAM, DBK_F32, 1, mlp_b_dims, b_data, sizeof mlp_b, data);
  product = graph_value(g, "product", DBK_DTYPE_NONE, 0, NULL);
  sum = graph_value(g, "sum", DBK_DTYPE_NONE, 0, NULL);
  y = graph_value(g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(g, "MatMul", IDS(x, w), IDS(product));
  graph_node(g, "Add", IDS(product, b), IDS(sum));
  graph_node(g, "Gelu", IDS(sum), IDS(y));
  graph_inputs(g, 0, IDS(x));
  graph_outputs(g, 0, IDS(y));
}

static dbk_compile_desc compile_desc(const graph* g, uint32_t on) {
  return (dbk_compile_desc){.hdr = hdr_of(sizeof(dbk_compile_desc)), .graph = &g->tables, .device = on};
}

dbk_exec* mlp_compile(dbk_ctx* ctx, enum mlp_data data) {
  graph g;
  dbk_exec* exec = NULL;
  mlp_graph(&g, data);
  dbk_compile_desc desc = compile_desc(&g, device);
  OK(api->compile(ctx, &desc, &exec, ERR));
  memset(&g, 0xDB, sizeof g); /* the tables were ours during the call only */
  return exec;
}

dbk_exec* mlp_ready(dbk_ctx* ctx) {
  dbk_exec* exec = mlp_compile(ctx, MLP_COPIED);
  OK(api->exec_ready(exec, NULL, ERR));
  return exec;
}

dbk_run* mlp_run_new(dbk_exec* exec) {
  dbk_run* run = NULL;
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  OK(api->run_create(exec, NULL, &run, ERR));
  OK(api->run_bind(run, DBK_INPUT, 0, &x, ERR));
  return run;
}

void mlp_open(dbk_ctx** ctx, dbk_exec** exec) {
  *ctx = ctx_new();
  *exec = mlp_ready(*ctx);
}

void mlp_close(dbk_ctx* ctx, dbk_exec* exec) {
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

double mlp_expected(int row, int column) {
  double v = mlp_b[column];
  for (int k = 0; k < MLP_IN; k++) v += (double)mlp_x[row * MLP_IN + k] * (double)mlp_w[k * MLP_OUT + column];
  return 0.5 * v * (1 + erf(v / sqrt(2.0)));
}

/* All inputs are small dyadic numbers, so only gelu rounds; a GPU's erf is an approximation of some 1e-6. */
int mlp_wrong(const float* y) {
  double allowed = on_gpu() ? 2e-5 : 2e-6;
  for (int i = 0; i < MLP_Y; i++) {
    double expected = mlp_expected(i / MLP_OUT, i % MLP_OUT);
    if (!(fabs((double)y[i] - expected) <= allowed * (1 + fabs(expected)))) return i;
  }
  return -1;
}

void mlp_read(dbk_run* run, float* y) {
  dbk_copy copy = {.byte_len = MLP_Y * sizeof(float), .dst = y};
  OK(api->read(run, &copy, 1, sizeof copy, NULL, ERR));
}

void mlp_check(dbk_run* run) {
  float y[MLP_Y] = {0};
  mlp_read(run, y);
  TEST_ASSERT_EQUAL_INT_MESSAGE(-1, mlp_wrong(y), "first wrong element of y");
}

static dbk_status mlp_compute(const dbk_api* table, dbk_exec* exec, float* y) {
  dbk_run* run = NULL;
  dbk_tensor x = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY);
  dbk_copy copy = {.byte_len = MLP_Y * sizeof(float), .dst = y};
  dbk_status status = table->exec_ready(exec, NULL, NULL);
  if (status == DBK_OK) status = table->run_create(exec, NULL, &run, NULL);
  if (status == DBK_OK) status = table->run_bind(run, DBK_INPUT, 0, &x, NULL);
  if (status == DBK_OK) status = table->run(run, NULL, NULL, NULL);
  if (status == DBK_OK) status = table->read(run, &copy, 1, sizeof copy, NULL, NULL);
  table->run_destroy(run);
  return status;
}

int mlp_session(const dbk_api* table, const char* host_name) {
  graph g;
  float y[MLP_Y] = {0};
  uint32_t on;
  dbk_exec* exec = NULL;
  dbk_status status;
  dbk_host host = host_desc();
  host.name = host_name;
  dbk_ctx* ctx = ctx_try(table, &host, &on);
  if (ctx == NULL) return 1;
  mlp_graph(&g, MLP_COPIED);
  dbk_compile_desc desc = compile_desc(&g, on);
  status = table->compile(ctx, &desc, &exec, NULL);
  if (status == DBK_OK) status = mlp_compute(table, exec, y);
  table->exec_destroy(exec);
  table->ctx_destroy(ctx);
  return status != DBK_OK || mlp_wrong(y) >= 0;
}

/* ---- a run that takes its time ---- */

enum { SLOW_N = 512, SLOW_MAX_DEPTH = 64 };

static void slow_graph(graph* g, uint32_t depth, const float* weight) {
  const int64_t dims[2] = {SLOW_N, SLOW_N};
  uint32_t w, y;
  graph_init(g);
  y = graph_value(g, "x", DBK_F32, 2, dims);
  graph_inputs(g, 0, IDS(y));
  w = graph_data(g, "weight", DBK_ORIGIN_PARAM, DBK_F32, 2, dims, weight, SLOW_N * SLOW_N * sizeof(float), DBK_COPY);
  for (uint32_t i = 0; i < depth; i++) {
    uint32_t next = graph_value(g, i + 1 == depth ? "y" : "", DBK_DTYPE_NONE, 0, NULL);
    graph_node(g, "MatMul", IDS(y, w), IDS(next));
    y = next;
  }
  graph_outputs(g, 0, IDS(y));
}

void slow_start(slow* s, dbk_ctx* ctx, uint32_t depth) {
  static float numbers[SLOW_N * SLOW_N];
  const int64_t dims[2] = {SLOW_N, SLOW_N};
  graph g;
  dbk_tensor x = tensor_of(DBK_F32, 2, dims, numbers, sizeof numbers, DBK_COPY);
  for (int i = 0; i < SLOW_N * SLOW_N; i++) numbers[i] = (float)(i % 13 - 6) / (float)SLOW_N;
  slow_graph(&g, depth, numbers);
  dbk_compile_desc desc = compile_desc(&g, device);
  OK(api->compile(ctx, &desc, &s->exec, ERR));
  OK(api->exec_ready(s->exec, NULL, ERR));
  OK(api->run_create(s->exec, NULL, &s->run, ERR));
  OK(api->run_bind(s->run, DBK_INPUT, 0, &x, ERR));
  OK(api->run(s->run, NULL, &s->done, ERR));
}

int slow_busy(const slow* s) { return api->event_wait(s->done, 0, NULL) == DBK_DEADLINE_EXCEEDED; }

void slow_end(slow* s) {
  OK(api->event_wait(s->done, DBK_WAIT_FOREVER, ERR));
  api->event_destroy(s->done);
  api->run_destroy(s->run);
  api->exec_destroy(s->exec);
}

/* A failed check of the probe leaves through Unity, so a wrong answer given after the end of the run would show; hence
 * the probe is asked only while busy, and believed only when it was busy afterwards. */
void while_in_flight(dbk_ctx* ctx, void (*probe)(slow* s)) {
  int believed = 0;
  for (uint32_t depth = on_gpu() ? 8 : SLOW_MAX_DEPTH / 2; !believed && depth <= SLOW_MAX_DEPTH; depth *= 2) {
    slow s;
    slow_start(&s, ctx, depth);
    if (slow_busy(&s)) {
      probe(&s);
      believed = slow_busy(&s);
    }
    slow_end(&s);
  }
  TEST_ASSERT_TRUE_MESSAGE(believed, "even the longest run was over before the call returned");
}

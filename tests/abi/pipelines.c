/* The kernels of an executable are compiled side by side: the driver (driver.h) finishes none before it has been asked
 * for two. */
#include "driver.h"
#include "graph.h"
#include "guard.h"
#include "harness.h"

static dbk_ctx* ctx;

void setUp(void) { ctx = ctx_new(); }

void tearDown(void) {
  driver_reset();
  api->ctx_destroy(ctx);
}

/* Of ops that no pass makes one. Dawn starts a second thread where two pipelines wait while the first is busy: so there
 * are three. */
static dbk_exec* three_kernels(void) {
  static const char* const ops[] = {"Softmax", "Transpose", "ReduceSum"};
  graph g;
  dbk_exec* exec = NULL;
  graph_init(&g);
  uint32_t y = graph_value(&g, "x", DBK_F32, DIMS(3, 4));
  graph_inputs(&g, 0, IDS(y));
  for (int i = 0; i < 3; i++) {
    const uint32_t next = graph_value(&g, ops[i], DBK_DTYPE_NONE, 0, NULL);
    graph_node(&g, ops[i], IDS(y), IDS(next));
    y = next;
  }
  graph_outputs(&g, 0, IDS(y));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  return exec;
}

static void kernels_are_compiled_side_by_side(void) {
  driver_needed();
  dbk_exec* exec = three_kernels();
  the_driver.gather_pipelines(2);
  OK(api->exec_ready(exec, NULL, ERR));
  TEST_ASSERT_GREATER_OR_EQUAL_INT(2, the_driver.most_pipelines());
  api->exec_destroy(exec);
}

int main(void) {
  fault_report_install();
  plugin_load();
  driver_find();
  UNITY_BEGIN();
  RUN_TEST(kernels_are_compiled_side_by_side);
  return UNITY_END();
}

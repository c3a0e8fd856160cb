/* A host with operators new and delete of its own (marked_new.h). The plugin, Dawn and libstdc++ hand blocks to each
 * other, so all of them must use the host's pair; and what the plugin counts as its allocations is what reaches that
 * pair. */
#include "harness.h"
#include "marked_new.h"
#include "mlp.h"

static void reports_and_failures(dbk_ctx* ctx, dbk_exec* exec) {
  const char* const kinds[] = {"device", "options", "plan", "placement"};
  dbk_str nobody = str_of("a name long enough for a string that lives on the heap");
  uint32_t index;
  for (int i = 0; i < 4; i++) {
    dbk_report_desc desc = {
        .hdr = hdr_of(sizeof desc), .ctx = i < 2 ? ctx : NULL, .exec = i < 2 ? NULL : exec, .kind = str_of(kinds[i])};
    dbk_text* text = NULL;
    OK(api->report(&desc, &text, ERR));
    api->text_destroy(text);
  }
  FAILS(DBK_NOT_FOUND, nobody.ptr, api->exec_find(exec, DBK_INPUT, &nobody, &index, ERR));
}

static void every_block_returns_to_its_maker(void) {
  for (int i = 0; i < 3; i++) {
    dbk_ctx* ctx = ctx_new();
    dbk_exec* exec = mlp_ready(ctx);
    dbk_run* run = mlp_run_new(exec);
    OK(api->run(run, NULL, NULL, ERR));
    mlp_check(run);
    reports_and_failures(ctx, exec);
    api->run_destroy(run);
    api->exec_destroy(exec);
    api->ctx_destroy(ctx);
  }
  TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, marked_now().strangers, "blocks freed by another allocator than their own");
  TEST_ASSERT_TRUE_MESSAGE(marked_now().freed > 0, "the host's operators were never asked");
}

static uint64_t counted_by_plugin(dbk_ctx* ctx) {
  dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
  OK(api->stats(ctx, NULL, NULL, &stats, ERR));
  return stats.host_allocations;
}

/* Dawn and libstdc++ come to the same operators, so they see at least what the plugin counts. */
static void the_plugin_counts_what_reaches_the_host(void) {
  dbk_ctx* ctx = ctx_new();
  uint64_t counted = counted_by_plugin(ctx);
  marked_counts before = marked_now();
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  counted = counted_by_plugin(ctx) - counted;
  marked_counts after = marked_now();
  TEST_ASSERT_GREATER_THAN_UINT64(0, counted);
  TEST_ASSERT_GREATER_OR_EQUAL_UINT64(counted, after.made - before.made);
  TEST_ASSERT_GREATER_THAN_UINT64_MESSAGE(before.made_aligned, after.made_aligned, "tensors are aligned");
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

/* oneDNN and Dawn allocate when they are called, hence a graph of our own kernels. */
static dbk_exec* own_kernels(dbk_ctx* ctx) {
  graph g;
  dbk_exec* exec = NULL;
  graph_init(&g);
  uint32_t x = graph_value(&g, "x", DBK_F32, 2, mlp_x_dims), inner = graph_value(&g, "", DBK_DTYPE_NONE, 0, NULL);
  uint32_t y = graph_value(&g, "y", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Gelu", IDS(x), IDS(inner));
  graph_node(&g, "Softmax", IDS(inner), IDS(y));
  graph_inputs(&g, 0, IDS(x));
  graph_outputs(&g, 0, IDS(y));
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  OK(api->exec_ready(exec, NULL, ERR));
  return exec;
}

/* The host also sees what libstdc++ allocates on the plugin's behalf, which the plugin cannot count. */
static void a_run_asks_the_host_for_nothing(void) {
  dbk_ctx* ctx = ctx_new();
  dbk_exec* exec = own_kernels(ctx);
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  uint64_t before = marked_now().made;
  for (int i = 0; i < 10; i++) OK(api->run(run, NULL, NULL, ERR));
  TEST_ASSERT_EQUAL_UINT64(before, marked_now().made);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

static uint64_t blocks_alive(void) { return marked_now().made - marked_now().freed; }

static void request(dbk_exec* exec) {
  enum { RUNS = 4 };
  dbk_run* runs[RUNS];
  dbk_event* done[RUNS];
  for (int i = 0; i < RUNS; i++) {
    runs[i] = mlp_run_new(exec);
    OK(api->run(runs[i], NULL, &done[i], ERR));
  }
  for (int i = 0; i < RUNS; i++) {
    OK(api->event_wait(done[i], DBK_WAIT_FOREVER, ERR));
    if (i % 2) api->event_destroy(done[i]);
    api->run_destroy(runs[i]);
    if (i % 2 == 0) api->event_destroy(done[i]);
  }
}

/* A server has runs of its own for each request: however many there were, nothing of them is left, and one that stays
 * goes on without asking for anything. */
static void runs_leave_nothing_to_the_context(void) {
  dbk_ctx* ctx = ctx_new();
  dbk_exec* exec = own_kernels(ctx);
  dbk_run* stays = mlp_run_new(exec);
  OK(api->run(stays, NULL, NULL, ERR));
  for (int i = 0; i < 3; i++) request(exec);
  const uint64_t alive = blocks_alive();
  for (int i = 0; i < 100; i++) request(exec);
  TEST_ASSERT_EQUAL_UINT64(alive, blocks_alive());
  const uint64_t before = marked_now().made;
  for (int i = 0; i < 10; i++) OK(api->run(stays, NULL, NULL, ERR));
  TEST_ASSERT_EQUAL_UINT64(before, marked_now().made);
  api->run_destroy(stays);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
}

/* Even the error that says so has to be made without memory. */
static void without_memory_calls_say_so(void) {
  graph g;
  uint32_t index;
  dbk_ctx* ctx = ctx_new();
  dbk_exec *exec = mlp_ready(ctx), *second = NULL;
  dbk_text* text = NULL;
  dbk_str nobody = str_of("nobody");
  dbk_report_desc report = {.hdr = hdr_of(sizeof report), .exec = exec, .kind = str_of("plan")};
  mlp_graph(&g, MLP_COPIED);
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g.tables, .device = device};
  marked_refuse(1);
  FAILS(DBK_OUT_OF_MEMORY, "memory", api->compile(ctx, &desc, &second, ERR));
  FAILS(DBK_OUT_OF_MEMORY, "memory", api->report(&report, &text, ERR));
  FAILS(DBK_OUT_OF_MEMORY, "memory", api->exec_find(exec, DBK_INPUT, &nobody, &index, ERR));
  marked_refuse(0);
  FAILS(DBK_NOT_FOUND, "nobody", api->exec_find(exec, DBK_INPUT, &nobody, &index, ERR));
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
  TEST_ASSERT_EQUAL_INT(0, mlp_session(api, "after the shortage"));
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(every_block_returns_to_its_maker);
  RUN_TEST(the_plugin_counts_what_reaches_the_host);
  if (!on_gpu()) { /* Dawn allocates for itself, and does not expect to be refused */
    RUN_TEST(a_run_asks_the_host_for_nothing);
    RUN_TEST(runs_leave_nothing_to_the_context);
    RUN_TEST(without_memory_calls_say_so);
  }
  return UNITY_END();
}

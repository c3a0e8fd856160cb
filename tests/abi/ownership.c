/* Test 15: memory is the host's again at the moment the contract says. Each test hands memory over, takes it away
 * (other numbers, no access, unmapped) at the earliest legal moment and expects the right result and no fault. */
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

/* Ready, run, compare, destroy: whatever still reads memory that is gone would fault or compute something else. */
static void finish(dbk_exec* exec) {
  OK(api->exec_ready(exec, NULL, ERR));
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
}

static dbk_exec* compile_graph(const graph* g) {
  dbk_exec* exec = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &g->tables, .device = device};
  OK(api->compile(ctx, &desc, &exec, ERR));
  return exec;
}

static void host_struct_after_ctx_create(void) {
  struct everything {
    dbk_host host;
    dbk_kv item;
    dbk_options options;
    char name[16], key[4];
  } source = {.name = "short lived", .key = "gpu"}, *pages = pages_copy(&source, sizeof source);
  dbk_ctx* own = NULL;
  pages->host = host_desc();
  pages->host.name = pages->host.version = pages->name;
  pages->item = kv_bool(pages->key, 0);
  pages->options = options_of(&pages->item, 1);
  fault_note("host and options after ctx_create", 0);
  OK(api->ctx_create(&pages->host, &pages->options, &own, ERR));
  take_away(pages, sizeof source);
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .ctx = own, .kind = str_of("device")};
  dbk_text* text = NULL;
  OK(api->report(&desc, &text, ERR));
  api->text_destroy(text);
  api->ctx_destroy(own);
}

/* Tables, descriptor, options and watch are ours during the call only. */
static void graph_tables_after_compile(void) {
  struct everything {
    graph g;
    dbk_compile_desc desc;
    dbk_options options;
    dbk_watch watch;
  }* pages = pages_copy(&(struct everything){.desc = {.device = 0}}, sizeof *pages);
  dbk_exec* exec = NULL;
  mlp_graph(&pages->g, MLP_COPIED);
  pages->options = options_of(NULL, 0);
  pages->watch = (dbk_watch){.hdr = hdr_of(sizeof(dbk_watch))};
  pages->desc = (dbk_compile_desc){.hdr = hdr_of(sizeof(dbk_compile_desc)),
                                   .graph = &pages->g.tables,
                                   .options = &pages->options,
                                   .watch = &pages->watch,
                                   .device = device};
  OK(api->compile(ctx, &pages->desc, &exec, ERR));
  fault_note("graph tables after compile", 0);
  take_away(pages, sizeof *pages);
  finish(exec);
}

static void copied_blobs_after_compile(void) {
  graph g;
  float *w = pages_copy(mlp_w, sizeof mlp_w), *b = pages_copy(mlp_b, sizeof mlp_b);
  mlp_graph(&g, MLP_COPIED);
  g.blobs[0].ptr = w;
  g.blobs[1].ptr = b;
  dbk_exec* exec = compile_graph(&g);
  fault_note("copied blobs after compile", 0);
  take_away(w, sizeof mlp_w);
  take_away(b, sizeof mlp_b);
  finish(exec);
}

static void borrowed_blobs_after_destroy(void) {
  graph g;
  float* w = pages_copy(mlp_w, sizeof mlp_w);
  mlp_graph(&g, MLP_BORROWED);
  g.blobs[0].ptr = w;
  dbk_exec* exec = compile_graph(&g);
  OK(api->exec_ready(exec, NULL, ERR));
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  api->run_destroy(run);
  api->exec_destroy(exec);
  fault_note("borrowed blobs after exec_destroy", 0);
  take_away(w, sizeof mlp_w);
  finish(mlp_compile(ctx, MLP_COPIED)); /* caches of the context must not hold it either */
}

/* A mapped file has any alignment, and nothing behind its end. */
static void blobs_at_odd_addresses(void) {
  guard room = guard_new(4096);
  graph g;
  char* w = (char*)guard_place(&room, 0) - sizeof mlp_w;
  char* b = w - sizeof mlp_b - 3;
  memcpy(w, mlp_w, sizeof mlp_w);
  memcpy(b, mlp_b, sizeof mlp_b);
  for (uint32_t how = DBK_COPY; how <= DBK_UNTIL_DESTROY; how += DBK_UNTIL_DESTROY) {
    mlp_graph(&g, (enum mlp_data)how);
    g.blobs[0] = (dbk_blob){.ptr = w, .len = sizeof mlp_w, .ownership = how};
    g.blobs[1] = (dbk_blob){.ptr = b, .len = sizeof mlp_b, .ownership = how};
    fault_note("blob that ends at an unmapped page, ownership", how);
    finish(compile_graph(&g));
  }
  guard_free(&room);
}

static void set_weight(dbk_exec* exec, float* data, uint32_t ownership) {
  dbk_tensor w = tensor_of(DBK_F32, 2, mlp_w_dims, data, sizeof mlp_w, ownership);
  OK(api->set_param(exec, 0, &w, ERR));
}

static void set_bias(dbk_exec* exec) {
  dbk_tensor b = tensor_of(DBK_F32, 1, mlp_b_dims, mlp_b, sizeof mlp_b, DBK_COPY);
  OK(api->set_param(exec, 1, &b, ERR));
}

static void copied_parameter_after_set_param(void) {
  dbk_exec* exec = mlp_compile(ctx, MLP_NO_DATA);
  float* w = pages_copy(mlp_w, sizeof mlp_w);
  set_weight(exec, w, DBK_COPY);
  fault_note("copied parameter after set_param", 0);
  take_away(w, sizeof mlp_w);
  set_bias(exec);
  finish(exec);
}

static void borrowed_parameter_after_destroy(void) {
  dbk_exec* exec = mlp_compile(ctx, MLP_NO_DATA);
  float* w = pages_copy(mlp_w, sizeof mlp_w);
  set_weight(exec, w, DBK_UNTIL_DESTROY);
  set_bias(exec);
  finish(exec);
  fault_note("borrowed parameter after exec_destroy", 0);
  take_away(w, sizeof mlp_w);
}

static void borrowed_parameter_after_replacement(void) {
  dbk_exec* exec = mlp_compile(ctx, MLP_NO_DATA);
  float wrong[MLP_IN * MLP_OUT] = {9}, *w = pages_copy(wrong, sizeof wrong);
  set_weight(exec, w, DBK_UNTIL_DESTROY);
  set_bias(exec);
  OK(api->exec_ready(exec, NULL, ERR));
  set_weight(exec, mlp_w, DBK_COPY);
  OK(api->exec_ready(exec, NULL, ERR));
  fault_note("borrowed parameter after its replacement", 0);
  take_away(w, sizeof wrong);
  finish(exec);
}

int main(void) {
  fault_report_install();
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(host_struct_after_ctx_create);
  RUN_TEST(graph_tables_after_compile);
  RUN_TEST(copied_blobs_after_compile);
  RUN_TEST(borrowed_blobs_after_destroy);
  RUN_TEST(blobs_at_odd_addresses);
  RUN_TEST(copied_parameter_after_set_param);
  RUN_TEST(borrowed_parameter_after_destroy);
  RUN_TEST(borrowed_parameter_after_replacement);
  return UNITY_END();
}

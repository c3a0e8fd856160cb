/* See sweep.h. Every in-struct, every array with a stride and every out-struct of ABI 1.0 has a row at the end. */
#include <string.h>

#include "harness.h"
#include "mlp.h"
#include "sweep.h"

static dbk_ctx* ctx;
static dbk_exec *exec, *replaceable; /* set_param makes an executable unready, so it has one for itself */
static dbk_run* run;
static dbk_error* error;
static graph g; /* has at least one element in every table but floats and slices */

static void full_graph(void) {
  uint32_t constant, sum, y;
  mlp_graph(&g, MLP_COPIED);
  graph_symbol(&g, "batch", 1, 8);
  constant = graph_data(&g, "one", DBK_ORIGIN_CONST, DBK_F32, 0, NULL, mlp_x, sizeof(float), DBK_COPY);
  sum = graph_value(&g, "more", DBK_DTYPE_NONE, 0, NULL);
  y = graph_value(&g, "last", DBK_DTYPE_NONE, 0, NULL);
  graph_node(&g, "Add", IDS(g.refs[g.blocks[0].outputs.off], constant), IDS(sum));
  graph_node(&g, "Transpose", IDS(sum), IDS(y));
  graph_attr_ints(&g, "perm", DIMS(1, 0));
  graph_outputs(&g, 0, IDS(y));
}

void sweep_fixture_open(void) {
  dbk_compile_desc bad = {.hdr = hdr_of(sizeof bad), .device = device};
  dbk_exec* none = NULL;
  ctx = ctx_new();
  exec = mlp_ready(ctx);
  replaceable = mlp_compile(ctx, MLP_COPIED);
  run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  full_graph();
  TEST_ASSERT_EQUAL_INT(DBK_INVALID_ARGUMENT, api->compile(ctx, &bad, &none, &error)); /* an error to look into */
}

void sweep_fixture_close(void) {
  api->error_destroy(error);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->exec_destroy(replaceable);
  api->ctx_destroy(ctx);
}

/* ---- in-structs ---- */

static dbk_status create_and_drop(const dbk_host* host, const dbk_options* options) {
  dbk_ctx* made = NULL;
  dbk_status status = api->ctx_create(host, options, &made, NULL);
  if (status == DBK_OK) api->ctx_destroy(made);
  return status;
}

static dbk_status compile_and_drop(const dbk_compile_desc* desc) {
  dbk_exec* made = NULL;
  dbk_status status = api->compile(ctx, desc, &made, NULL);
  if (status == DBK_OK) api->exec_destroy(made);
  return status;
}

static dbk_status compile_with(const dbk_graph* tables, const dbk_options* options, const dbk_watch* watch) {
  dbk_compile_desc desc = {
      .hdr = hdr_of(sizeof desc), .graph = tables, .options = options, .watch = watch, .device = device};
  return compile_and_drop(&desc);
}

static dbk_status report_and_drop(const dbk_report_desc* desc) {
  dbk_text* text = NULL;
  dbk_status status = api->report(desc, &text, NULL);
  if (status == DBK_OK) api->text_destroy(text);
  return status;
}

static dbk_kv no_gpu(void) { return kv_bool("gpu", 0); }

static void fill_host(void* p) { *(dbk_host*)p = host_desc(); }
static dbk_status call_host(const void* p) {
  dbk_kv item = no_gpu();
  dbk_options options = options_of(&item, 1);
  return create_and_drop(p, &options);
}

static dbk_kv kept_item;
static void fill_options(void* p) {
  kept_item = no_gpu();
  *(dbk_options*)p = options_of(&kept_item, 1);
}
static dbk_status call_ctx_options(const void* p) {
  dbk_host host = host_desc();
  return create_and_drop(&host, p);
}

static void fill_no_options(void* p) { *(dbk_options*)p = options_of(NULL, 0); }
static dbk_status call_compile_options(const void* p) { return compile_with(&g.tables, p, NULL); }
static dbk_status call_report_options(const void* p) {
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .ctx = ctx, .kind = str_of("device"), .options = p};
  return report_and_drop(&desc);
}

static void fill_graph(void* p) { *(dbk_graph*)p = g.tables; }
static dbk_status call_compile_graph(const void* p) { return compile_with(p, NULL, NULL); }
static dbk_status call_check_graph(const void* p) {
  dbk_text* text = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = p, .device = device};
  dbk_status status = api->check(ctx, &desc, &text, NULL);
  if (status == DBK_OK) api->text_destroy(text);
  return status;
}

static int32_t DBK_CALL go_on(void* user, uint32_t stage, uint64_t done, uint64_t total) {
  (void)user, (void)stage, (void)done, (void)total;
  return 0;
}
static void fill_watch(void* p) { *(dbk_watch*)p = (dbk_watch){.hdr = hdr_of(sizeof(dbk_watch)), .progress = go_on}; }
static dbk_status call_compile_watch(const void* p) { return compile_with(&g.tables, NULL, p); }
static dbk_status call_ready_watch(const void* p) { return api->exec_ready(exec, p, NULL); }
static dbk_status call_recover_watch(const void* p) { return api->device_recover(ctx, device, p, NULL); }

static void fill_compile_desc(void* p) {
  *(dbk_compile_desc*)p =
      (dbk_compile_desc){.hdr = hdr_of(sizeof(dbk_compile_desc)), .graph = &g.tables, .device = device};
}
static dbk_status call_compile_desc(const void* p) { return compile_and_drop(p); }

static void fill_weight(void* p) { *(dbk_tensor*)p = tensor_of(DBK_F32, 2, mlp_w_dims, mlp_w, sizeof mlp_w, DBK_COPY); }
static dbk_status call_set_param(const void* p) { return api->set_param(replaceable, 0, p, NULL); }
static void fill_x(void* p) { *(dbk_tensor*)p = tensor_of(DBK_F32, 2, mlp_x_dims, mlp_x, sizeof mlp_x, DBK_COPY); }
static dbk_status call_bind(const void* p) { return api->run_bind(run, DBK_INPUT, 0, p, NULL); }

static void fill_submit(void* p) { *(dbk_submit*)p = (dbk_submit){.hdr = hdr_of(sizeof(dbk_submit))}; }
static dbk_status call_run(const void* p) { return api->run(run, p, NULL, NULL); }

static void fill_buffer_desc(void* p) {
  *(dbk_buffer_desc*)p = (dbk_buffer_desc){.hdr = hdr_of(sizeof(dbk_buffer_desc)), .device = device, .byte_len = 64};
}
static dbk_status call_buffer(const void* p) {
  dbk_buffer* made = NULL;
  dbk_status status = api->buffer_create(ctx, p, &made, NULL);
  if (status == DBK_OK) api->buffer_destroy(made);
  return status;
}

static void fill_report_desc(void* p) {
  *(dbk_report_desc*)p =
      (dbk_report_desc){.hdr = hdr_of(sizeof(dbk_report_desc)), .ctx = ctx, .kind = str_of("options")};
}
static dbk_status call_report(const void* p) { return report_and_drop(p); }

/* ---- arrays ---- */

static const void* kv_elements(uint32_t* out_count) {
  static dbk_kv items[2];
  items[0] = no_gpu();
  items[1] = kv_bool("validation", 0);
  *out_count = 2;
  return items;
}
static dbk_status call_kv(const void* p, uint32_t stride) {
  dbk_options options = {.hdr = hdr_of(sizeof options), .items = p, .count = 2, .stride = stride};
  return call_ctx_options(&options);
}

#define TABLE_ROW(table)                                           \
  static const void* table##_elements(uint32_t* out_count) {       \
    *out_count = g.tables.table.count;                             \
    return g.table;                                                \
  }                                                                \
  static dbk_status call_##table(const void* p, uint32_t stride) { \
    dbk_graph tables = g.tables;                                   \
    tables.table = (dbk_pool){p, g.tables.table.count, stride};    \
    return compile_with(&tables, NULL, NULL);                      \
  }
TABLE_ROW(values)
TABLE_ROW(nodes)
TABLE_ROW(attrs)
TABLE_ROW(symbols)
TABLE_ROW(blocks)
TABLE_ROW(blobs)
TABLE_ROW(ints)
TABLE_ROW(refs)
TABLE_ROW(text)

static float copied[MLP_Y];
static const void* copy_elements(uint32_t* out_count) {
  static dbk_copy copies[2];
  copies[0] = (dbk_copy){.byte_len = 8, .dst = copied};
  copies[1] = (dbk_copy){.byte_off = 8, .byte_len = 8, .dst = copied + 2};
  *out_count = 2;
  return copies;
}
static dbk_status call_read(const void* p, uint32_t stride) { return api->read(run, p, 2, stride, NULL, NULL); }

/* ---- out-structs ---- */

static dbk_status call_device_info(void* p) { return api->device_info(ctx, device, p, NULL); }
static dbk_status call_exec_info(void* p) { return api->exec_info(exec, p, NULL); }
static dbk_status call_exec_io(void* p) { return api->exec_io(exec, DBK_INPUT, 0, p, NULL); }
static dbk_status call_error_get(void* p) { return api->error_get(error, 0, p); }
static dbk_status call_stats(void* p) { return api->stats(ctx, exec, run, p, NULL); }

const sweep_struct sweep_structs[] = {
    {"dbk_host of ctx_create", sizeof(dbk_host), fill_host, call_host},
    {"dbk_options of ctx_create", sizeof(dbk_options), fill_options, call_ctx_options},
    {"dbk_options of compile", sizeof(dbk_options), fill_no_options, call_compile_options},
    {"dbk_options of report", sizeof(dbk_options), fill_no_options, call_report_options},
    {"dbk_graph of compile", sizeof(dbk_graph), fill_graph, call_compile_graph},
    {"dbk_graph of check", sizeof(dbk_graph), fill_graph, call_check_graph},
    {"dbk_watch of compile", sizeof(dbk_watch), fill_watch, call_compile_watch},
    {"dbk_watch of exec_ready", sizeof(dbk_watch), fill_watch, call_ready_watch},
    {"dbk_watch of device_recover", sizeof(dbk_watch), fill_watch, call_recover_watch},
    {"dbk_compile_desc", sizeof(dbk_compile_desc), fill_compile_desc, call_compile_desc},
    {"dbk_tensor of set_param", sizeof(dbk_tensor), fill_weight, call_set_param},
    {"dbk_tensor of run_bind", sizeof(dbk_tensor), fill_x, call_bind},
    {"dbk_submit", sizeof(dbk_submit), fill_submit, call_run},
    {"dbk_buffer_desc", sizeof(dbk_buffer_desc), fill_buffer_desc, call_buffer},
    {"dbk_report_desc", sizeof(dbk_report_desc), fill_report_desc, call_report},
};
const size_t sweep_struct_count = sizeof sweep_structs / sizeof sweep_structs[0];

const sweep_array sweep_arrays[] = {
    {"dbk_kv", sizeof(dbk_kv), kv_elements, call_kv},
    {"dbk_value", sizeof(dbk_value), values_elements, call_values},
    {"dbk_node", sizeof(dbk_node), nodes_elements, call_nodes},
    {"dbk_attr", sizeof(dbk_attr), attrs_elements, call_attrs},
    {"dbk_symbol", sizeof(dbk_symbol), symbols_elements, call_symbols},
    {"dbk_block", sizeof(dbk_block), blocks_elements, call_blocks},
    {"dbk_blob", sizeof(dbk_blob), blobs_elements, call_blobs},
    {"ints", sizeof(int64_t), ints_elements, call_ints},
    {"refs", sizeof(uint32_t), refs_elements, call_refs},
    {"text", sizeof(char), text_elements, call_text},
    {"dbk_copy", sizeof(dbk_copy), copy_elements, call_read},
};
const size_t sweep_array_count = sizeof sweep_arrays / sizeof sweep_arrays[0];

const sweep_out sweep_outs[] = {
    {"dbk_device_info", sizeof(dbk_device_info), call_device_info},
    {"dbk_exec_info", sizeof(dbk_exec_info), call_exec_info},
    {"dbk_io_info", sizeof(dbk_io_info), call_exec_io},
    {"dbk_error_info", sizeof(dbk_error_info), call_error_get},
    {"dbk_stats", sizeof(dbk_stats), call_stats},
};
const size_t sweep_out_count = sizeof sweep_outs / sizeof sweep_outs[0];

/* See audit_graph.h. */
#include "audit_graph.h"

#include <stdio.h>
#include <string.h>

graph audit;
static dbk_ctx* ctx;

static const float numbers[20] = {1, 2, 3, 4, 5};

static void add_computed(graph* g, const char* const* names) {
  for (; *names != NULL; names++) graph_value(g, *names, DBK_DTYPE_NONE, 0, NULL);
}

static void add_values(graph* g) {
  static const char* const names[] = {"product", "sum", "turned", "soft", "constant", "y", "z", NULL};
  const int64_t batch = DBK_DIM_SYMBOL(graph_symbol(g, "batch", 1, 8));
  graph_value(g, "x", DBK_F32, DIMS(batch, 4));
  graph_data(g, "weight", DBK_ORIGIN_PARAM, DBK_F32, DIMS(4, 5), numbers, 80, DBK_COPY);
  graph_data(g, "bias", DBK_ORIGIN_PARAM, DBK_F32, DIMS(5), numbers, 20, DBK_COPY);
  graph_data(g, "filler", DBK_ORIGIN_CONST, DBK_F32, 0, NULL, numbers, 4, DBK_COPY);
  add_computed(g, names);
}

void audit_build(void) {
  graph* g = &audit;
  graph_init(g);
  add_values(g);
  graph_node(g, "MatMul", IDS(X, WEIGHT), IDS(PRODUCT));
  graph_node(g, "Add", IDS(PRODUCT, BIAS), IDS(SUM));
  graph_node(g, "Transpose", IDS(SUM), IDS(TURNED));
  graph_attr_ints(g, "perm", DIMS(1, 0));
  graph_node(g, "Softmax", IDS(TURNED), IDS(SOFT));
  graph_attr(g, "axis", DBK_ATTR_INT, 1);
  graph_node(g, "Constant", NO_IDS, IDS(CONSTANT));
  graph_attr(g, "value", DBK_ATTR_TENSOR, FILLER);
  graph_node(g, "Gelu", IDS(SOFT), IDS(Y));
  graph_attr_text(g, "approximate", "tanh");
  graph_node(g, "Mul", IDS(SOFT, CONSTANT), IDS(Z));
  graph_inputs(g, 0, IDS(X));
  graph_outputs(g, 0, IDS(Y, Z));
}

void audit_build_branches(void) {
  static const char* const names[] = {"chosen", "then", "else", NULL};
  graph* g = &audit;
  audit_build();
  graph_value(g, "flag", DBK_BOOL, 0, NULL);
  add_computed(g, names);
  graph_node(g, "If", IDS(FLAG), IDS(CHOSEN));
  graph_attr(g, "then_branch", DBK_ATTR_BLOCK, 1);
  graph_attr(g, "else_branch", DBK_ATTR_BLOCK, 2);
  graph_inputs(g, 0, IDS(X, FLAG));
  graph_outputs(g, 0, IDS(Y, Z, CHOSEN));
  graph_outputs(g, graph_block(g, "then_body"), IDS(THEN));
  graph_node(g, "Relu", IDS(BIAS), IDS(THEN));
  graph_outputs(g, graph_block(g, "else_body"), IDS(ELSE));
  graph_node(g, "Neg", IDS(BIAS), IDS(ELSE));
}

void audit_open(void) { ctx = ctx_new(); }
void audit_close(void) { api->ctx_destroy(ctx); }

static void fail_case(const char* verb, const char* change, int line, dbk_status got, const char* wanted) {
  char text[9000];
  snprintf(text, sizeof text, "%s after `%s`: got %s, wanted %s\n%s", verb, change, status_name(got), wanted, err_text);
  note_failure(line, text);
}

static void expect_refusal(const char* verb, dbk_status got, dbk_status code, const char* culprit, dbk_error* error,
                           const void* output, const char* change, int line) {
  char wanted[256];
  snprintf(wanted, sizeof wanted, "%s naming %s", status_name(code), culprit);
  err_text[0] = '\0';
  if (!is_failure(got, code, culprit, error))
    fail_case(verb, change, line, got, wanted);
  else if (output != POISON)
    fail_case(verb, change, line, got, "an untouched output");
}

void audit_refused(dbk_status code, const char* culprit, const char* change, int line) {
  dbk_error *of_compile = POISON, *of_check = POISON;
  dbk_exec* exec = POISON;
  dbk_text* text = POISON;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &audit.tables, .device = device};
  dbk_status got = api->compile(ctx, &desc, &exec, &of_compile);
  expect_refusal("compile", got, code, culprit, of_compile, exec, change, line);
  if (got == DBK_OK) api->exec_destroy(exec);
  got = api->check(ctx, &desc, &text, &of_check);
  /* Valid but not supported is no failure of check: its verdicts say so. */
  if (code != DBK_UNIMPLEMENTED || got != DBK_OK)
    expect_refusal("check", got, code, culprit, of_check, text, change, line);
  if (got == DBK_OK) api->text_destroy(text);
}

static dbk_status compile_and_drop(dbk_error** error) {
  dbk_exec* exec = NULL;
  dbk_compile_desc desc = {.hdr = hdr_of(sizeof desc), .graph = &audit.tables, .device = device};
  dbk_status status = api->compile(ctx, &desc, &exec, error);
  if (status == DBK_OK) api->exec_destroy(exec);
  return status;
}

dbk_status audit_status(void) { return compile_and_drop(NULL); }

void audit_accepted(const char* change, int line) {
  dbk_error* error = NULL;
  dbk_status got = compile_and_drop(&error);
  err_text[0] = '\0';
  if (got == DBK_OK) return;
  is_failure(got, got, NULL, error);
  fail_case("compile", change, line, got, "OK");
}

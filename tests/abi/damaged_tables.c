/* Test 14: the tables of a valid graph with a few random words changed, and now and then another op in a node. Compile
 * answers each with a status, never INTERNAL, and so does the run of what still compiles. usage: damaged_tables [CASES
 * [FIRST]]; the cases are the same every time. In a debugger `number` is the case that crashed. */
#include <stdio.h>
#include <stdlib.h>

#include "audit_graph.h"

static dbk_ctx* ctx;
static uint32_t number, first = 0, cases = 2000;
static uint64_t state;
static uint32_t compiled, ran;

void setUp(void) { ctx = ctx_new(); }
void tearDown(void) { api->ctx_destroy(ctx); }

static uint32_t any(uint32_t below) { /* xorshift */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 32) % below;
}

static uint32_t edge(void) {
  static const uint32_t edges[] = {0,       1,        2,           7,           32,          33,
                                   255,     65536,    0x7FFFFFFFu, 0x80000000u, 0xFFFFFFFEu, 0xFFFFFFFFu,
                                   DBK_I64, DBK_BOOL, DBK_F16,     DBK_I4};
  return edges[any(sizeof edges / sizeof *edges)];
}

/* Blobs keep their pointers, which nobody can check, and with them their sizes. */
static void change_a_word(void) {
  const dbk_graph* t = &audit.tables;
  const dbk_pool pools[] = {t->values, t->nodes, t->attrs, t->symbols, t->blocks, t->ints, t->refs};
  const dbk_pool pool = pools[any(sizeof pools / sizeof *pools)];
  uint32_t* word = (uint32_t*)(uintptr_t)pool.ptr + any(pool.count * pool.stride / 4);
  switch (any(3)) {
    case 0:
      *word = edge();
      break;
    case 1:
      *word += any(2) ? 1u : 0xFFFFFFFFu;
      break;
    default:
      *word ^= 1u << any(32);
  }
}

static void change_an_op(void) {
  static const char* const ops[] = {"Add",  "Cast",  "Concat",  "Conv",  "Expand",    "Flatten",  "Gather",
                                    "Gemm", "Loop",  "MaxPool", "Pad",   "Range",     "Reshape",  "Resize",
                                    "Scan", "Shape", "Slice",   "Split", "Unsqueeze", "Squeeze",  "Tile",
                                    "TopK", "Where", "If",      "LSTM",  "OneHot",    "ReduceSum"};
  audit.nodes[any(audit.tables.nodes.count)].op = graph_text(&audit, ops[any(sizeof ops / sizeof *ops)]);
}

static void damage(void) {
  if (any(4) == 0)
    audit_build_branches();
  else
    audit_build();
  if (any(3) == 0) change_an_op();
  for (uint32_t changes = any(3); changes > 0; --changes) change_a_word();
}

/* Gives every input and parameter zeros, of any extent where one is open. What is refused is missing at the run. */
static void give_zeros(dbk_exec* exec, dbk_run* run, uint32_t role) {
  static char zeros[1 << 16];
  uint32_t count = 0;
  OK(api->exec_count(exec, role, &count, ERR));
  for (uint32_t i = 0; i < count; ++i) {
    dbk_io_info io = {.hdr = hdr_of(sizeof io)};
    double bits = 1;
    OK(api->exec_io(exec, role, i, &io, ERR));
    if (io.rank == DBK_NONE) io.rank = 0;
    for (uint32_t d = 0; d < io.rank; ++d) {
      if (io.dims[d] < 0) io.dims[d] = any(10);
      bits *= (double)io.dims[d];
    }
    if (bits * DBK_DTYPE_BITS(io.dtype) > 8.0 * sizeof zeros) continue;
    dbk_tensor t = tensor_of(io.dtype, io.rank, io.dims, zeros, sizeof zeros, DBK_COPY);
    if (role == DBK_PARAM)
      api->set_param(exec, i, &t, NULL);
    else
      api->run_bind(run, role, i, &t, NULL);
  }
}

static dbk_status run_once(const dbk_compile_desc* desc, dbk_error** error) {
  dbk_exec* exec = NULL;
  dbk_run* run = NULL;
  dbk_status status = api->compile(ctx, desc, &exec, error);
  if (status == DBK_OK) give_zeros(exec, NULL, DBK_PARAM);
  if (status == DBK_OK) status = api->exec_ready(exec, NULL, error);
  if (status == DBK_OK) status = api->run_create(exec, NULL, &run, error);
  if (status == DBK_OK) give_zeros(exec, run, DBK_INPUT);
  if (status == DBK_OK) status = api->run(run, NULL, NULL, error);
  api->run_destroy(run);
  api->exec_destroy(exec);
  return status;
}

static void expect_an_answer(dbk_status status, dbk_error* error) {
  char text[64];
  if (status == DBK_INTERNAL || status == DBK_UNKNOWN) {
    snprintf(text, sizeof text, "case %u: %s", (unsigned)number, status_name(status));
    note_failure(__LINE__, text);
  }
  if (status != DBK_OK && error == NULL) note_failure(__LINE__, "a failure without an error");
  api->error_destroy(error);
}

static void every_answer_is_a_status(void) {
  for (number = first; number < first + cases; ++number) {
    dbk_compile_desc desc = {
        .hdr = hdr_of(sizeof desc), .graph = &audit.tables, .device = device, .mode = DBK_COMPILE_PLAN_ONLY};
    dbk_stats stats = {.hdr = hdr_of(sizeof stats)};
    dbk_exec* exec = NULL;
    dbk_error* error = NULL;
    state = (number + 1) * 0x9E3779B97F4A7C15ull;
    damage();
    dbk_status status = api->compile(ctx, &desc, &exec, &error);
    expect_an_answer(status, error);
    if (status != DBK_OK) continue;
    compiled++;
    OK(api->stats(NULL, exec, NULL, &stats, ERR));
    api->exec_destroy(exec);
    if (stats.weight_bytes + stats.activation_bytes + stats.staging_bytes > 1 << 24)
      continue; /* an extent has become huge */
    desc.mode = DBK_COMPILE_FULL;
    status = run_once(&desc, &error);
    expect_an_answer(status, error);
    ran += status == DBK_OK;
  }
  printf("%u of %u compiled, %u ran\n", (unsigned)compiled, (unsigned)cases, (unsigned)ran);
  /* Otherwise this test would be about refusals alone. */
  TEST_ASSERT_GREATER_THAN_UINT32(cases / 20, ran);
}

int main(int argc, char** argv) {
  if (argc > 1) cases = (uint32_t)atoi(argv[1]);
  if (argc > 2) first = (uint32_t)atoi(argv[2]);
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(every_answer_is_a_status);
  return UNITY_END();
}

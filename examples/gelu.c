/* y = gelu(x W + b) through the C ABI alone: load, describe, compile, set parameters, run, read.
 * usage: gelu [PLUGIN.so]. Runs on the best device, or where DAYBREAK_DEVICE says: cpu, gpu, an index, a name. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daybreak.h"

static const dbk_api* api;
static dbk_error* error;

static void check(dbk_status status) {
  dbk_error_info info = {.hdr = {.size = sizeof info}, .msg = "no reason given"};
  if (status == DBK_OK) return;
  if (error) api->error_get(error, 0, &info);
  fprintf(stderr, "gelu: status %d: %s\n", (int)status, info.msg);
  exit(1);
}

/* A graph is tables: names are ranges of `text`, shapes of `ints`; `refs` lists operands by their rows in `values`. */
/* clang-format off */
enum { X, W, B, SUM, Y };
static const char text[] = "xWbyGemmGelu";
static const int64_t ints[] = {/* x */ 2, 3, /* W */ 3, 2, /* b */ 2};
static const uint32_t refs[] = {/* Gemm, which is x W + b */ X, W, B, SUM, /* Gelu */ SUM, Y};
static const dbk_value values[] = {/* name, dims, dtype, kind, origin, flags, alias, blob */
    [X] = {{0, 1}, {0, 2}, DBK_F32, DBK_KIND_TENSOR, DBK_ORIGIN_COMPUTED, 0, DBK_NONE, DBK_NONE, 0, 0},
    [W] = {{1, 1}, {2, 2}, DBK_F32, DBK_KIND_TENSOR, DBK_ORIGIN_PARAM, 0, DBK_NONE, DBK_NONE, 0, 0},
    [B] = {{2, 1}, {4, 1}, DBK_F32, DBK_KIND_TENSOR, DBK_ORIGIN_PARAM, 0, DBK_NONE, DBK_NONE, 0, 0},
    [SUM] = {.flags = DBK_VALUE_UNKNOWN_RANK, .alias = DBK_NONE, .blob = DBK_NONE}, /* inferred */
    [Y] = {.name = {3, 1}, .flags = DBK_VALUE_UNKNOWN_RANK, .alias = DBK_NONE, .blob = DBK_NONE}};
static const dbk_node nodes[] = {{.op = {4, 4}, .inputs = {0, 3}, .outputs = {3, 1}, .op_version = 20},
                                 {.op = {8, 4}, .inputs = {4, 1}, .outputs = {5, 1}, .op_version = 20}};
static const dbk_block block = {.nodes = {0, 2}, .inputs = {0, 1}, .outputs = {5, 1}};
static const dbk_graph graph = {
    .hdr = {.size = sizeof graph}, .values = {values, 5, sizeof *values}, .nodes = {nodes, 2, sizeof *nodes},
    .blocks = {&block, 1, sizeof block}, .ints = {ints, 5, sizeof *ints}, .refs = {refs, 6, sizeof *refs},
    .text = {text, sizeof text, 1}};
/* clang-format on */

static dbk_tensor f32(float* data, uint64_t byte_len, const int64_t* dims, uint32_t rank) {
  return (dbk_tensor){{sizeof(dbk_tensor), 0, NULL}, DBK_F32, rank, dims, NULL, data, NULL, 0, byte_len, DBK_COPY, 0};
}

int main(int argc, char** argv) {
  void* library = dlopen(argc > 1 ? argv[1] : "libdaybreak.so", RTLD_NOW | RTLD_LOCAL);
  void* symbol = library ? dlsym(library, "dbk_entry") : NULL;
  char why[256] = "";
  dbk_entry_fn entry;
  memcpy(&entry, &symbol, sizeof entry); /* ISO C knows no cast from object to function pointer */
  if (!entry || entry(DBK_ABI_1_0, DBK_ABI_1_0, &api, why, sizeof why) != DBK_OK)
    return fprintf(stderr, "gelu: %s\n", entry ? why : dlerror()), 1;

  float x[] = {1, 2, 3, -1, 0, 1}, w[] = {0.5f, -0.5f, 0.25f, 0.75f, -1, 1}, b[] = {0.5f, -1}, y[4];
  dbk_tensor tx = f32(x, sizeof x, ints, 2), tw = f32(w, sizeof w, ints + 2, 2), tb = f32(b, sizeof b, ints + 4, 1);
  const dbk_host host = {.hdr = {.size = sizeof host}, .abi = api->abi, .name = "gelu"};
  const dbk_compile_desc desc = {.hdr = {.size = sizeof desc}, .graph = &graph, .device = DBK_DEVICE_DEFAULT};
  const dbk_copy copy = {.output = 0, .byte_len = sizeof y, .dst = y};
  dbk_ctx* ctx;
  dbk_exec* exec;
  dbk_run* run;
  check(api->ctx_create(&host, NULL, &ctx, &error));
  check(api->compile(ctx, &desc, &exec, &error));
  check(api->set_param(exec, 0, &tw, &error));
  check(api->set_param(exec, 1, &tb, &error));
  check(api->exec_ready(exec, NULL, &error));
  check(api->run_create(exec, NULL, &run, &error));
  check(api->run_bind(run, DBK_INPUT, 0, &tx, &error));
  check(api->run(run, NULL, NULL, &error));
  check(api->read(run, &copy, 1, sizeof copy, NULL, &error));
  printf("y = [[%.4f, %.4f], [%.4f, %.4f]]\n", y[0], y[1], y[2], y[3]);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
  return 0;
}

/* y = gelu(x W + b) through the C ABI alone: load, describe, compile, set parameters, run, read.
 * usage: gelu PLUGIN.so [cpu]. Prints the result and the device: the best one, or the CPU. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daybreak.h"

static const dbk_api* api;
static dbk_error* error;

static void check(dbk_status status) {
  dbk_error_info info = {.hdr = {.size = sizeof info}, .count = 1};
  if (status == DBK_OK) return;
  fprintf(stderr, "status %d\n", (int)status);
  for (uint32_t i = 0; error && i < info.count && api->error_get(error, i, &info) == DBK_OK; ++i) {
    fprintf(stderr, "  %s\n", info.msg);
  }
  exit(1);
}

#define TABLE(array) {array, sizeof(array) / sizeof((array)[0]), sizeof((array)[0])}

/* Names are ranges of `text`; values are rows of `values`; nodes refer to values by row. */
static const char text[] = "xWbyMatMulAddGelu";
static const int64_t ints[] = {2, 3, /* x */ 3, 2, /* W */ 2 /* b */};
static const uint32_t refs[] = {0, 1, 3, /* MatMul */ 3, 2, 4, /* Add */ 4, 5 /* Gelu */};
#define INFERRED .flags = DBK_VALUE_UNKNOWN_RANK, .alias = DBK_NONE, .blob = DBK_NONE
#define TYPED(where, rank) .dims = {where, rank}, .dtype = DBK_F32, .alias = DBK_NONE, .blob = DBK_NONE
static const dbk_value values[] = {
    {.name = {0, 1}, TYPED(0, 2)},
    {.name = {1, 1}, TYPED(2, 2), .origin = DBK_ORIGIN_PARAM},
    {.name = {2, 1}, TYPED(4, 1), .origin = DBK_ORIGIN_PARAM},
    {INFERRED},
    {INFERRED},
    {.name = {3, 1}, INFERRED},
};
static const dbk_node nodes[] = {
    {.op = {4, 6}, .inputs = {0, 2}, .outputs = {2, 1}, .op_version = 20},
    {.op = {10, 3}, .inputs = {3, 2}, .outputs = {5, 1}, .op_version = 20},
    {.op = {13, 4}, .inputs = {6, 1}, .outputs = {7, 1}, .op_version = 20},
};
static const dbk_block blocks[] = {{.nodes = {0, 3}, .inputs = {0, 1}, .outputs = {7, 1}}};

static dbk_tensor tensor(const float* data, uint64_t byte_len, const int64_t* dims, uint32_t rank) {
  return (dbk_tensor){
      {sizeof(dbk_tensor), 0, NULL}, DBK_F32, rank, dims, NULL, (void*)data, NULL, 0, byte_len, DBK_COPY, 0};
}

int main(int argc, char** argv) {
  static const float x[] = {1, 2, 3, -1, 0, 1}, w[] = {0.5f, -0.5f, 0.25f, 0.75f, -1, 1}, b[] = {0.5f, -1};
  const dbk_graph graph = {.hdr = {.size = sizeof graph},
                           .values = TABLE(values),
                           .nodes = TABLE(nodes),
                           .blocks = TABLE(blocks),
                           .ints = TABLE(ints),
                           .refs = TABLE(refs),
                           .text = TABLE(text)};
  const dbk_tensor tx = tensor(x, sizeof x, ints, 2);
  const dbk_tensor tw = tensor(w, sizeof w, ints + 2, 2), tb = tensor(b, sizeof b, ints + 4, 1);
  void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  void* symbol = library ? dlsym(library, "dbk_entry") : NULL;
  dbk_entry_fn entry;
  char why[256] = "usage: gelu PLUGIN.so [cpu]";
  memcpy(&entry, &symbol, sizeof entry); /* ISO C knows no cast from object to function pointer */
  if (!entry || entry(DBK_ABI_1_0, DBK_ABI_1_0, &api, why, sizeof why) != DBK_OK) {
    fprintf(stderr, "%s\n", argc > 1 && !entry ? dlerror() : why);
    return 1;
  }

  const dbk_host host = {.hdr = {.size = sizeof host}, .abi = api->abi, .name = "gelu"};
  dbk_ctx* ctx;
  check(api->ctx_create(&host, NULL, &ctx, &error));
  uint32_t device_count;
  dbk_device_info info = {.hdr = {.size = sizeof info}}, chosen = info;
  dbk_compile_desc desc = {.hdr = {.size = sizeof desc}, .graph = &graph};
  check(api->device_count(ctx, &device_count, &error));
  for (uint32_t i = argc > 2 ? device_count - 1 : 0; i < device_count; ++i) { /* the CPU is last */
    info.hdr.size = sizeof info;
    check(api->device_info(ctx, i, &info, &error));
    if (info.score > chosen.score) chosen = info, desc.device = i;
  }

  dbk_exec* exec;
  dbk_run* run;
  float y[4];
  const dbk_copy copy = {.output = 0, .byte_len = sizeof y, .dst = y};
  check(api->compile(ctx, &desc, &exec, &error));
  check(api->set_param(exec, 0, &tw, &error));
  check(api->set_param(exec, 1, &tb, &error));
  check(api->exec_ready(exec, NULL, &error));
  check(api->run_create(exec, NULL, &run, &error));
  check(api->run_bind(run, DBK_INPUT, 0, &tx, &error));
  check(api->run(run, NULL, NULL, &error));
  check(api->read(run, &copy, 1, sizeof copy, NULL, &error));
  printf("y = [[%.4f, %.4f], [%.4f, %.4f]]\ndevice: %s\n", y[0], y[1], y[2], y[3], chosen.name);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
  return 0;
}

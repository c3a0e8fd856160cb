/* See graph.h. Running out of room is a defect of a test and ends it. */
#include "graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL(g, field) \
  (dbk_pool) { (g)->field, 0, sizeof(g)->field[0] }
#define APPEND(g, field, n) append(&(g)->tables.field, sizeof(g)->field / sizeof(g)->field[0], (n), #field)

static uint32_t append(dbk_pool* pool, size_t room, uint32_t n, const char* what) {
  uint32_t first = pool->count;
  if (first + n > room) {
    fprintf(stderr, "test graph: no room for more %s\n", what);
    exit(1);
  }
  pool->count += n;
  return first;
}

void graph_init(graph* g) {
  memset(g, 0, sizeof *g);
  g->tables.hdr.size = sizeof g->tables;
  g->tables.values = POOL(g, values);
  g->tables.nodes = POOL(g, nodes);
  g->tables.attrs = POOL(g, attrs);
  g->tables.symbols = POOL(g, symbols);
  g->tables.blocks = POOL(g, blocks);
  g->tables.blobs = POOL(g, blobs);
  g->tables.ints = POOL(g, ints);
  g->tables.floats = POOL(g, floats);
  g->tables.refs = POOL(g, refs);
  g->tables.slices = POOL(g, slices);
  g->tables.text = POOL(g, text);
  graph_block(g, "main");
}

dbk_slice graph_text(graph* g, const char* text) {
  dbk_slice slice = {0, (uint32_t)strlen(text)};
  slice.off = APPEND(g, text, slice.len);
  memcpy(g->text + slice.off, text, slice.len);
  return slice;
}

static dbk_slice add_ints(graph* g, uint32_t count, const int64_t* values) {
  dbk_slice slice = {APPEND(g, ints, count), count};
  if (count > 0) memcpy(g->ints + slice.off, values, count * sizeof *values);
  return slice;
}

static dbk_slice add_refs(graph* g, uint32_t count, const uint32_t* ids) {
  dbk_slice slice = {APPEND(g, refs, count), count};
  if (count > 0) memcpy(g->refs + slice.off, ids, count * sizeof *ids);
  return slice;
}

uint32_t graph_value(graph* g, const char* name, uint32_t dtype, uint32_t rank, const int64_t* dims) {
  uint32_t id = APPEND(g, values, 1);
  g->values[id] = (dbk_value){.name = graph_text(g, name),
                              .dims = add_ints(g, rank, dims),
                              .dtype = dtype,
                              .flags = dtype == DBK_DTYPE_NONE ? DBK_VALUE_UNKNOWN_RANK : 0,
                              .alias = DBK_NONE,
                              .blob = DBK_NONE};
  return id;
}

uint32_t graph_data(graph* g, const char* name, uint32_t origin, uint32_t dtype, uint32_t rank, const int64_t* dims,
                    const void* data, uint64_t bytes, uint32_t ownership) {
  uint32_t id = graph_value(g, name, dtype, rank, dims);
  g->values[id].origin = origin;
  if (data != NULL) {
    g->values[id].blob = APPEND(g, blobs, 1);
    g->values[id].blob_len = bytes;
    g->blobs[g->values[id].blob] = (dbk_blob){.ptr = data, .len = bytes, .ownership = ownership};
  }
  return id;
}

uint32_t graph_node(graph* g, const char* op, uint32_t n_in, const uint32_t* in, uint32_t n_out, const uint32_t* out) {
  uint32_t id = APPEND(g, nodes, 1);
  char name[64];
  snprintf(name, sizeof name, "%s_%u", op, id);
  g->nodes[id] = (dbk_node){.op = graph_text(g, op),
                            .name = graph_text(g, name),
                            .inputs = add_refs(g, n_in, in),
                            .outputs = add_refs(g, n_out, out),
                            .attrs = {g->tables.attrs.count, 0},
                            .op_version = 22};
  g->blocks[g->tables.blocks.count - 1].nodes.len++;
  return id;
}

dbk_attr* graph_attr(graph* g, const char* name, uint32_t type, int64_t value) {
  dbk_attr* attr = &g->attrs[APPEND(g, attrs, 1)];
  attr->name = graph_text(g, name);
  attr->type = type;
  attr->v.i = value;
  g->nodes[g->tables.nodes.count - 1].attrs.len++;
  return attr;
}

void graph_attr_text(graph* g, const char* name, const char* value) {
  graph_attr(g, name, DBK_ATTR_STRING, 0)->data = graph_text(g, value);
}

void graph_attr_ints(graph* g, const char* name, uint32_t count, const int64_t* values) {
  graph_attr(g, name, DBK_ATTR_INTS, 0)->data = add_ints(g, count, values);
}

uint32_t graph_symbol(graph* g, const char* name, int64_t min, int64_t max) {
  uint32_t id = APPEND(g, symbols, 1);
  g->symbols[id] = (dbk_symbol){.name = graph_text(g, name), .min = min, .max = max};
  return id;
}

uint32_t graph_block(graph* g, const char* name) {
  uint32_t id = APPEND(g, blocks, 1);
  g->blocks[id] = (dbk_block){.name = graph_text(g, name), .nodes = {g->tables.nodes.count, 0}};
  return id;
}

void graph_inputs(graph* g, uint32_t block, uint32_t count, const uint32_t* ids) {
  g->blocks[block].inputs = add_refs(g, count, ids);
}

void graph_outputs(graph* g, uint32_t block, uint32_t count, const uint32_t* ids) {
  g->blocks[block].outputs = add_refs(g, count, ids);
}

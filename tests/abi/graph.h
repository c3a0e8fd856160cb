/* Builds the index-linked tables of a dbk_graph in fixed arrays, so that a test can also spoil any field of them.
 * The tables point into the struct: do not copy one, build it again. */
#ifndef DAYBREAK_TESTS_GRAPH_H
#define DAYBREAK_TESTS_GRAPH_H

#include <daybreak.h>

typedef struct graph {
  dbk_value values[96];
  dbk_node nodes[80];
  dbk_attr attrs[16];
  dbk_symbol symbols[4];
  dbk_block blocks[4];
  dbk_blob blobs[16];
  int64_t ints[256];
  double floats[8];
  uint32_t refs[320];
  dbk_slice slices[8];
  char text[2048];
  dbk_graph tables;
} graph;

/* A count and an array in one, for the pairs of parameters below. */
#define IDS(...) \
  (uint32_t)(sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)), (uint32_t[]) { __VA_ARGS__ }
#define DIMS(...) \
  (uint32_t)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)), (int64_t[]) { __VA_ARGS__ }
#define NO_IDS 0, NULL

void graph_init(graph* g); /* makes block 0 */
dbk_slice graph_text(graph* g, const char* text);
/* A computed value. dtype DBK_DTYPE_NONE: to be inferred, dims unknown too. Returns its id. */
uint32_t graph_value(graph* g, const char* name, uint32_t dtype, uint32_t rank, const int64_t* dims);
/* A parameter or constant; data NULL: no blob. Returns its id. */
uint32_t graph_data(graph* g, const char* name, uint32_t origin, uint32_t dtype, uint32_t rank, const int64_t* dims,
                    const void* data, uint64_t bytes, uint32_t ownership);
/* A node of the newest block, named like its op; version 22 of the default domain. Returns its index. */
uint32_t graph_node(graph* g, const char* op, uint32_t n_in, const uint32_t* in, uint32_t n_out, const uint32_t* out);
/* An attribute of the newest node. */
dbk_attr* graph_attr(graph* g, const char* name, uint32_t type, int64_t value);
void graph_attr_text(graph* g, const char* name, const char* value);
void graph_attr_ints(graph* g, const char* name, uint32_t count, const int64_t* values);
uint32_t graph_symbol(graph* g, const char* name, int64_t min, int64_t max);
uint32_t graph_block(graph* g, const char* name); /* following nodes belong to it */
void graph_inputs(graph* g, uint32_t block, uint32_t count, const uint32_t* ids);
void graph_outputs(graph* g, uint32_t block, uint32_t count, const uint32_t* ids);

#endif

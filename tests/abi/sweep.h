/* The fixture of the size sweeps: live objects, and one call per struct of the ABI that takes the struct from a given
 * address and cleans up after itself. */
#ifndef DAYBREAK_TESTS_SWEEP_H
#define DAYBREAK_TESTS_SWEEP_H

#include <daybreak.h>
#include <stddef.h>

typedef struct sweep_struct {
  const char* name;
  size_t size;                        /* in ABI 1.0, which is also what the plugin knows today */
  void (*fill)(void* valid);          /* a struct with which the call succeeds */
  dbk_status (*call)(const void* at); /* frees what it makes */
} sweep_struct;

typedef struct sweep_array { /* an array with a stride: `count` elements of `size` bytes */
  const char* name;
  size_t size;
  const void* (*elements)(uint32_t* out_count);
  dbk_status (*call)(const void* at, uint32_t stride);
} sweep_array;

typedef struct sweep_out {
  const char* name;
  size_t size;
  dbk_status (*call)(void* at);
} sweep_out;

extern const sweep_struct sweep_structs[];
extern const sweep_array sweep_arrays[];
extern const sweep_out sweep_outs[];
extern const size_t sweep_struct_count, sweep_array_count, sweep_out_count;

void sweep_fixture_open(void);
void sweep_fixture_close(void);

#endif

/* The network of most tests: y = gelu(x * W + b), with x [rows, 4], W [4, 5], b [5]; its answer is known in double.
 * And a long chain of multiplications, for tests that need a run which is surely still in flight. */
#ifndef DAYBREAK_TESTS_MLP_H
#define DAYBREAK_TESTS_MLP_H

#include "graph.h"

enum { MLP_ROWS = 3, MLP_IN = 4, MLP_OUT = 5, MLP_X = MLP_ROWS * MLP_IN, MLP_Y = MLP_ROWS * MLP_OUT };
extern const int64_t mlp_x_dims[2], mlp_w_dims[2], mlp_b_dims[1];
extern float mlp_x[MLP_X], mlp_w[MLP_IN * MLP_OUT], mlp_b[MLP_OUT];

/* Where the parameters W and b get their data: set_param later, or blobs with this ownership. */
enum mlp_data { MLP_NO_DATA = 100, MLP_COPIED = DBK_COPY, MLP_BORROWED = DBK_UNTIL_DESTROY };

void mlp_graph(graph* g, enum mlp_data data);
dbk_exec* mlp_compile(dbk_ctx* ctx, enum mlp_data data); /* W is parameter 0, b parameter 1 */
dbk_exec* mlp_ready(dbk_ctx* ctx);                       /* compiled with copied data, and ready */
dbk_run* mlp_run_new(dbk_exec* exec);                    /* x bound by copy */
/* What setUp and tearDown of several files do: a context with the network ready in it. */
void mlp_open(dbk_ctx** ctx, dbk_exec** exec);
void mlp_close(dbk_ctx* ctx, dbk_exec* exec);
double mlp_expected(int row, int column);
/* -1 where y is right, else the first wrong index. */
int mlp_wrong(const float* y);
void mlp_read(dbk_run* run, float* y);
void mlp_check(dbk_run* run); /* reads y and asserts it */
/* Load, compute, compare and destroy with any table, silently: 0 where everything is right. For children and threads.
 */
int mlp_session(const dbk_api* table, const char* host_name);

/* `depth` times y = y * W with W [512, 512]: every run takes milliseconds per step. The input is bound. */
typedef struct slow {
  dbk_exec* exec;
  dbk_run* run;
  dbk_event* done;
} slow;
void slow_start(slow* s, dbk_ctx* ctx, uint32_t depth); /* run is in flight or already done: see slow_busy */
int slow_busy(const slow* s);
void slow_end(slow* s);
/* Repeats `probe` with a longer chain until the run was in flight both before and after it. */
void while_in_flight(dbk_ctx* ctx, void (*probe)(slow* s));

#endif

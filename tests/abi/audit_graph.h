/* The graph of the audits: valid, and with something in every table. CASE spoils one thing in it and expects compile
 * and check to refuse it alike, without writing their output. BRANCH_CASE does so in the graph with an If and two
 * bodies (apart, because a plugin without If refuses that graph anyway). */
#ifndef DAYBREAK_TESTS_AUDIT_GRAPH_H
#define DAYBREAK_TESTS_AUDIT_GRAPH_H

#include "graph.h"
#include "harness.h"

enum { X, WEIGHT, BIAS, FILLER, PRODUCT, SUM, TURNED, SOFT, CONSTANT, Y, Z, FLAG, CHOSEN, THEN, ELSE }; /* values */
enum { MATMUL, ADD, TRANSPOSE, SOFTMAX, CONSTANT_NODE, GELU, MUL, IF, THEN_NODE, ELSE_NODE };           /* nodes */
enum { PERM, AXIS, TENSOR_ATTR, APPROXIMATE, THEN_ATTR, ELSE_ATTR };                                    /* attributes */
enum { WEIGHT_BLOB, BIAS_BLOB, FILLER_BLOB };
#define FAR 0x40000000u /* outside every table; doubled it is still a positive number */

extern graph audit;
void audit_open(void); /* setUp and tearDown of the audits */
void audit_close(void);
void audit_build(void);
void audit_build_branches(void);
void audit_refused(dbk_status code, const char* culprit, const char* change, int line);
dbk_status audit_status(void); /* of compiling the graph as it is */
void audit_accepted(const char* change, int line);

#define CASE_IN(build, code, culprit, change, text)       \
  do {                                                    \
    build();                                              \
    change;                                               \
    audit_refused(DBK_##code, (culprit), text, __LINE__); \
  } while (0)
#define CASE(code, culprit, change) CASE_IN(audit_build, code, culprit, change, #change)
#define BRANCH_CASE(code, culprit, change) CASE_IN(audit_build_branches, code, culprit, change, #change)

#endif

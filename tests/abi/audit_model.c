/* Test 16: graphs whose tables are sound but which mean nothing: order, ownership of values, ops, attributes, types,
 * shapes, sizes and names. The message names the node, value or attribute. */
#include "audit_graph.h"

void setUp(void) { audit_open(); }
void tearDown(void) { audit_close(); }

static dbk_value* const v = audit.values;
static dbk_node* const n = audit.nodes;
static dbk_attr* const a = audit.attrs;

static uint32_t* input(uint32_t node, uint32_t i) { return &audit.refs[n[node].inputs.off + i]; }
static uint32_t* output(uint32_t node) { return &audit.refs[n[node].outputs.off]; }
static void rename_op(uint32_t node, const char* op) { n[node].op = graph_text(&audit, op); }
static void swap_nodes(uint32_t i, uint32_t j) {
  dbk_node kept = n[i];
  n[i] = n[j];
  n[j] = kept;
}

static void declare(uint32_t value, uint32_t rank, const int64_t* dims) {
  v[value] = v[graph_value(&audit, "sum", DBK_F32, rank, dims)];
}

static void order_and_scope(void) {
  CASE(INVALID_ARGUMENT, "product", swap_nodes(MATMUL, ADD));
  CASE(INVALID_ARGUMENT, "sum", *input(ADD, 0) = SUM);                       /* of itself */
  CASE(INVALID_ARGUMENT, "'y'|Gelu_5", *input(MATMUL, 0) = Y);               /* a circle over all nodes */
  CASE(INVALID_ARGUMENT, "sum|product", *output(ADD) = PRODUCT);             /* made twice */
  CASE(INVALID_ARGUMENT, "'x'", *output(ADD) = X);                           /* an input is made */
  CASE(INVALID_ARGUMENT, "weight", *output(ADD) = WEIGHT);                   /* a parameter is made */
  BRANCH_CASE(INVALID_ARGUMENT, "then", *input(GELU, 0) = THEN);             /* a body's value is used outside */
  BRANCH_CASE(INVALID_ARGUMENT, "then", *input(ELSE_NODE, 0) = THEN);        /* and in the other body */
  CASE(INVALID_ARGUMENT, "'y'", *output(GELU) = DBK_NONE);                   /* an output that nobody makes */
  BRANCH_CASE(INVALID_ARGUMENT, "block 1|then_body", a[ELSE_ATTR].v.i = 1);  /* one body, two uses */
  BRANCH_CASE(INVALID_ARGUMENT, "block|body", graph_block(&audit, "stray")); /* a body without a node */
}

static void ops(void) {
  CASE(UNIMPLEMENTED, "NoSuchOp&Add_1", rename_op(ADD, "NoSuchOp"));
  CASE(UNIMPLEMENTED, "no.such.domain&Add_1", n[ADD].domain = graph_text(&audit, "no.such.domain"));
  CASE(INVALID_ARGUMENT, "Add_1&input", n[ADD].inputs.len = 1);
  CASE(INVALID_ARGUMENT, "Gelu_5&input", n[GELU].inputs.len = 2);
  CASE(INVALID_ARGUMENT, "Add_1&output", n[ADD].outputs.len = 0);
  CASE(INVALID_ARGUMENT, "Add_1&input", *input(ADD, 1) = DBK_NONE); /* not an optional one */
}

static void attributes(void) {
  CASE(INVALID_ARGUMENT, "Transpose_2&prem", a[PERM].name = graph_text(&audit, "prem"));
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", (a[PERM].type = DBK_ATTR_INT, a[PERM].v.i = 1));
  CASE(INVALID_ARGUMENT, "Softmax_3&axis", a[AXIS].type = DBK_ATTR_FLOAT);
  CASE(INVALID_ARGUMENT, "Softmax_3&axis", a[AXIS].v.i = 2);
  BRANCH_CASE(INVALID_ARGUMENT, "If_7&else_branch", n[IF].attrs.len = 1);
  BRANCH_CASE(INVALID_ARGUMENT, "If_7&then_branch", a[ELSE_ATTR].name = a[THEN_ATTR].name); /* twice */
  CASE(INVALID_ARGUMENT, "Gelu_5&approximate", a[APPROXIMATE].data = graph_text(&audit, "roughly"));
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", audit.ints[a[PERM].data.off] = 0); /* 0, 0 is no permutation */
}

static void types(void) {
  CASE(INVALID_ARGUMENT, "Add_1", (v[BIAS].dtype = DBK_I32));
  CASE(INVALID_ARGUMENT, "MatMul_0", (v[X].dtype = DBK_BOOL));
  CASE(INVALID_ARGUMENT, "'x'&dtype", v[X].dtype = DBK_DTYPE_NONE);
  CASE(INVALID_ARGUMENT, "weight&dtype", v[WEIGHT].dtype = DBK_DTYPE_NONE);
  CASE(INVALID_ARGUMENT, "sum&i64|int64", (v[SUM].dtype = DBK_I64)); /* declared otherwise than inferred */
}

static void branches(void) {
  audit_build_branches();
  if (audit_status() == DBK_UNIMPLEMENTED) TEST_IGNORE_MESSAGE("this plugin has no If");
  audit_accepted("nothing", __LINE__);
  BRANCH_CASE(INVALID_ARGUMENT, "If_7", v[FLAG].dtype = DBK_F32);
  BRANCH_CASE(INVALID_ARGUMENT, "If_7", rename_op(ELSE_NODE, "IsNaN")); /* bodies of different types */
}

static void shapes(void) {
  CASE(INVALID_ARGUMENT, "MatMul_0", (audit.ints[v[WEIGHT].dims.off] = 5, audit.ints[v[WEIGHT].dims.off + 1] = 4));
  CASE(INVALID_ARGUMENT, "Add_1", (audit.ints[v[BIAS].dims.off] = 3, v[BIAS].blob_len = 12));
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", a[PERM].data.len = 1);
  CASE(INVALID_ARGUMENT, "sum", declare(SUM, DIMS(7, 5, 1))); /* otherwise than inferred */
  CASE(INVALID_ARGUMENT, "sum", declare(SUM, DIMS(8, 6)));
  CASE(INVALID_ARGUMENT, "weight", audit.ints[v[WEIGHT].dims.off] = DBK_DIM_UNKNOWN);
  CASE(INVALID_ARGUMENT, "weight", v[WEIGHT].flags = DBK_VALUE_UNKNOWN_RANK);
  CASE(UNIMPLEMENTED, "rank&32", v[SUM] = audit.values[graph_value(&audit, "sum", DBK_F32, 33, (int64_t[33]){0})]);
}

/* Fields that do not apply must be empty: they may mean something one day. */
static void idle_fields(void) {
  CASE(INVALID_ARGUMENT, "sum|value", v[SUM].blob_len = 4);
  CASE(INVALID_ARGUMENT, "sum|value", v[SUM].blob_off = 4);
  CASE(INVALID_ARGUMENT, "sum|rank", (declare(SUM, DIMS(8, 5)), v[SUM].flags = DBK_VALUE_UNKNOWN_RANK));
  CASE(INVALID_ARGUMENT, "perm", a[PERM].v.i = 1);
  CASE(INVALID_ARGUMENT, "alias", v[SUM].alias = X);  /* not an output of the main graph */
  CASE(INVALID_ARGUMENT, "alias", v[Y].alias = SUM);  /* not an input of it */
}

static void sizes(void) {
  const int64_t huge = (int64_t)1 << 40;
  CASE(INVALID_ARGUMENT, "weight|value 1",
       (audit.ints[v[WEIGHT].dims.off] = huge, audit.ints[v[WEIGHT].dims.off + 1] = huge));
  /* The product of the extents wraps to the right number of bytes. */
  CASE(INVALID_ARGUMENT, "weight|value 1",
       (audit.ints[v[WEIGHT].dims.off] = (int64_t)1 << 62, audit.ints[v[WEIGHT].dims.off + 1] = 4,
        v[WEIGHT].blob_len = 0));
  CASE(INVALID_ARGUMENT, "'x'|MatMul_0", (audit.ints[v[X].dims.off] = huge, audit.ints[v[X].dims.off + 1] = huge));
}

static void names(void) {
  CASE(INVALID_ARGUMENT, "input&name", v[X].name.len = 0);
  CASE(INVALID_ARGUMENT, "output&name", v[Y].name.len = 0);
  CASE(INVALID_ARGUMENT, "parameter&name", v[WEIGHT].name.len = 0);
  BRANCH_CASE(INVALID_ARGUMENT, "'x'", v[FLAG].name = v[X].name);
  CASE(INVALID_ARGUMENT, "'y'", v[Z].name = v[Y].name);
  CASE(INVALID_ARGUMENT, "weight", v[BIAS].name = v[WEIGHT].name);
  audit_build();
  v[SUM].name.len = 0; /* others need none */
  audit_accepted("an unnamed intermediate", __LINE__);
}

/* One error tells everything that is wrong, each with its node or value. */
static void all_culprits_at_once(void) {
  CASE(INVALID_ARGUMENT, "weight|value 1&Add_1&Gelu_5",
       (v[WEIGHT].kind = 9, n[ADD].flags = 1, n[GELU].inputs.off = FAR));
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(order_and_scope);
  RUN_TEST(ops);
  RUN_TEST(attributes);
  RUN_TEST(types);
  RUN_TEST(branches);
  RUN_TEST(shapes);
  RUN_TEST(idle_fields);
  RUN_TEST(sizes);
  RUN_TEST(names);
  RUN_TEST(all_culprits_at_once);
  return UNITY_END();
}

/* Test 16: every index and range of every graph table, pointing outside its pool, is INVALID_ARGUMENT, and the message
 * names the element and the field. */
#include "audit_graph.h"

void setUp(void) { audit_open(); }
void tearDown(void) { audit_close(); }

static void the_graph_itself_is_valid(void) {
  audit_build();
  audit_accepted("nothing", __LINE__);
}

static dbk_value* const v = audit.values;
static dbk_node* const n = audit.nodes;
static dbk_attr* const a = audit.attrs;
static dbk_block* const b = audit.blocks;

static void values(void) {
  CASE(INVALID_ARGUMENT, "value 1&name", v[WEIGHT].name.off = FAR);
  CASE(INVALID_ARGUMENT, "value 1&name", v[WEIGHT].name.len = FAR);
  CASE(INVALID_ARGUMENT, "value 1&name", (v[WEIGHT].name.off = 0xFFFFFFFFu, v[WEIGHT].name.len = 2)); /* wraps */
  CASE(INVALID_ARGUMENT, "value 4&dims", v[PRODUCT].dims.off = FAR);
  CASE(INVALID_ARGUMENT, "value 1|weight&dims", v[WEIGHT].dims.len = FAR);
  CASE(INVALID_ARGUMENT, "value 0|'x'&symbol", audit.ints[v[X].dims.off] = DBK_DIM_SYMBOL(1));
  CASE(INVALID_ARGUMENT, "value 0|'x'&symbol", audit.ints[v[X].dims.off] = DBK_DIM_SYMBOL(0x100000000ll));
  CASE(INVALID_ARGUMENT, "value 9|'y'&alias", v[Y].alias = FAR);
  CASE(INVALID_ARGUMENT, "value 1|weight&blob", v[WEIGHT].blob = 3);
  CASE(INVALID_ARGUMENT, "value 1|weight&blob", v[WEIGHT].blob_off = 4);
  CASE(INVALID_ARGUMENT, "value 1|weight&blob", v[WEIGHT].blob_off = 0xFFFFFFFFFFFFFFFFull);
  CASE(INVALID_ARGUMENT, "value 1|weight&blob", v[WEIGHT].blob_len = 84);
  CASE(INVALID_ARGUMENT, "value 1|weight&80&76", v[WEIGHT].blob_len = 76);
  CASE(INVALID_ARGUMENT, "value 3|filler&data|blob", v[FILLER].blob = DBK_NONE);
  CASE(INVALID_ARGUMENT, "value 9|'y'&data|blob", v[Y].blob = 0);
  CASE(INVALID_ARGUMENT, "value 1|weight&kind", v[WEIGHT].kind = 4);
  CASE(INVALID_ARGUMENT, "value 1|weight&origin", v[WEIGHT].origin = 3);
  CASE(INVALID_ARGUMENT, "value 1|weight&flags", v[WEIGHT].flags = 2);
  CASE(INVALID_ARGUMENT, "value 1|weight&dtype", v[WEIGHT].dtype = DBK_DTYPE(99, 32));
  CASE(INVALID_ARGUMENT, "value 1|weight&dtype", v[WEIGHT].dtype = DBK_F32 + (1u << 16)); /* two lanes */
}

static void blobs(void) {
  CASE(INVALID_ARGUMENT, "blob 0|blobs&NULL|ptr|pointer", audit.blobs[WEIGHT_BLOB].ptr = NULL);
  CASE(INVALID_ARGUMENT, "blob 0&79", audit.blobs[WEIGHT_BLOB].len = 79);
  CASE(INVALID_ARGUMENT, "blob 0&ownership", audit.blobs[WEIGHT_BLOB].ownership = DBK_UNTIL_EVENT);
  CASE(INVALID_ARGUMENT, "blob 0&ownership", audit.blobs[WEIGHT_BLOB].ownership = 3);
  CASE(INVALID_ARGUMENT, "blob 0&reserved", audit.blobs[WEIGHT_BLOB].reserved = 1);
}

static void nodes(void) {
  CASE(INVALID_ARGUMENT, "domain", n[ADD].domain.off = FAR);
  CASE(INVALID_ARGUMENT, "op", n[ADD].op.off = FAR);
  CASE(INVALID_ARGUMENT, "op", n[ADD].op.len = 0);
  CASE(INVALID_ARGUMENT, "Add&name", n[ADD].name.off = FAR);
  CASE(INVALID_ARGUMENT, "Add_1&inputs", n[ADD].inputs.off = FAR);
  CASE(INVALID_ARGUMENT, "Add_1&inputs", n[ADD].inputs.len = FAR);
  CASE(INVALID_ARGUMENT, "Add_1&outputs", n[ADD].outputs.off = FAR);
  CASE(INVALID_ARGUMENT, "Add_1&outputs", n[ADD].outputs.len = FAR);
  CASE(INVALID_ARGUMENT, "Transpose_2&attrs", n[TRANSPOSE].attrs.off = FAR);
  CASE(INVALID_ARGUMENT, "Transpose_2&attrs", n[TRANSPOSE].attrs.len = FAR);
  CASE(INVALID_ARGUMENT, "Add_1&inputs", audit.refs[n[ADD].inputs.off] = FAR);
  CASE(INVALID_ARGUMENT, "Add_1&outputs", audit.refs[n[ADD].outputs.off] = Z + 1);
  CASE(INVALID_ARGUMENT, "Add_1&flags", n[ADD].flags = 1);
  CASE(INVALID_ARGUMENT, "Add_1&version", n[ADD].op_version = 0);
}

static void attributes(void) {
  CASE(INVALID_ARGUMENT, "Transpose_2&attribute", a[PERM].name.off = FAR);
  CASE(INVALID_ARGUMENT, "Transpose_2&attribute", a[PERM].name.len = 0);
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", a[PERM].data.off = FAR);
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", a[PERM].data.len = FAR);
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", a[PERM].type = 0);
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", a[PERM].type = 12);
  CASE(INVALID_ARGUMENT, "Transpose_2&perm", a[PERM].flags = 1);
  CASE(INVALID_ARGUMENT, "Gelu_5&approximate", a[APPROXIMATE].data.off = FAR);
  CASE(INVALID_ARGUMENT, "Constant_4&value", a[TENSOR_ATTR].v.i = FAR);
  CASE(INVALID_ARGUMENT, "Constant_4&value", a[TENSOR_ATTR].v.i = -1);
  CASE(INVALID_ARGUMENT, "Constant_4&value", a[TENSOR_ATTR].v.i = X); /* not a constant */
  BRANCH_CASE(INVALID_ARGUMENT, "If_7&then_branch", a[THEN_ATTR].v.i = 3);
  BRANCH_CASE(INVALID_ARGUMENT, "If_7&then_branch", a[THEN_ATTR].v.i = 0); /* the main graph */
  BRANCH_CASE(INVALID_ARGUMENT, "If_7&then_branch", a[THEN_ATTR].v.i = -1);
  CASE(INVALID_ARGUMENT, "Constant_4&value_floats",
       (a[TENSOR_ATTR].name = graph_text(&audit, "value_floats"), a[TENSOR_ATTR].type = DBK_ATTR_FLOATS,
        a[TENSOR_ATTR].data = (dbk_slice){0, 1}));
  CASE(INVALID_ARGUMENT, "Constant_4&value_strings",
       (a[TENSOR_ATTR].name = graph_text(&audit, "value_strings"), a[TENSOR_ATTR].type = DBK_ATTR_STRINGS,
        a[TENSOR_ATTR].data = (dbk_slice){0, 1}));
}

static void symbols(void) {
  CASE(INVALID_ARGUMENT, "symbol 0&name", audit.symbols[0].name.off = FAR);
  CASE(INVALID_ARGUMENT, "symbol 0&name", audit.symbols[0].name.len = 0);
  CASE(INVALID_ARGUMENT, "batch&min", audit.symbols[0].min = 9);
  CASE(INVALID_ARGUMENT, "batch&min", audit.symbols[0].min = -1);
  CASE(INVALID_ARGUMENT, "batch&multiple", audit.symbols[0].multiple_of = -2);
  CASE(INVALID_ARGUMENT, "batch", graph_symbol(&audit, "batch", 1, 2));
  CASE(INVALID_ARGUMENT, "batch&no extent",
       (audit.symbols[0].min = 1, audit.symbols[0].max = 3, audit.symbols[0].multiple_of = 4));
  CASE(INVALID_ARGUMENT, "batch&no extent",
       (audit.symbols[0].min = INT64_MAX, audit.symbols[0].max = 0, audit.symbols[0].multiple_of = 2));
}

static void blocks(void) {
  BRANCH_CASE(INVALID_ARGUMENT, "block 1&name", b[1].name.off = FAR);
  BRANCH_CASE(INVALID_ARGUMENT, "block 1&nodes", b[1].nodes.off = FAR);
  BRANCH_CASE(INVALID_ARGUMENT, "block 1&nodes", b[1].nodes.len = FAR);
  BRANCH_CASE(INVALID_ARGUMENT, "block 1&node", b[1].nodes.off = GELU); /* overlaps the main graph */
  CASE(INVALID_ARGUMENT, "block 0&inputs", b[0].inputs.off = FAR);
  CASE(INVALID_ARGUMENT, "block 0&outputs", b[0].outputs.len = FAR);
  CASE(INVALID_ARGUMENT, "block 0&inputs", audit.refs[b[0].inputs.off] = FAR);
  CASE(INVALID_ARGUMENT, "block 0&outputs", audit.refs[b[0].outputs.off] = DBK_NONE);
  BRANCH_CASE(INVALID_ARGUMENT, "block 1&flags", b[1].flags = 1);
  BRANCH_CASE(INVALID_ARGUMENT, "block 1&reserved", b[1].reserved = 1);
  CASE(INVALID_ARGUMENT, "block", audit.tables.blocks.count = 0);
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(the_graph_itself_is_valid);
  RUN_TEST(values);
  RUN_TEST(blobs);
  RUN_TEST(nodes);
  RUN_TEST(attributes);
  RUN_TEST(symbols);
  RUN_TEST(blocks);
  return UNITY_END();
}

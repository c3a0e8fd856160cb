// Bad graphs: tables with every kind of broken reference, order, size, name and type are refused by check and compile,
// with a text and without a crash. Each row breaks one thing of the golden graph.
#include <format>
#include <nlohmann/json.hpp>

#include "fixture.h"

namespace host::validate {
namespace {

// The golden graph with tables that can be broken.
struct Tables {
  std::vector<dbk_value> values;
  std::vector<dbk_node> nodes;
  std::vector<dbk_block> blocks;
  std::vector<dbk_symbol> symbols;
  std::vector<dbk_attr> attrs;
  std::vector<dbk_blob> blobs;
  std::vector<int64_t> ints;
  std::vector<uint32_t> refs;
  std::vector<char> text;
  dbk_graph graph;

  Tables() {
    daybreak::GraphBuilder builder = golden::graph();
    graph = *builder.graph();
    copy(graph.values, values);
    copy(graph.nodes, nodes);
    copy(graph.blocks, blocks);
    copy(graph.symbols, symbols);
    copy(graph.ints, ints);
    copy(graph.refs, refs);
    copy(graph.text, text);
  }

  const dbk_graph* finish() {
    graph.values = pool(values);
    graph.nodes = pool(nodes);
    graph.blocks = pool(blocks);
    graph.symbols = pool(symbols);
    graph.attrs = pool(attrs);
    graph.blobs = pool(blobs);
    graph.ints = pool(ints);
    graph.refs = pool(refs);
    graph.text = pool(text);
    return &graph;
  }

  // Appends to a pool and gives the range.
  template <class T>
  static dbk_slice add(std::vector<T>& pool, std::initializer_list<T> items) {
    const auto offset = static_cast<uint32_t>(pool.size());
    pool.insert(pool.end(), items);
    return {offset, static_cast<uint32_t>(items.size())};
  }

 private:
  template <class T>
  static void copy(const dbk_pool& pool, std::vector<T>& rows) {
    const auto* first = static_cast<const T*>(pool.ptr);
    rows.assign(first, first + pool.count);
  }
  template <class T>
  static dbk_pool pool(const std::vector<T>& rows) {
    return {rows.data(), static_cast<uint32_t>(rows.size()), sizeof(T)};
  }
};

struct Row {
  const char* name;
  void (*spoil)(Tables& t);
  dbk_status also = DBK_INVALID_ARGUMENT;  // a second status that is right as well
};

Answer check(const Fixture& f, const dbk_graph* graph) {
  dbk_text* text = nullptr;
  auto desc = daybreak::detail::sized<dbk_compile_desc>();
  desc.graph = graph;
  desc.device = cpu_device(f.ctx);
  const Answer answer = ask(f.api, [&](dbk_error** e) { return f.api.check(f.ctx.get(), &desc, &text, e); });
  f.api.text_destroy(text);
  return answer;
}

Answer compile(const Fixture& f, const dbk_graph* graph) {
  auto desc = daybreak::detail::sized<dbk_compile_desc>();
  desc.graph = graph;
  desc.device = cpu_device(f.ctx);
  dbk_exec* exec = nullptr;
  const Answer answer = ask(f.api, [&](dbk_error** e) { return f.api.compile(f.ctx.get(), &desc, &exec, e); });
  f.api.exec_destroy(exec);
  return answer;
}

void refuse_all(const Target& target, std::span<const Row> rows) {
  const Fixture f(target);
  expect_status({DBK_OK}, compile(f, Tables().finish()), "the whole graph");
  for (const Row& row : rows) {
    Tables tables;
    row.spoil(tables);
    // What is valid but not supported, check answers with a verdict.
    const dbk_status verdict = row.also == DBK_UNIMPLEMENTED ? DBK_OK : row.also;
    expect_status({DBK_INVALID_ARGUMENT, row.also, verdict}, check(f, tables.finish()),
                  std::format("check, {}", row.name));
    expect_status({DBK_INVALID_ARGUMENT, row.also}, compile(f, tables.finish()), std::format("compile, {}", row.name));
  }
}

// Values of the golden graph in order: x, W, product, b, sum, y. Nodes: MatMul, Add, Gelu.
constexpr Row reference_rows[] = {
    {"input of a node out of range", [](Tables& t) { t.refs[t.nodes[0].inputs.off] = 99; }, DBK_OUT_OF_RANGE},
    {"output of a node out of range", [](Tables& t) { t.refs[t.nodes[0].outputs.off] = 99; }, DBK_OUT_OF_RANGE},
    {"input of the graph out of range", [](Tables& t) { t.refs[t.blocks[0].inputs.off] = 99; }, DBK_OUT_OF_RANGE},
    {"output of the graph out of range", [](Tables& t) { t.refs[t.blocks[0].outputs.off] = 99; }, DBK_OUT_OF_RANGE},
    {"output of the graph absent", [](Tables& t) { t.refs[t.blocks[0].outputs.off] = DBK_NONE; }},
    {"inputs behind the table", [](Tables& t) { t.nodes[0].inputs.off = 1000; }, DBK_OUT_OF_RANGE},
    {"a range that wraps around", [](Tables& t) { t.nodes[0].inputs = {0xFFFFFFF0u, 0x20u}; }, DBK_OUT_OF_RANGE},
    {"a range as long as can be", [](Tables& t) { t.nodes[0].inputs = {0, 0xFFFFFFFFu}; }, DBK_OUT_OF_RANGE},
    {"attributes behind the table", [](Tables& t) { t.nodes[0].attrs = {5, 1}; }, DBK_OUT_OF_RANGE},
    {"name behind the text", [](Tables& t) { t.values[0].name = {100000, 1}; }, DBK_OUT_OF_RANGE},
    {"op behind the text", [](Tables& t) { t.nodes[1].op.len = 100000; }, DBK_OUT_OF_RANGE},
    {"dims behind the numbers", [](Tables& t) { t.values[0].dims.off = 1000; }, DBK_OUT_OF_RANGE},
    {"nodes of the block behind the table", [](Tables& t) { t.blocks[0].nodes.len = 4; }, DBK_OUT_OF_RANGE},
    {"blob out of range", [](Tables& t) { t.values[1].blob = 3; }, DBK_OUT_OF_RANGE},
    {"alias out of range", [](Tables& t) { t.values[5].alias = 99; }, DBK_OUT_OF_RANGE},
    {"symbol out of range", [](Tables& t) { t.ints[t.values[0].dims.off] = DBK_DIM_SYMBOL(7); }, DBK_OUT_OF_RANGE},
    {"table without a pointer", [](Tables& t) { t.values.clear(); }, DBK_OUT_OF_RANGE},
    {"no block", [](Tables& t) { t.blocks.clear(); }},
};

void references(const Target& target) { refuse_all(target, reference_rows); }

constexpr Row order_rows[] = {
    {"nodes in the wrong order", [](Tables& t) { std::swap(t.nodes[0], t.nodes[2]); }},
    {"a node that reads its own result",
     [](Tables& t) { t.refs[t.nodes[1].inputs.off] = t.refs[t.nodes[1].outputs.off]; }},
    {"a cycle of two nodes", [](Tables& t) { t.refs[t.nodes[0].inputs.off] = t.refs[t.nodes[1].outputs.off]; }},
    {"a value made twice", [](Tables& t) { t.refs[t.nodes[2].outputs.off] = t.refs[t.nodes[0].outputs.off]; }},
    {"an input made by a node", [](Tables& t) { t.refs[t.nodes[0].outputs.off] = t.refs[t.blocks[0].inputs.off]; }},
    {"a parameter made by a node", [](Tables& t) { t.refs[t.nodes[0].outputs.off] = 1; }},
    {"a value nobody makes",
     [](Tables& t) {
       t.values.push_back(t.values[2]);
       t.refs[t.nodes[1].inputs.off] = static_cast<uint32_t>(t.values.size() - 1);
     }},
    {"a node missing in the block", [](Tables& t) { t.blocks[0].nodes = {1, 2}; }},
};

void order(const Target& target) { refuse_all(target, order_rows); }

void set_input_dims(Tables& t, std::initializer_list<int64_t> dims) { t.values[0].dims = Tables::add(t.ints, dims); }

constexpr Row type_rows[] = {
    {"an unknown dtype", [](Tables& t) { t.values[0].dtype = DBK_DTYPE(99, 32); }, DBK_UNIMPLEMENTED},
    {"no dtype for an input", [](Tables& t) { t.values[0].dtype = DBK_DTYPE_NONE; }},
    {"a dtype of two lanes", [](Tables& t) { t.values[0].dtype = DBK_F32 + (1u << 16); }, DBK_UNIMPLEMENTED},
    {"dtypes that do not go together", [](Tables& t) { t.values[1].dtype = DBK_I64; }, DBK_UNIMPLEMENTED},
    {"an unknown kind", [](Tables& t) { t.values[0].kind = 99; }, DBK_UNIMPLEMENTED},
    {"an unknown origin", [](Tables& t) { t.values[1].origin = 99; }, DBK_UNIMPLEMENTED},
    {"shapes that do not go together", [](Tables& t) { set_input_dims(t, {2, 4}); }},
    {"a negative extent of a parameter", [](Tables& t) { t.ints[t.values[1].dims.off] = -3; }},
    {"an unknown extent of a parameter", [](Tables& t) { t.ints[t.values[1].dims.off] = DBK_DIM_UNKNOWN; }},
    {"extents whose product overflows", [](Tables& t) { set_input_dims(t, {INT64_MAX / 2, 3}); }, DBK_OUT_OF_RANGE},
    {"extents whose product wraps to zero",
     [](Tables& t) { set_input_dims(t, {int64_t{1} << 32, int64_t{1} << 32, 3}); }, DBK_OUT_OF_RANGE},
    {"extents whose bytes overflow", [](Tables& t) { set_input_dims(t, {INT64_MAX / 3, 3}); }, DBK_OUT_OF_RANGE},
    {"33 axes",
     [](Tables& t) {
       const auto offset = static_cast<uint32_t>(t.ints.size());
       t.ints.insert(t.ints.end(), DBK_MAX_RANK + 1, 1);
       t.values[0].dims = {offset, DBK_MAX_RANK + 1};
     },
     DBK_UNIMPLEMENTED},
    {"a parameter with too little data",
     [](Tables& t) {
       static const float data[5] = {};
       t.blobs.push_back({data, sizeof data, DBK_COPY, 0});
       t.values[1].blob = 0;
       t.values[1].blob_len = sizeof data;
     }},
    {"data outside its blob",
     [](Tables& t) {
       static const float data[6] = {};
       t.blobs.push_back({data, sizeof data, DBK_COPY, 0});
       t.values[1].blob = 0;
       t.values[1].blob_off = UINT64_MAX - 7;
       t.values[1].blob_len = sizeof data;
     },
     DBK_OUT_OF_RANGE},
    {"a constant without data", [](Tables& t) { t.values[1].origin = DBK_ORIGIN_CONST; }},
    {"a symbol whose minimum is above its maximum", [](Tables& t) { t.symbols[0].min = 65; }},
};

void types(const Target& target) { refuse_all(target, type_rows); }

constexpr Row detail_rows[] = {
    {"an input without a name", [](Tables& t) { t.values[0].name.len = 0; }},
    {"an output without a name", [](Tables& t) { t.values[5].name.len = 0; }},
    {"a parameter without a name", [](Tables& t) { t.values[1].name.len = 0; }},
    {"two parameters of one name", [](Tables& t) { t.values[1].name = t.values[3].name; }},
    {"a symbol without a name", [](Tables& t) { t.symbols[0].name.len = 0; }},
    {"no op", [](Tables& t) { t.nodes[0].op.len = 0; }, DBK_UNIMPLEMENTED},
    {"an op version from the future", [](Tables& t) { t.nodes[0].op_version = 1000000; }, DBK_UNIMPLEMENTED},
    {"a declared rank that is wrong",
     [](Tables& t) {
       t.values[2].flags = 0;
       t.values[2].dims = Tables::add<int64_t>(t.ints, {2});
     }},
    {"unknown flags of a value", [](Tables& t) { t.values[0].flags = 1u << 20; }},
    {"unknown flags of a node", [](Tables& t) { t.nodes[0].flags = 1; }},
    {"too many inputs", [](Tables& t) { t.nodes[2].inputs = Tables::add(t.refs, {4u, 4u, 4u}); }},
    {"too few inputs", [](Tables& t) { t.nodes[0].inputs.len = 1; }},
    {"a required input absent", [](Tables& t) { t.refs[t.nodes[0].inputs.off] = DBK_NONE; }},
};

void names_and_details(const Target& target) { refuse_all(target, detail_rows); }

// check says "no" as a verdict; compile refuses and names op and node.
void unknown_op(const Target& target) {
  const Fixture f(target);
  Tables tables;
  tables.nodes[1].op = Tables::add(tables.text, {'N', 'o', 'S', 'u', 'c', 'h', 'O', 'p'});
  expect_status({DBK_OK, DBK_INVALID_ARGUMENT, DBK_UNIMPLEMENTED}, check(f, tables.finish()), "check of an unknown op");
  const Answer answer = compile(f, tables.finish());
  expect_status({DBK_UNIMPLEMENTED, DBK_INVALID_ARGUMENT}, answer, "compile of an unknown op");
  expect_mentions(answer, "NoSuchOp", "compile of an unknown op");
  expect(answer.causes.front().node == 1u, "the error does not say that it is node 1");
}

void every_cause(const Target& target) {
  const Fixture f(target);
  Tables tables;
  tables.nodes[1].op = Tables::add(tables.text, {'F', 'o', 'o', '1'});
  tables.nodes[2].op = Tables::add(tables.text, {'F', 'o', 'o', '2'});
  const Answer answer = compile(f, tables.finish());
  expect_mentions(answer, "Foo1", "two unknown ops");
  expect_mentions(answer, "Foo2", "two unknown ops");
}

// Names in text that is not UTF-8 are refused, or what the plugin says about them is UTF-8 all the same.
void text_not_utf8(const Target& target) {
  const Fixture f(target);
  Tables tables;
  tables.nodes[0].name = Tables::add(tables.text, {'\xC3', '\x28'});
  auto exec = daybreak::detail::ExecHandle(f.plugin.library());
  auto desc = daybreak::detail::sized<dbk_compile_desc>();
  desc.graph = tables.finish();
  desc.device = cpu_device(f.ctx);
  const Answer answer = ask(f.api, [&](dbk_error** e) { return f.api.compile(f.ctx.get(), &desc, exec.out(), e); });
  expect_status({DBK_OK, DBK_INVALID_ARGUMENT}, answer, "a name that is not UTF-8");
  if (answer.status != DBK_OK) return;
  const std::string report = daybreak::detail::report(f.plugin.library(), nullptr, exec.get(), nullptr, "placement");
  expect(nlohmann::json::accept(report), "a name that is not UTF-8 is accepted, and then a report is not valid JSON");
}

constexpr Test tests[] = {
    {"graphs.references", 20, references},       {"graphs.order", 20, order},
    {"graphs.types_and_sizes", 20, types},       {"graphs.names_and_details", 20, names_and_details},
    {"graphs.unknown_op", 20, unknown_op},       {"graphs.every_cause", 20, every_cause},
    {"graphs.text_not_utf8", 20, text_not_utf8},
};

}  // namespace

std::span<const Test> graph_tests() { return tests; }

}  // namespace host::validate

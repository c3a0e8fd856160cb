// Queries, keys and values of attention ops that callers write themselves, by three products or by one: each form that option `qkv` knows is
// made where it is legal and only there, gives the same numbers, and is told in the placement report with the true reason.
#include <map>

#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

constexpr int64_t kBatch = 2, kPositions = 9, kWidth = 24, kHeads = 4, kSize = 8;

const Op kOnnx = Op("Attention").in("", 23);

enum class Reader { Onnx, OnnxByHeads, MultiHead, GroupQuery };
enum class Source { Products, Gemms, TurnedGemms, OneProduct, OneGemm, OneTurnedGemm };

const char* op_of(Reader reader) {
  return reader == Reader::MultiHead ? "MultiHeadAttention" : reader == Reader::GroupQuery ? "GroupQueryAttention" : "Attention";
}
int64_t shared_heads(Reader reader) { return reader == Reader::MultiHead ? kHeads : kHeads / 2; }

// Numbers of a parameter: they stay until the graph is compiled, and longer.
Value weight(GraphBuilder& g, const std::string& name, const Dims& dims, uint32_t seed) {
  static std::map<std::pair<uint32_t, int64_t>, Floats> all;
  const Floats& numbers = all.try_emplace({seed, dims.product()}, fractions(static_cast<size_t>(dims.product()), seed)).first->second;
  return g.param(name, std::span(numbers), dims);
}

Value reshape(GraphBuilder& g, Value x, std::initializer_list<int64_t> dims) { return g.node("Reshape", {x, g.constant<int64_t>(dims)}); }
Value swapped(GraphBuilder& g, Value x) { return g.node("Transpose", {x}, {{"perm", {0, 2, 1, 3}}}); }

// [batch, positions, heads * size] -> [batch, heads, positions, size].
Value by_heads(GraphBuilder& g, Value x, int64_t heads) { return swapped(g, reshape(g, x, {0, 0, heads, kSize})); }

Value attend(GraphBuilder& g, Reader reader, const std::vector<Value>& qkv, const std::vector<Value>& more = {}) {
  std::vector<Value> inputs = qkv;
  const int64_t shared = shared_heads(reader);
  if (reader == Reader::GroupQuery) {
    const int32_t last = kPositions - 1, total = kPositions;
    inputs.insert(inputs.end(), {daybreak::absent, daybreak::absent, g.constant<int32_t>({last, last}), g.constant<int32_t>({total})});
    const daybreak::Attr attrs[] = {{"num_heads", kHeads}, {"kv_num_heads", shared}};
    return g.nodes(Op("GroupQueryAttention").in("com.microsoft"), inputs, attrs, {true})[0];
  }
  inputs.insert(inputs.end(), more.begin(), more.end());
  if (reader == Reader::MultiHead) {
    const daybreak::Attr attrs[] = {{"num_heads", kHeads}, {"unidirectional", 1}};
    return g.nodes(Op("MultiHeadAttention").in("com.microsoft"), inputs, attrs, {true})[0];
  }
  if (reader == Reader::OnnxByHeads) {
    for (size_t i = 0; i < 3; ++i) inputs[i] = by_heads(g, inputs[i], i == 0 ? kHeads : shared);
    const daybreak::Attr attrs[] = {{"is_causal", 1}};
    return reshape(g, swapped(g, g.nodes(kOnnx, inputs, attrs, {true})[0]), {0, 0, kHeads * kSize});
  }
  const daybreak::Attr attrs[] = {{"q_num_heads", kHeads}, {"kv_num_heads", shared}, {"is_causal", 1}};
  return g.nodes(kOnnx, inputs, attrs, {true})[0];
}

// x w + bias, by MatMul and Add or by Gemm over all rows at once.
Value product(GraphBuilder& g, Source source, Value x, const std::string& name, int64_t width, uint32_t seed) {
  const bool turned = source == Source::TurnedGemms || source == Source::OneTurnedGemm;
  const Value w = weight(g, name, turned ? Dims{width, kWidth} : Dims{kWidth, width}, seed), bias = weight(g, name + ".bias", {width}, seed + 10);
  if (source == Source::Products || source == Source::OneProduct) return g.node("Add", {g.node("MatMul", {x, w}), bias});
  return reshape(g, g.node("Gemm", {reshape(g, x, {-1, kWidth}), w, bias}, {{"transB", turned ? 1 : 0}}), {-1, kPositions, width});
}

std::vector<Value> projections(GraphBuilder& g, Source source, Value x, const std::vector<int64_t>& widths) {
  std::vector<Value> parts;
  if (source == Source::Products || source == Source::Gemms || source == Source::TurnedGemms) {
    for (size_t i = 0; i < widths.size(); ++i) parts.push_back(product(g, source, x, std::string(1, "qkv"[i]), widths[i], static_cast<uint32_t>(i + 1)));
    return parts;
  }
  const Value inputs[] = {product(g, source, x, "all", widths[0] + widths[1] + widths[2], 1), g.constant(std::span<const int64_t>(widths), {3})};
  const daybreak::Attr attrs[] = {{"axis", 2}};
  return g.nodes("Split", inputs, attrs, {true, true, true});
}

std::vector<int64_t> widths_of(Reader reader) {
  const int64_t shared = shared_heads(reader) * kSize;
  return {kHeads * kSize, shared, shared};
}

daybreak::Options qkv(const char* form) { return daybreak::Options().set("qkv", form); }

size_t splits(const Comparison& result) { return result.count("SplitMatMul") + result.count("FusedSplitMatMul"); }
size_t products(const Comparison& result) { return result.count("MatMul") + result.count("FusedMatMul") + result.count("Gemm") + result.count("FusedGemm"); }
std::string reason(const Comparison& result) { return result.placement.at("projections").at(0).at("reason"); }

const Dims kRows{kBatch, kPositions, kWidth};

struct Layer {
  Reader reader;
  Source source;
  const char* form;
  bool open = false;  // the number of batches is a symbol
  std::string name() const { return std::format("{} {} {} {}", op_of(reader), static_cast<int>(reader), static_cast<int>(source), form); }
};

void check(const Layer& layer) {
  const auto build = [&](GraphBuilder& g) {
    const Value x = layer.open ? g.input("x", DBK_F32, {g.symbol("batch", 1, 4), kPositions, kWidth}) : g.input("x", DBK_F32, kRows);
    g.output(attend(g, layer.reader, projections(g, layer.source, x, widths_of(layer.reader))), "y");
  };
  const Comparison result = compare(build, {kRows}, {}, qkv(layer.form));
  const std::string name = layer.name();
  const bool one = layer.source == Source::OneProduct || layer.source == Source::OneGemm || layer.source == Source::OneTurnedGemm;
  const std::string form = layer.form;
  const auto expect = [&](size_t actual, size_t expected, const char* what) {
    require(actual == expected, "{}: {} {}, not {}; missed: {}", name, actual, what, expected, result.missed());
  };
  expect(result.count(op_of(layer.reader)), 1, "nodes of attention");
  expect(splits(result), form == "split" ? 1 : 0, "products write several results");
  expect(products(result), form == "split" ? 0 : form == "packed" || one ? 1 : 3, "products");
  expect(result.count("Split"), one && form == "plain" ? 1 : 0, "nodes take apart");
  expect(result.count("Transpose"), 0, "nodes transpose");
  require_equal(result.placement.at("projections").size(), size_t{1}, name.c_str());
  require_equal(result.placement.at("projections").at(0).at("form").get<std::string>(), form, name.c_str());
  require_equal(reason(result), "option qkv=" + form, name.c_str());
}

void test_each_op_in_each_form() {
  for (const Reader reader : {Reader::Onnx, Reader::OnnxByHeads, Reader::MultiHead, Reader::GroupQuery})
    for (const Source source : {Source::Products, Source::OneProduct})
      for (const char* form : {"packed", "split", "plain"}) check({reader, source, form});
}

void test_gemms_in_each_form() {
  for (const Source source : {Source::Gemms, Source::TurnedGemms, Source::OneGemm, Source::OneTurnedGemm})
    for (const char* form : {"packed", "split", "plain"}) check({Reader::MultiHead, source, form});
}

void test_open_batches() {
  for (const Reader reader : {Reader::Onnx, Reader::OnnxByHeads, Reader::MultiHead})
    for (const Source source : {Source::Products, Source::TurnedGemms, Source::OneProduct, Source::OneGemm}) check({reader, source, "packed", true});
}

// Without a wish, attention reads columns where they lie.
void test_usual_form() {
  for (const Reader reader : {Reader::Onnx, Reader::MultiHead, Reader::GroupQuery}) {
    const auto build = [&](GraphBuilder& g) { g.output(attend(g, reader, projections(g, Source::Products, g.input("x", DBK_F32, kRows), widths_of(reader))), "y"); };
    const Comparison result = compare(build, {kRows});
    require_equal(reason(result), std::string("attention reads columns where they lie"), op_of(reader));
    require_equal(products(result), size_t{1}, op_of(reader));
  }
}

// Caches in and out: what is handed on is copied out of the columns.
void test_caches() {
  constexpr int64_t kPast = 5;
  for (const Reader reader : {Reader::Onnx, Reader::OnnxByHeads, Reader::MultiHead}) {
    const int64_t shared = shared_heads(reader);
    const Dims past{kBatch, shared, kPast, kSize};
    const auto build = [&](GraphBuilder& g) {
      std::vector<Value> inputs = projections(g, Source::Products, g.input("x", DBK_F32, kRows), widths_of(reader));
      if (reader == Reader::OnnxByHeads)
        for (size_t i = 0; i < 3; ++i) inputs[i] = by_heads(g, inputs[i], i == 0 ? kHeads : shared);
      for (size_t absent = 0; absent < (reader == Reader::MultiHead ? 3 : 1); ++absent) inputs.push_back(daybreak::absent);
      inputs.push_back(g.input("past k", DBK_F32, past));
      inputs.push_back(g.input("past v", DBK_F32, past));
      const daybreak::Attr multi[] = {{"num_heads", kHeads}}, onnx[] = {{"q_num_heads", kHeads}, {"kv_num_heads", shared}};
      const bool multi_head = reader == Reader::MultiHead;
      const std::vector<Value> results = multi_head ? g.nodes(Op("MultiHeadAttention").in("com.microsoft"), inputs, multi, {true, true, true})
                                                    : g.nodes(kOnnx, inputs, onnx, {true, true, true});
      const bool heads_first = reader == Reader::OnnxByHeads;
      g.output(heads_first ? reshape(g, swapped(g, results[0]), {0, 0, kHeads * kSize}) : results[0], "y");
      g.output(results[1], "present k");
      g.output(results[2], "present v");
    };
    const Comparison result = compare(build, {kRows, past, past}, {}, qkv("packed"));
    require_equal(products(result), size_t{1}, op_of(reader));
    require_equal(reason(result), std::string("option qkv=packed"), op_of(reader));
  }
}

// The bias that MultiHeadAttention adds becomes that of the product.
void test_bias_of_attention() {
  const auto build = [](GraphBuilder& g) {
    const Value x = g.input("x", DBK_F32, kRows);
    std::vector<Value> inputs;
    for (const char* name : {"q", "k", "v"}) inputs.push_back(g.node("MatMul", {x, weight(g, name, {kWidth, kHeads * kSize}, static_cast<uint32_t>(*name))}));
    g.output(attend(g, Reader::MultiHead, inputs, {weight(g, "bias", {3 * kHeads * kSize}, 7)}), "y");
  };
  const Comparison result = compare(build, {kRows}, {}, qkv("packed"));
  require_equal(products(result), size_t{1}, "products");
  require_equal(result.count("Add"), size_t{0}, "sums");
}

// ---- what is not packed ----

void require_reason(const Comparison& result, const char* part) {
  require(reason(result).find(part) != std::string::npos, "'{}' is not in '{}'", part, reason(result));
}

// Queries of another input: keys and values are one product, which GroupQueryAttention alone cannot read.
void test_queries_of_another_input() {
  for (const Reader reader : {Reader::Onnx, Reader::MultiHead, Reader::GroupQuery}) {
    const std::vector<int64_t> widths = widths_of(reader);
    const auto build = [&](GraphBuilder& g) {
      const Value x = g.input("x", DBK_F32, kRows), other = g.input("other", DBK_F32, kRows);
      const Value q = product(g, Source::Products, other, "q", widths[0], 1);
      g.output(attend(g, reader, {q, product(g, Source::Products, x, "k", widths[1], 2), product(g, Source::Products, x, "v", widths[2], 3)}), "y");
    };
    const Comparison result = compare(build, {kRows, kRows}, {}, qkv("packed"));
    const bool grouped = reader == Reader::GroupQuery;
    require_equal(products(result), size_t{grouped ? 3u : 2u}, op_of(reader));
    require_reason(result, grouped ? "GroupQueryAttention reads keys and values beside queries only; option qkv=packed cannot" : "option qkv=packed");
    require_equal(splits(compare(build, {kRows, kRows}, {}, qkv("split"))), size_t{1}, op_of(reader));
  }
}

void test_three_inputs_stay() {
  const auto build = [](GraphBuilder& g) {
    std::vector<Value> inputs;
    for (const char* name : {"q", "k", "v"}) inputs.push_back(product(g, Source::Products, g.input(std::string("x") + name, DBK_F32, kRows), name, kHeads * kSize, 3));
    g.output(attend(g, Reader::MultiHead, inputs), "y");
  };
  const Comparison result = compare(build, {kRows, kRows, kRows}, {}, qkv("split"));
  require_equal(products(result), size_t{3}, "products");
  require(result.placement.at("projections").empty(), "a layer of three inputs");
}

// Results that others read, too, are no columns of something else; taken apart they may be.
void test_results_that_others_read() {
  for (const Reader reader : {Reader::MultiHead, Reader::GroupQuery}) {
    const auto build = [&](GraphBuilder& g) {
      const std::vector<Value> inputs = projections(g, Source::Products, g.input("x", DBK_F32, kRows), widths_of(reader));
      g.output(inputs[2], "values");
      g.output(attend(g, reader, inputs), "y");
    };
    const Comparison packed = compare(build, {kRows}, {}, qkv("packed"));
    require_equal(products(packed), size_t{3}, op_of(reader));
    require_reason(packed, "is not attention's alone; option qkv=packed cannot: ");
    require_equal(splits(compare(build, {kRows}, {}, qkv("split"))), size_t{1}, op_of(reader));
  }
}

// f32 and f16 do not become one product.
void test_other_elements() {
  constexpr int64_t kF16 = 10;
  static const Floats numbers = whole_numbers(kWidth * kWidth, 5, 2);
  const auto build = [](GraphBuilder& g) {
    const Value x = g.input("x", DBK_F32, {kPositions, kWidth}), w = g.param("w", std::span(numbers), {kWidth, kWidth});
    const auto narrow = [&](Value v) { return g.node("Cast", {v}, {{"to", kF16}}); };
    g.output(g.node("MatMul", {x, w}), "wide");
    g.output(g.node("Cast", {g.node("MatMul", {narrow(x), narrow(w)})}, {{"to", 1}}), "narrow");
  };
  const Comparison result = compare(build, {{kPositions, kWidth}}, {whole_numbers(kPositions * kWidth, 6, 2)}, qkv("split"));
  require_equal(splits(result), size_t{0}, "products of both types");
  require(result.placement.at("projections").empty(), "a layer of two types");
}

// Rows that are cut in other sequences than those of the input: products are one, but not a packed one.
void test_rows_cut_otherwise() {
  constexpr int64_t kColumns = kHeads * kSize;
  for (const char* form : {"packed", "split"}) {
    const auto build = [&](GraphBuilder& g) {
      const Value flat = reshape(g, g.input("x", DBK_F32, {3, 6, kWidth}), {-1, kWidth});
      std::vector<Value> inputs;
      for (const char* name : {"q", "k", "v"}) {
        const Value w = weight(g, name, {kColumns, kWidth}, static_cast<uint32_t>(*name));
        inputs.push_back(reshape(g, g.node("Gemm", {flat, w, weight(g, std::string(name) + ".bias", {1, kColumns}, 9)}, {{"transB", 1}}), {kBatch, kPositions, kColumns}));
      }
      g.output(attend(g, Reader::MultiHead, inputs), "y");
    };
    const Comparison result = compare(build, {{3, 6, kWidth}}, {}, qkv(form));
    require_equal(splits(result), size_t{std::string_view(form) == "split" ? 1u : 0u}, form);
    require_reason(result, std::string_view(form) == "split" ? "option qkv=split" : "Reshape is between them and MultiHeadAttention; option qkv=packed cannot: Reshape");
  }
}

// Heads that are turned by their positions on the way: one product that writes three results.
void test_rotary_on_the_way() {
  const auto build = [](GraphBuilder& g) {
    std::vector<Value> inputs = projections(g, Source::Products, g.input("x", DBK_F32, kRows), widths_of(Reader::MultiHead));
    const Value angles = weight(g, "angles", {kPositions, kSize / 2}, 4);
    for (size_t i : {0u, 1u})
      inputs[i] = g.node(Op("RotaryEmbedding").in("com.microsoft"), {inputs[i], g.constant<int64_t>({0}), angles, angles}, {{"num_heads", kHeads}});
    g.output(attend(g, Reader::MultiHead, inputs), "y");
  };
  const Comparison split = compare(build, {kRows}, {}, qkv("split"));
  require_equal(splits(split), size_t{1}, "products that write several results");
  require_equal(products(split), size_t{0}, "other products");
  const Comparison packed = compare(build, {kRows}, {}, qkv("packed"));
  require_reason(packed, "RotaryEmbedding is between them and MultiHeadAttention");
}

// Attention as Llama is exported: heads turned by slices, Neg and Concat, those of keys and values repeated by Expand, all formulas written
// out.
void test_written_out_with_repeated_heads() {
  constexpr int64_t kShared = kHeads / 2;
  const Dims table{1, 1, kPositions, kSize}, mask{1, 1, kPositions, kPositions};
  const auto build = [&](GraphBuilder& g) {
    const std::vector<Value> qkv = projections(g, Source::Products, g.input("x", DBK_F32, kRows), widths_of(Reader::Onnx));
    const Value cos = g.input("cos", DBK_F32, table), sin = g.input("sin", DBK_F32, table), added = g.input("mask", DBK_F32, mask);
    const auto part = [&](Value x, int64_t first, int64_t end) { return g.node("Slice", {x, g.constant<int64_t>({first}), g.constant<int64_t>({end}), g.constant<int64_t>({3})}); };
    const auto turned = [&](Value x) {
      const Value halves = g.node("Concat", {g.node("Neg", {part(x, kSize / 2, kSize)}), part(x, 0, kSize / 2)}, {{"axis", -1}});
      return g.node("Add", {g.node("Mul", {x, cos}), g.node("Mul", {halves, sin})});
    };
    const auto repeated = [&](Value x) {
      const Value one = g.node("Unsqueeze", {x, g.constant<int64_t>({2})});
      return reshape(g, g.node("Expand", {one, g.constant<int64_t>({kBatch, kShared, 2, kPositions, kSize})}), {kBatch, kHeads, kPositions, kSize});
    };
    const Value q = turned(by_heads(g, qkv[0], kHeads)), k = repeated(turned(by_heads(g, qkv[1], kShared))), v = repeated(by_heads(g, qkv[2], kShared));
    const Value scores = g.node("Mul", {g.node("MatMul", {q, g.node("Transpose", {k}, {{"perm", {0, 1, 3, 2}}})}), g.scalar(0.25f)});
    const Value y = g.node("MatMul", {g.node("Softmax", {g.node("Add", {scores, added})}, {{"axis", -1}}), v});
    g.output(reshape(g, swapped(g, y), {0, 0, kHeads * kSize}), "y");
  };
  const Comparison result = compare(build, {kRows, table, table, mask}, {}, qkv("split"));
  require_equal(splits(result), size_t{1}, "products that write several results");
  require_equal(result.count("RotaryHeads"), size_t{1}, "rotations");
  require_equal(result.count("Attention"), size_t{1}, "attention");
  const nlohmann::json& summary = result.placement.at("summary");
  require_equal(summary.at("device").get<size_t>() + summary.at("host").get<size_t>(), size_t{3}, "nodes");
}

// ---- Gemm without attention ----

struct Matrices {
  bool turned = false;
  bool row_bias = false;     // [1, columns]
  double alpha = 1;
  bool full_bias = false;    // [rows, columns]
  bool turned_input = false;
};

Comparison compare_gemms(const Matrices& m, const char* form) {
  constexpr int64_t kRowCount = 7;
  const Dims dims = m.turned_input ? Dims{kWidth, kRowCount} : Dims{kRowCount, kWidth};
  return compare(
      [&](GraphBuilder& g) {
        const Value x = g.input("x", DBK_F32, dims);
        uint32_t seed = 1;
        for (const int64_t width : {16, 8, 12}) {
          const std::string name = "w" + std::to_string(seed);
          const Value w = weight(g, name, m.turned ? Dims{width, kWidth} : Dims{kWidth, width}, seed);
          const Value c = weight(g, name + ".bias", m.full_bias ? Dims{kRowCount, width} : m.row_bias ? Dims{1, width} : Dims{width}, seed + 10);
          const Value y = g.node("Gemm", {x, w, c}, {{"transA", m.turned_input ? 1 : 0}, {"transB", m.turned ? 1 : 0}, {"alpha", m.alpha}});
          g.output(g.node("Softmax", {y}), "y" + std::to_string(seed++));
        }
      },
      {dims}, {}, qkv(form));
}

void test_gemms_of_one_input() {
  for (const Matrices& m : {Matrices{}, Matrices{.turned = true}, Matrices{.row_bias = true}, Matrices{.turned = true, .row_bias = true}}) {
    const Comparison joined = compare_gemms(m, "split");
    require_equal(splits(joined), size_t{1}, "products that write several results");
    require_equal(products(joined), size_t{0}, "other products");
    require_equal(products(compare_gemms(m, "plain")), size_t{3}, "products for themselves");
    require_reason(compare_gemms(m, "auto"), "no attention reads all of them");
  }
}

void test_gemms_that_stay() {
  for (const Matrices& m : {Matrices{.alpha = 2}, Matrices{.full_bias = true}, Matrices{.turned_input = true}}) {
    const Comparison result = compare_gemms(m, "split");
    require_equal(splits(result), size_t{0}, "products that write several results");
    require_equal(products(result), size_t{3}, "products for themselves");
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__,
                   {GRAPH_TEST(test_each_op_in_each_form), GRAPH_TEST(test_gemms_in_each_form), GRAPH_TEST(test_open_batches), GRAPH_TEST(test_usual_form),
                    GRAPH_TEST(test_caches), GRAPH_TEST(test_bias_of_attention), GRAPH_TEST(test_queries_of_another_input), GRAPH_TEST(test_three_inputs_stay),
                    GRAPH_TEST(test_results_that_others_read), GRAPH_TEST(test_other_elements), GRAPH_TEST(test_rows_cut_otherwise),
                    GRAPH_TEST(test_rotary_on_the_way), GRAPH_TEST(test_written_out_with_repeated_heads),
                    GRAPH_TEST(test_gemms_of_one_input), GRAPH_TEST(test_gemms_that_stay)});
}

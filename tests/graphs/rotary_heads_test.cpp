// Queries and keys that are turned by their positions in front of attention: one step turns both where they lie, however the rotation is
// written and whichever op of attention reads them; not where that would be another formula.
#include "tests/graphs/fused_test.h"

namespace {

using namespace graphs;
using daybreak::Op;

constexpr int64_t kBatch = 2, kTokens = 9, kHeads = 4, kShared = 2, kSize = 16, kRows = 40;

const Op kEmbedding = Op("RotaryEmbedding").in("", 23), kMicrosoft = Op("RotaryEmbedding").in("com.microsoft");

enum class Writing { Formula, Neighbours, TokensFirst, ByHeads, SideBySide, Microsoft };
enum class Reader { Formula, Onnx, MultiHead, GroupQuery };

struct Layer {
  Writing writing = Writing::Formula;
  Reader reader = Reader::Formula;
  int64_t width = kSize;      // columns of a head that turn
  bool split = false;         // which Split takes apart, else Slices
  bool cached = false;        // keys and values go behind those of a cache, which is handed on
  bool keys_out = false;
  bool norms = false;         // of heads, before they turn
  bool open = false;          // the number of tokens is a symbol
  bool listed = false;        // positions are an input
};

Value list(GraphBuilder& g, std::initializer_list<int64_t> numbers) { return g.constant<int64_t>(numbers); }
Value swapped(GraphBuilder& g, Value x) { return g.node("Transpose", {x}, {{"perm", {0, 2, 1, 3}}}); }
Value cut(GraphBuilder& g, Value x, int64_t heads) { return g.node("Reshape", {x, list(g, {0, 0, heads, kSize})}); }
Value by_heads(GraphBuilder& g, Value x, int64_t heads) { return swapped(g, cut(g, x, heads)); }

Value slice(GraphBuilder& g, Value x, int64_t first, int64_t end, int64_t step = 1) {
  return g.node("Slice", {x, list(g, {first}), list(g, {end}), list(g, {-1}), list(g, {step})});
}

Value formula(GraphBuilder& g, Value x, Value cos, Value sin, int64_t width, bool neighbours) {
  Value turned = daybreak::absent;
  if (neighbours) {
    const Value second = g.node("Neg", {slice(g, x, 1, width, 2)}), first = slice(g, x, 0, width, 2);
    const Value pairs = g.node("Concat", {g.node("Unsqueeze", {second, list(g, {-1})}), g.node("Unsqueeze", {first, list(g, {-1})})}, {{"axis", -1}});
    turned = g.node("Reshape", {pairs, list(g, {0, 0, 0, -1})});
  } else {
    turned = g.node("Concat", {g.node("Neg", {slice(g, x, width / 2, width)}), slice(g, x, 0, width / 2)}, {{"axis", -1}});
  }
  return g.node("Add", {g.node("Mul", {x, cos}), g.node("Mul", {turned, sin})});
}

class Writer {
 public:
  Writer(GraphBuilder& g, const Layer& layer) : g_(g), layer_(layer) {}

  void write() {
    tokens_ = layer_.open ? daybreak::Dim(g_.symbol("tokens", 1, 20)) : daybreak::Dim(kTokens);
    const Value q = g_.input("q", DBK_F32, {kBatch, tokens_, kHeads * kSize}), k = g_.input("k", DBK_F32, {kBatch, tokens_, shared() * kSize}),
                v = g_.input("v", DBK_F32, {kBatch, tokens_, shared() * kSize});
    write_tables();
    Value turned_k = turned(k, shared());
    const Value turned_q = turned(q, kHeads);
    if (layer_.keys_out) g_.output(turned_k, "keys");
    g_.output(attended(turned_q, turned_k, v), "y");
  }

 private:
  int64_t shared() const { return layer_.reader == Reader::MultiHead ? kHeads : kShared; }
  bool by_formula() const { return layer_.writing <= Writing::TokensFirst; }
  bool side_by_side() const { return layer_.writing >= Writing::SideBySide; }

  void write_tables() {
    if (by_formula()) {
      const bool tokens_first = layer_.writing == Writing::TokensFirst;
      const daybreak::Shape shape = tokens_first ? daybreak::Shape{1, tokens_, 1, layer_.width} : daybreak::Shape{1, 1, tokens_, layer_.width};
      cos_ = g_.input("cos", DBK_F32, shape), sin_ = g_.input("sin", DBK_F32, shape);
      return;
    }
    cos_ = g_.input("cos", DBK_F32, {kRows, layer_.width / 2}), sin_ = g_.input("sin", DBK_F32, {kRows, layer_.width / 2});
    at_ = layer_.listed || layer_.writing != Writing::Microsoft ? g_.node("Cast", {g_.input("at", DBK_F32, {kBatch, tokens_})}, {{"to", 7}}) : list(g_, {3});
  }

  Value normed(Value x) {
    static const Floats scale = fractions(kSize, 77);
    return layer_.norms ? g_.node("SimplifiedLayerNormalization", {x, g_.constant(std::span<const float>(scale), {kSize}, "scale")}) : x;
  }

  Value turned(Value x, int64_t heads) {
    if (side_by_side()) {
      const std::vector<daybreak::Attr> attrs{{"num_heads", heads}, {"rotary_embedding_dim", layer_.width == kSize ? 0 : layer_.width}};
      return layer_.writing == Writing::Microsoft ? g_.nodes(kMicrosoft, std::vector{x, at_, cos_, sin_}, attrs, {true})[0]
                                                  : g_.nodes(kEmbedding, std::vector{x, cos_, sin_, at_}, attrs, {true})[0];
    }
    const Value rows = normed(cut(g_, x, heads));
    const Value cut_heads = layer_.writing == Writing::TokensFirst ? rows : swapped(g_, rows);
    if (layer_.writing == Writing::ByHeads)
      return g_.node(kEmbedding, {cut_heads, cos_, sin_, at_}, {{"rotary_embedding_dim", layer_.width == kSize ? 0 : layer_.width}});
    const Value y = partly(cut_heads);
    return layer_.writing == Writing::TokensFirst ? swapped(g_, y) : y;
  }

  Value partly(Value x) {
    const bool neighbours = layer_.writing == Writing::Neighbours;
    if (layer_.width == kSize) return formula(g_, x, cos_, sin_, layer_.width, neighbours);
    Value first = daybreak::absent, rest = daybreak::absent;
    if (layer_.split) {
      const std::vector<Value> inputs{x, list(g_, {layer_.width, kSize - layer_.width})};
      const daybreak::Attr axis{"axis", -1};
      const auto parts = g_.nodes("Split", inputs, std::span(&axis, 1), {true, true});
      first = parts[0], rest = parts[1];
    } else {
      first = slice(g_, x, 0, layer_.width), rest = slice(g_, x, layer_.width, INT64_MAX);
    }
    return g_.node("Concat", {formula(g_, first, cos_, sin_, layer_.width, neighbours), rest}, {{"axis", -1}});
  }

  Value past(const char* name) { return g_.input(name, DBK_F32, {kBatch, kShared, 5, kSize}); }

  Value attended(Value q, Value k, Value v) {
    if (layer_.reader == Reader::Formula) return attended_by_formula(q, k, by_heads(g_, v, kShared));
    if (layer_.reader == Reader::GroupQuery) {
      const Value last = g_.constant<int32_t>({kTokens - 1, kTokens - 1}), total = g_.constant<int32_t>({kTokens});
      const std::vector<Value> inputs{q, k, v, daybreak::absent, daybreak::absent, last, total};
      const daybreak::Attr attrs[] = {{"num_heads", kHeads}, {"kv_num_heads", kShared}};
      return g_.nodes(Op("GroupQueryAttention").in("com.microsoft"), inputs, attrs, {true})[0];
    }
    if (layer_.reader == Reader::MultiHead) return g_.node(Op("MultiHeadAttention").in("com.microsoft"), {q, k, v}, {{"num_heads", kHeads}});
    std::vector<Value> inputs{q, k, side_by_side() ? v : by_heads(g_, v, kShared)};
    if (layer_.cached) inputs.insert(inputs.end(), {daybreak::absent, past("past k"), past("past v")});
    std::vector<daybreak::Attr> attrs{{"is_causal", 1}};
    if (side_by_side()) attrs.insert(attrs.end(), {{"q_num_heads", kHeads}, {"kv_num_heads", kShared}});
    const auto results = g_.nodes(Op("Attention").in("", 23), inputs, attrs, std::vector<bool>(layer_.cached ? 3 : 1, true));
    for (size_t i = 1; i < results.size(); ++i) g_.output(results[i], i == 1 ? "present k" : "present v");
    return side_by_side() ? results[0] : g_.node("Reshape", {swapped(g_, results[0]), list(g_, {0, 0, kHeads * kSize})});
  }

  Value attended_by_formula(Value q, Value k, Value v) {
    if (layer_.cached) {
      k = g_.node("Concat", {past("past k"), k}, {{"axis", 2}}), v = g_.node("Concat", {past("past v"), v}, {{"axis", 2}});
      g_.output(k, "present k"), g_.output(v, "present v");
    }
    const Value keys = repeated(k), values = repeated(v);
    const Value scores = g_.node("Mul", {g_.node("MatMul", {q, g_.node("Transpose", {keys}, {{"perm", {0, 1, 3, 2}}})}), g_.scalar(0.25f)});
    const Value y = g_.node("MatMul", {g_.node("Softmax", {scores}, {{"axis", -1}}), values});
    return g_.node("Reshape", {swapped(g_, y), list(g_, {0, 0, kHeads * kSize})});
  }

  Value repeated(Value x) {
    const Value wide = g_.node("Expand", {g_.node("Unsqueeze", {x, list(g_, {2})}), list(g_, {1, 1, kHeads / kShared, 1, 1})});
    const Value count = g_.node("Shape", {x}, {{"start", 2}, {"end", 3}});
    return g_.node("Reshape", {wide, g_.node("Concat", {list(g_, {kBatch, kHeads}), count, list(g_, {kSize})}, {{"axis", 0}})});
  }

  GraphBuilder& g_;
  const Layer& layer_;
  daybreak::Dim tokens_ = kTokens;
  Value cos_ = daybreak::absent, sin_ = daybreak::absent, at_ = daybreak::absent;
};

Comparison compare_layer(const Layer& layer, int64_t tokens = kTokens) {
  const int64_t shared = layer.reader == Reader::MultiHead ? kHeads : kShared;
  std::vector<Dims> dims{{kBatch, tokens, kHeads * kSize}, {kBatch, tokens, shared * kSize}, {kBatch, tokens, shared * kSize}};
  std::vector<Floats> numbers;
  for (const Dims& d : dims) numbers.push_back(fractions(static_cast<size_t>(d.product()), static_cast<uint32_t>(numbers.size())));
  const bool formula = layer.writing <= Writing::TokensFirst, tokens_first = layer.writing == Writing::TokensFirst;
  const Dims table = !formula ? Dims{kRows, layer.width / 2} : tokens_first ? Dims{1, tokens, 1, layer.width} : Dims{1, 1, tokens, layer.width};
  for (uint32_t i = 0; i < 2; ++i) dims.push_back(table), numbers.push_back(fractions(static_cast<size_t>(table.product()), 50 + i));
  if (!formula && (layer.listed || layer.writing != Writing::Microsoft)) {
    dims.push_back({kBatch, tokens});
    Floats at;
    for (int64_t i = 0; i < kBatch * tokens; ++i) at.push_back(static_cast<float>((7 * i + 3) % kRows));
    numbers.push_back(at);
  }
  for (int i = 0; i < (layer.cached ? 2 : 0); ++i) dims.push_back({kBatch, kShared, 5, kSize});
  return compare([&](GraphBuilder& g) { Writer(g, layer).write(); }, dims, numbers);
}

void require_joined(const Layer& layer, const char* what, size_t transposes = 0) {
  const Comparison result = compare_layer(layer);
  require_fused(result, "RotaryHeads", 1, what);
  for (const char* gone : {"Rotary", "RotaryEmbedding", "Slice", "Split"}) require_fused(result, gone, 0, what);
  require_fused(result, "Transpose", transposes, what);
}

void test_each_writing_and_reader() {
  require_joined({}, "formulas");
  require_joined({.writing = Writing::Neighbours}, "formulas of neighbours");
  require_joined({.writing = Writing::TokensFirst}, "formulas before heads have an axis of their own");
  require_joined({.writing = Writing::ByHeads, .reader = Reader::Onnx}, "RotaryEmbedding by heads");
  require_joined({.writing = Writing::Formula, .reader = Reader::Onnx}, "a formula before ONNX's Attention");
  for (const Reader reader : {Reader::Onnx, Reader::MultiHead, Reader::GroupQuery})
    for (const Writing writing : {Writing::SideBySide, Writing::Microsoft}) require_joined({.writing = writing, .reader = reader}, "heads side by side");
  require_joined({.writing = Writing::Microsoft, .reader = Reader::GroupQuery, .listed = true}, "positions by token");
}

void test_some_columns() {
  for (const bool split : {false, true})
    for (const Writing writing : {Writing::Formula, Writing::Neighbours, Writing::TokensFirst})
      require_joined({.writing = writing, .width = 8, .split = split}, "a part");
  require_joined({.width = 6}, "a part that fits no vector");
  require_joined({.writing = Writing::SideBySide, .reader = Reader::Onnx, .width = 8}, "RotaryEmbedding of a part");
}

void test_caches() {
  require_joined({.writing = Writing::SideBySide, .reader = Reader::Onnx, .cached = true}, "a cache that attention appends to");
  require_joined({.writing = Writing::ByHeads, .reader = Reader::Onnx, .cached = true}, "the same by heads");
  require_joined({.cached = true}, "a cache by Concat, for which keys and values have an axis of their own", 2);
  require_joined({.keys_out = true}, "keys are an output", 1);
}

void test_norms_of_heads() { require_joined({.norms = true}, "norms of heads"); }

void test_open_extents() {
  for (const Layer& layer : {Layer{.open = true}, Layer{.writing = Writing::ByHeads, .reader = Reader::Onnx, .open = true},
                             Layer{.writing = Writing::SideBySide, .reader = Reader::Onnx, .open = true}})
    for (const int64_t tokens : {1, 7, 20}) {
      const Comparison result = compare_layer(layer, tokens);
      require_fused(result, "RotaryHeads", 1, "with an open number of tokens");
      require_fused(result, "Transpose", 0, "with an open number of tokens");
    }
}

// ---- two rotations that are not one ----

struct Pair {
  bool other_positions = false, other_tables = false, other_kind = false;
  int64_t k_size = kSize;
  bool chained = false;   // the second turns what the first gave
  bool half = false;      // the second is f16
};

Comparison compare_pair(const Pair& pair) {
  const Dims q{1, 3, 5, kSize}, k{1, 2, 5, pair.k_size}, table{9, kSize / 2};
  return compare(
      [&](GraphBuilder& g) {
        const auto cast = [&](Value x, int64_t to) { return pair.half ? g.node("Cast", {x}, {{"to", to}}) : x; };
        const Value x = g.input("q", DBK_F32, daybreak::Shape(q)), y = g.input("k", DBK_F32, daybreak::Shape(k)),
                    cos = g.input("cos", DBK_F32, daybreak::Shape(table)), sin = g.input("sin", DBK_F32, daybreak::Shape(table));
        const Value at = list(g, {0, 1, 2, 3, 4}), ids = g.node("Unsqueeze", {at, list(g, {0})});
        const Value other = g.node("Unsqueeze", {list(g, {4, 1, 2, 3, 0}), list(g, {0})});
        const Value first = g.node(kEmbedding, {x, cos, sin, ids});
        const Value turned_by = pair.other_tables ? cos : sin;
        const std::vector<daybreak::Attr> attrs{{"interleaved", int64_t{pair.other_kind}}, {"rotary_embedding_dim", kSize}};
        const std::vector<Value> inputs{cast(pair.chained ? first : y, 10), cast(cos, 10), cast(turned_by, 10), pair.other_positions ? other : ids};
        g.output(first, "turned q");
        g.output(cast(g.nodes(kEmbedding, inputs, attrs, {true})[0], 1), "turned k");
      },
      {q, k, table, table});
}

void test_pairs() {
  require_fused(compare_pair({}), "RotaryHeads", 1, "two alike");
  const auto stays = [](const char* what, const Pair& pair) {
    const Comparison result = compare_pair(pair);
    require_fused(result, "RotaryHeads", 0, what);
    require_fused(result, "RotaryEmbedding", 2, what);
  };
  stays("other positions", {.other_positions = true});
  stays("other tables", {.other_tables = true});
  stays("pairs of another kind", {.other_kind = true});
  stays("heads of another size", {.k_size = 2 * kSize});
  stays("one after the other", {.chained = true});
  stays("another type", {.half = true});
  require(compare_pair({.chained = true}).missed().find("depends on it") != std::string::npos, "no reason for a chain");
  require(compare_pair({.other_kind = true}).missed().find("another kind") != std::string::npos, "no reason for another kind");
}

// A rotation between two that become one, by tables of its own: what reads the first of them stands before it, and depends on it from then on.
void test_crossed_pairs() {
  const Dims x{1, 2, 5, kSize}, table{5, kSize};
  const auto result = compare(
      [&](GraphBuilder& g) {
        const auto in = [&](const char* name, const Dims& dims) { return g.input(name, DBK_F32, daybreak::Shape(dims)); };
        const Value a = in("a", x), b = in("b", x), cos = in("cos", table), sin = in("sin", table);
        const Value first = formula(g, a, cos, sin, kSize, false), reader = g.node("Tanh", {first}), between = formula(g, b, sin, cos, kSize, false);
        const Value second = formula(g, g.node("Abs", {between}), cos, sin, kSize, false), last = formula(g, reader, sin, cos, kSize, false);
        g.output(second, "second"), g.output(last, "last");
      },
      {x, x, table, table});
  require_fused(result, "RotaryHeads", 1, "the outer two");
  require_fused(result, "Rotary", 2, "the inner two");
}

// 16-bit numbers that are whole, as their sums of products are: every way to round gives the same.
void test_other_elements() {
  const Dims q{2, 3, 5, kSize}, k{2, 1, 5, kSize}, table{5, kSize / 2};
  for (const int64_t type : {10, 16}) {  // f16, bf16
    const auto result = compare(
        [&](GraphBuilder& g) {
          const auto in = [&](const char* name, const Dims& dims) { return g.node("Cast", {g.input(name, DBK_F32, daybreak::Shape(dims))}, {{"to", type}}); };
          const Value x = in("q", q), y = in("k", k), cos = in("cos", table), sin = in("sin", table);
          const Value at = g.constant<int64_t>({0, 1, 2, 3, 4, 4, 3, 2, 1, 0}, Dims{2, 5});
          g.output(g.node("Cast", {g.node(kEmbedding, {x, cos, sin, at})}, {{"to", 1}}), "turned q");
          g.output(g.node("Cast", {g.node(kEmbedding, {y, cos, sin, at})}, {{"to", 1}}), "turned k");
        },
        {q, k, table, table}, {whole_numbers(480, 1), whole_numbers(160, 2), whole_numbers(40, 3, 3), whole_numbers(40, 4, 3)});
    require_fused(result, "RotaryHeads", 1, "16-bit numbers");
    for (size_t i : {0u, 1u}) require_same(result.actual[i], result.expected[i], "16-bit numbers");
  }
}

// Heads that somebody sees before they turn, or a part of which is read by others.
void test_heads_that_others_read() {
  const Dims x{2, 5, 3 * kSize};
  const auto with = [&](bool part, bool seen) {
    const int64_t width = part ? 8 : kSize;
    const Dims table{5, width};
    return compare(
        [&](GraphBuilder& g) {
          const Value heads = by_heads(g, g.input("x", DBK_F32, daybreak::Shape(x)), 3);
          const Value cos = g.input("cos", DBK_F32, daybreak::Shape(table)), sin = g.input("sin", DBK_F32, daybreak::Shape(table));
          const Value rest = part ? slice(g, heads, width, kSize) : heads;
          if (seen) g.output(g.node("Abs", {rest}), "seen");
          const Value turned = formula(g, part ? slice(g, heads, 0, width) : heads, cos, sin, width, false);
          g.output(part ? g.node("Concat", {turned, rest}, {{"axis", -1}}) : turned, "y");
        },
        {x, table, table});
  };
  for (const bool part : {false, true}) {
    require_fused(with(part, false), "RotaryHeads", 1, "heads that nobody else reads");
    const Comparison result = with(part, true);
    require_fused(result, "RotaryHeads", 0, "heads that somebody reads");
    require_fused(result, "Rotary", 1, "heads that somebody reads");
    require(!result.missed().empty(), "no reason is told");
  }
}

// A table for each head is none that heads side by side share.
void test_tables_by_head() {
  const Dims x{2, 5, 3 * kSize}, table{3, 5, kSize};
  const auto result = compare(
      [&](GraphBuilder& g) {
        const Value heads = by_heads(g, g.input("x", DBK_F32, daybreak::Shape(x)), 3);
        const Value cos = g.input("cos", DBK_F32, daybreak::Shape(table)), sin = g.input("sin", DBK_F32, daybreak::Shape(table));
        g.output(formula(g, heads, cos, sin, kSize, false), "y");
      },
      {x, table, table});
  require_fused(result, "Rotary", 1, "tables by head");
  require_fused(result, "RotaryHeads", 0, "tables by head");
}

// A position out of range is told as that of one rotation is.
void test_positions_out_of_range() {
  GraphBuilder g(23);
  const Value x = g.input<float>("x", {1, 1, 2, 4}), y = g.node("Neg", {x}), angles = g.input<float>("angles", {3, 2}), at = g.input<int64_t>("at", {1, 2});
  g.output(g.node("RotaryEmbedding", {x, angles, angles, at}), "turned x");
  g.output(g.node(Op("RotaryEmbedding").named("pointed"), {y, angles, angles, at}), "turned y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  bind(run, "x", {1, 2, 3, 4, 5, 6, 7, 8}, {1, 1, 2, 4});
  bind(run, "angles", {1, 2, 3, 4, 5, 6}, {3, 2});
  const auto with = [&](std::vector<int64_t> positions) {
    run.bind_input("at", daybreak::View(std::span<const int64_t>(positions), Dims{1, 2}), DBK_COPY);
    run.run();
    return run.read<float>(1);
  };
  require_same(with({0, 2}), {3 - 1, 8 - 4, -1 - 3, -4 - 8, 35 - 25, 48 - 36, -25 - 35, -36 - 48}, "rotated");
  require_failure(DBK_OUT_OF_RANGE, {"pointed"}, [&] { with({0, 3}); });
  require_failure(DBK_OUT_OF_RANGE, {"pointed"}, [&] { with({-1, 0}); });
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__,
                   {GRAPH_TEST(test_each_writing_and_reader), GRAPH_TEST(test_some_columns), GRAPH_TEST(test_caches), GRAPH_TEST(test_norms_of_heads),
                    GRAPH_TEST(test_open_extents), GRAPH_TEST(test_pairs), GRAPH_TEST(test_crossed_pairs), GRAPH_TEST(test_other_elements), GRAPH_TEST(test_heads_that_others_read),
                    GRAPH_TEST(test_tables_by_head), GRAPH_TEST(test_positions_out_of_range)});
}

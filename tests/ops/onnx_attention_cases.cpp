// Attention of ONNX: both layouts of heads, caches in and out, masks of every rank, kind and length, lengths of padded caches, scores
// kept at every stage, rows that see nothing; and random combinations of all of that.
#include "tests/ops/attention_case_lists.h"

#include <random>

#include "tests/ops/awkward.h"

namespace ops {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct OnnxAttention {
  DType dtype;
  int64_t rank = 4, batch = 2, heads = 2, kv_heads = 2, queries = 5, keys = 7, past = 0, size = 8, v_size = 8;
  bool causal = false, cache = false;  // cache: one is handed on; there is one where past is not 0
  double softcap = 0;
  int64_t mode = -1;  // of the scores; -1: they are not wanted
  Operand mask{};
  std::vector<int64_t> lengths{};

  Operand operand(int64_t count, int64_t rows, int64_t columns) const {
    return tensor(dtype, rank == 4 ? Shape{batch, count, rows, columns} : Shape{batch, rows, count * columns});
  }
  OpCase named(std::string name) const {
    std::vector<Operand> in{operand(heads, queries, size), operand(kv_heads, keys, size), operand(kv_heads, keys, v_size), mask};
    in.push_back(past > 0 ? tensor(dtype, {batch, kv_heads, past, size}) : absent);
    in.push_back(past > 0 ? tensor(dtype, {batch, kv_heads, past, v_size}) : absent);
    in.push_back(lengths.empty() ? absent : list(DBK_I64, {batch}, lengths));
    while (in.back().dtype == DBK_DTYPE_NONE) in.pop_back();
    std::vector<dbk::Attribute> attrs{{"is_causal", int64_t{causal}}, {"softcap", softcap}, {"qk_matmul_output_mode", std::max<int64_t>(mode, 0)}};
    if (rank == 3) attrs.push_back({"q_num_heads", heads}), attrs.push_back({"kv_num_heads", kv_heads});
    name += std::format(" rank {} heads {}/{} causal {} cap {} mode {}", rank, heads, kv_heads, int{causal}, softcap, mode);
    OpCase made(name + " " + describe(in), in, attrs);
    made.outputs = {true, cache, cache, mode >= 0};
    while (!made.outputs.back()) made.outputs.pop_back();
    return made.with_opset(24);
  }
};

// Programs of wide heads take software adapters seconds to compile, in f16, which is f32 between load and store, several times as long.
// What needs them is tested in f32; attention_cases.cpp has wide heads of both.
bool takes_wide_heads(DType dtype) { return dtype == DBK_F32; }

void add_layouts(Cases& cases, DType dtype) {
  for (int64_t rank : {3, 4}) {
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank}.named("plain"));
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .heads = 6, .kv_heads = 3, .size = 5, .v_size = 3}.named("shared"));
    const int64_t size = takes_wide_heads(dtype) ? 68 : 12, v_size = takes_wide_heads(dtype) ? 132 : 20;
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .queries = 33, .keys = 130, .size = size, .v_size = v_size}.named("large"));
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .queries = 0}.named("no queries"));
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .keys = 0}.named("no keys"));
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .batch = 0}.named("no batch"));
    for (int64_t past : {1, 3, 4, 5, 64, 129}) {
      cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .past = past, .cache = true}.named("cache"));
      cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .queries = 1, .keys = 1, .past = past, .causal = true, .cache = true}.named("step"));
      cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .queries = 3, .keys = 3, .past = past, .size = 5, .v_size = 6, .causal = true}.named("cache"));
    }
    for (int64_t past : {255, 256, 511, 1000}) {
      OnnxAttention step{.dtype = dtype, .rank = rank, .heads = 4, .queries = 1, .keys = 1, .past = past, .causal = true, .cache = true};
      cases.push_back(step.named("step"));
      step.queries = step.keys = 300, step.queries = 7, step.v_size = 5, step.mask = tensor(dtype, {7, past + 300}).within(-8, 8);
      cases.push_back(step.named("step"));
    }
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .keys = 0, .past = 5, .cache = true}.named("nothing but a cache"));
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = rank, .cache = true}.named("first step"));
  }
}

void add_masks(Cases& cases, DType dtype) {
  const std::vector<Shape> shapes{{}, {37}, {1, 37}, {9, 37}, {9, 1}, {2, 9, 37}, {3, 1, 1, 37}, {1, 2, 9, 37}, {3, 2, 9, 37}, {3, 1, 9, 30}, {9, 2}};
  for (const Shape& shape : shapes)
    for (int64_t past : {0, 30}) {
      OnnxAttention a{.dtype = dtype, .batch = 3, .queries = 9, .keys = 37 - past, .past = past};
      a.mask = tensor(dtype, shape).within(-8, 8);
      cases.push_back(a.named("added"));
      a.softcap = 2.5, a.causal = true;
      cases.push_back(a.named("added"));
      a.mask = list(DBK_BOOL, shape, {1, 0, 1, 1, 0, 1, 1});
      cases.push_back(a.named("kept"));
    }
  OnnxAttention none{.dtype = dtype, .queries = 3, .keys = 4};
  none.mask = reals(dtype, {3, 4}, {0, -kInf, 1, 2, -kInf, -kInf, -kInf, -kInf, -kInf, 3, -kInf, 4});
  cases.push_back(none.named("a row of nothing"));
  none.softcap = 1.5;
  cases.push_back(none.named("a row of nothing"));
  none.mask = list(DBK_BOOL, {3, 4}, {0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0});
  cases.push_back(none.named("rows of nothing"));
}

void add_lengths(Cases& cases, DType dtype) {
  for (bool causal : {false, true}) {
    cases.push_back(OnnxAttention{.dtype = dtype, .batch = 4, .queries = 2, .keys = 600, .causal = causal, .lengths = {600, 0, 257, 5}}.named("lengths"));
    OnnxAttention a{.dtype = dtype, .batch = 4, .queries = 3, .keys = 9, .causal = causal, .lengths = {9, 0, 2, 5}};
    cases.push_back(a.named("lengths"));
    a.mask = tensor(dtype, {3, 9}).within(-8, 8);
    cases.push_back(a.named("lengths"));
    a.mask = list(DBK_BOOL, {4, 1, 3, 9}, {1, 1, 0});
    a.rank = 3, a.heads = 4, a.kv_heads = 2;
    cases.push_back(a.named("lengths"));
    a.mode = 1;
    cases.push_back(a.named("lengths"));
  }
}

void add_scores(Cases& cases, DType dtype) {
  for (int64_t mode : {0, 1, 2, 3})
    for (int64_t past : {0, 6}) {
      OnnxAttention a{.dtype = dtype, .queries = 9, .past = past, .mode = mode};
      cases.push_back(a.named("scores"));
      const bool wide = takes_wide_heads(dtype) && (mode == 0 || mode == 3);  // scores are kept once, values go in several blocks
      a.v_size = wide ? 132 : 12, a.softcap = 1.5, a.causal = true, a.cache = past > 0;
      a.mask = tensor(dtype, {9, 7 + past}).within(-8, 8);
      cases.push_back(a.named("scores"));
    }
}

// Scores enough for the way of lines on software adapters (attention_line.h): a mask that ends before the keys; keys that no query sees,
// whose values are no numbers.
void add_many_scores(Cases& cases, DType dtype) {
  OnnxAttention a{.dtype = dtype, .heads = 4, .queries = 256, .keys = 600, .causal = true};
  OpCase unseen = a.named("many scores");
  std::vector<double> values(static_cast<size_t>(a.batch * a.kv_heads * a.keys * a.v_size), 0.5);
  for (size_t i = 0; i < values.size(); ++i)
    if (i / static_cast<size_t>(a.v_size) % 600 >= 256) values[i] = std::numeric_limits<double>::quiet_NaN();
  unseen.inputs[2] = reals(dtype, {a.batch, a.kv_heads, a.keys, a.v_size}, values);
  cases.push_back(unseen);
  a.causal = false, a.mask = tensor(dtype, {256, 300}).within(-8, 8);
  cases.push_back(a.named("many scores, short mask"));
}

// Blocks of queries and keys in workgroup memory (attention_tile.h), which kernels for hardware take from 8 queries on: one block, several and
// one more or less; heads of each size of block (choice_test.cpp has which), and too wide for any.
void add_tile_sizes(Cases& cases, DType dtype) {
  const auto add = [&](const OnnxAttention& a, const char* kernel = "/tile") { cases.push_back(a.named("tile").on_hardware(kernel)); };
  for (int64_t queries : {8, 17, 31, 32, 33, 63, 64, 65, 131})
    for (int64_t keys : {1, 31, 32, 33, 97}) add({.dtype = dtype, .queries = queries, .keys = keys});
  for (int64_t past : {1, 30, 32, 33, 71})
    for (bool causal : {false, true})
      add({.dtype = dtype, .heads = 6, .queries = 37, .keys = 37, .past = past, .size = 12, .v_size = 20, .causal = causal, .cache = true});
  add({.dtype = dtype, .rank = 3, .heads = 4, .queries = 65, .keys = 47, .past = 3, .size = 5, .v_size = 7, .causal = true});
  add({.dtype = dtype, .queries = 34, .keys = 33, .size = 1, .v_size = 2});
  add({.dtype = dtype, .queries = 34, .keys = 33, .size = 8, .v_size = 68});
  add({.dtype = dtype, .queries = 7, .keys = 33}, "/rows");
  add({.dtype = dtype, .queries = 8, .keys = 600}, "/keys");
  if (!takes_wide_heads(dtype)) return;
  for (const auto& [size, v_size] : std::vector<std::array<int64_t, 2>>{{64, 64}, {96, 92}, {128, 128}, {64, 160}, {160, 41}, {300, 8}})
    for (int64_t past : {0, 15})
      add({.dtype = dtype, .heads = 4, .queries = 67, .keys = 50, .past = past, .size = size, .v_size = v_size, .causal = past > 0}, size < 300 ? "/tile" : "/rows");
}

void add_tile_masks(Cases& cases, DType dtype) {
  const auto add = [&](const OnnxAttention& a) { cases.push_back(a.named("tile").on_hardware("/tile")); };
  const OnnxAttention plain{.dtype = dtype, .batch = 3, .heads = 4, .queries = 66, .keys = 30, .past = 41};
  for (const Shape& shape : std::vector<Shape>{{71}, {66, 71}, {66, 1}, {3, 1, 1, 71}, {3, 4, 66, 71}, {66, 33}})
    for (bool causal : {false, true}) {
      OnnxAttention a = plain;
      a.causal = causal, a.softcap = causal ? 2.5 : 0;
      a.mask = tensor(dtype, shape).within(-8, 8);
      add(a);
      a.mask = list(DBK_BOOL, shape, {1, 0, 1, 1, 0, 1, 1});
      add(a);
    }
  OnnxAttention unseen = plain;  // rows 7 to 29, and of row 30 the first block
  std::vector<double> rows(66 * 71, 0.5);
  std::fill_n(rows.begin() + 7 * 71, 23 * 71 + 40, -kInf);
  unseen.mask = reals(dtype, {66, 71}, rows);
  add(unseen);
  unseen.mask = list(DBK_BOOL, {66, 71}, std::vector<int64_t>(rows.size()));
  add(unseen);
  for (bool causal : {false, true}) {
    OnnxAttention a{.dtype = dtype, .batch = 5, .queries = 40, .keys = 70, .causal = causal, .lengths = {70, 0, 33, 32, 1}};
    add(a);
    a.mask = tensor(dtype, {5, 1, 40, 70}).within(-8, 8), a.size = 6, a.v_size = 3;
    add(a);
  }
}

// Numbers that leave f16 between the operands and the result, and keys that nobody sees and whose values are no numbers.
void add_tile_numbers(Cases& cases, DType dtype) {
  const OnnxAttention a{.dtype = dtype, .queries = 40, .keys = 45, .causal = true};
  OpCase large = a.named("tile, large numbers");
  for (size_t i : {0, 1}) large.inputs[i] = large.inputs[i].within(-300, 300);
  large.inputs[2] = large.inputs[2].within(-6e4, 6e4);
  cases.push_back(large.on_hardware("/tile"));
  OpCase unseen = a.named("tile, unseen");
  std::vector<double> values(static_cast<size_t>(a.batch * a.kv_heads * a.keys * a.v_size), 0.5);
  for (size_t i = 0; i < values.size(); ++i)
    if (i / static_cast<size_t>(a.v_size) % 45 >= 40) values[i] = std::numeric_limits<double>::quiet_NaN();
  unseen.inputs[2] = reals(dtype, {a.batch, a.kv_heads, a.keys, a.v_size}, values);
  cases.push_back(unseen.on_hardware("/tile"));
}

// Everything at once, drawn with a seed of its own so that names stay what they are; every other one in f16.
void add_random(Cases& cases, DType dtype) {
  std::mt19937 random(20240501);
  const auto pick = [&](std::vector<int64_t> from) { return from[random() % from.size()]; };
  for (int i = 0; i < 60; ++i) {
    OnnxAttention a{.dtype = dtype, .rank = pick({3, 4}), .batch = pick({1, 2, 3})};
    a.kv_heads = pick({1, 2, 3}), a.heads = a.kv_heads * pick({1, 1, 2, 4});
    a.queries = pick({1, 1, 2, 5, 8, 17, 33}), a.keys = pick({1, 2, 3, 9, 31, 65}), a.past = pick({0, 0, 0, 1, 7, 40});
    a.size = pick({1, 3, 4, 8, 16, 20, 64}), a.v_size = pick({1, 2, 4, 8, 12, 33, 64});
    a.causal = random() % 2, a.cache = a.past > 0 && random() % 2;
    a.softcap = pick({0, 0, 3}), a.mode = pick({-1, -1, -1, 0, 1, 2, 3});
    const int64_t all = a.keys + a.past;
    if (a.past == 0 && random() % 3 == 0)
      for (int64_t b = 0; b < a.batch; ++b) a.lengths.push_back(static_cast<int64_t>(random() % static_cast<uint64_t>(all + 1)));
    const Shape shape{pick({1, a.batch}), pick({1, a.heads}), pick({1, a.queries}), pick({1, all})};
    const int64_t kind = pick({0, 1, 2});
    if (kind == 1) a.mask = tensor(dtype, shape).within(-8, 8);
    if (kind == 2) a.mask = list(DBK_BOOL, shape, {1, 1, 0, 1, 0, 0, 1});
    if ((i % 2 == 1) == (dtype == DBK_F16)) cases.push_back(a.named(std::format("random {}", i)));
  }
}

}  // namespace

Cases onnx_attention_cases(const dbk::OpRow& row) {
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row, 0, 24)) {
    add_layouts(cases, dtype);
    add_masks(cases, dtype);
    add_lengths(cases, dtype);
    add_scores(cases, dtype);
    if (dtype == DBK_F32) add_many_scores(cases, dtype);
    add_tile_sizes(cases, dtype);
    add_tile_masks(cases, dtype);
    add_tile_numbers(cases, dtype);
    add_random(cases, dtype);
  }
  for (DType dtype : dtypes_of(row, 0, 24)) {
    cases.push_back(OnnxAttention{.dtype = dtype, .past = 3, .causal = true, .cache = true, .mode = 2}.named("dtype"));
    cases.push_back(OnnxAttention{.dtype = dtype, .rank = 3, .softcap = 2, .mode = 3}.named("dtype"));
  }
  return cases;
}

}  // namespace ops

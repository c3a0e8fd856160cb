// Attention: numbers of queries and keys from none to thousands, heads of every size, windows in packed tensors, shared key heads,
// masks of every rank and kind, causal rows that see nothing, softcap.
#include <cmath>

#include "tests/ops/attention_case_lists.h"
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// ai.daybreak.Attention on three tensors of exactly the columns that its heads need, unless they are changed.
struct Attention {
  DType dtype;
  int64_t queries, keys;
  int64_t heads = 2, kv_heads = 2, size = 8, v_size = 8, batch = 2;
  std::vector<dbk::Attribute> more{};
  Operand mask{};

  std::vector<dbk::Attribute> attributes() const {
    std::vector<dbk::Attribute> all{{"heads", heads}, {"kv_heads", kv_heads}, {"head_size", size}, {"v_head_size", v_size}};
    all.push_back({"scale", 1.0 / std::sqrt(static_cast<double>(size))});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  OpCase named(const char* name) const {
    return of(name, tensor(dtype, {batch, queries, heads * size}), tensor(dtype, {batch, keys, kv_heads * size}),
              tensor(dtype, {batch, keys, kv_heads * v_size}));
  }
  OpCase of(const char* name, const Operand& q, const Operand& k, const Operand& v) const {
    std::vector<Operand> operands{q, k, v};
    if (mask.dtype != DBK_DTYPE_NONE) operands.push_back(mask);
    OpCase made(name, operands, attributes());
    for (const dbk::Attribute& a : more)
      if (const auto* value = std::get_if<int64_t>(&a.value)) made.name += " " + a.name + " " + std::to_string(*value);
    return made;
  }
};

void add_sizes(Cases& cases, DType dtype) {
  for (int64_t queries : {1, 2, 7, 8, 9, 31, 33, 65}) cases.push_back(Attention{dtype, queries, 13}.named("queries"));
  for (int64_t keys : {1, 2, 3, 4, 5, 63, 64, 65, 127, 129, 257, 1021}) cases.push_back(Attention{dtype, 5, keys}.named("keys"));
  for (int64_t size : {1, 2, 3, 4, 5, 20, 32, 33, 64, 127, 129, 132}) cases.push_back(Attention{dtype, 9, 11, 2, 2, size, size}.named("head size"));
  for (int64_t v_size : {1, 4, 12, 63, 64, 65, 68, 129}) cases.push_back(Attention{dtype, 9, 11, 2, 2, 8, v_size}.named("value size"));
  if (dtype == DBK_F32) {  // in f16 software adapters take several times as long to compile them
    for (int64_t size : {128, 300}) cases.push_back(Attention{dtype, 9, 11, 2, 2, size, size}.named("head size"));
    cases.push_back(Attention{dtype, 9, 11, 2, 2, 8, 260}.named("value size"));
  }
  cases.push_back(Attention{dtype, 0, 5}.named("no queries"));
  cases.push_back(Attention{dtype, 5, 0}.named("no keys"));
  cases.push_back(Attention{dtype, 3, 5, 2, 2, 4, 4, 0}.named("no batch"));
  cases.push_back(Attention{dtype, 1, 3, 1, 1, 4, 4, 70001}.named("many batches"));
  cases.push_back(Attention{dtype, 130, 2049, 1, 1, 32, 32, 1}.named("long"));
  for (int64_t shared : {1, 2, 3, 6}) cases.push_back(Attention{dtype, 5, 7, 6, shared, 4, 8}.named("shared key heads"));
}

// Scores enough for the way of lines on software adapters (attention_line.h): tiles of queries and chunks of keys that are not full, heads
// that its programs take and some that they do not, masks of rows and of all, rows that see nothing.
void add_many_scores(Cases& cases, DType dtype) {
  constexpr int64_t queries = 255, keys = 259;
  const Attention plain{dtype, queries, keys};
  cases.push_back(plain.named("many scores"));
  cases.push_back(Attention{dtype, 512, 257, 1, 1, 64, 64}.named("many scores"));
  cases.push_back(Attention{dtype, 9, 29131, 1, 1, 4, 4, 1}.named("many scores"));
  cases.push_back(Attention{dtype, 16385, 16, 1, 1, 4, 4, 1}.named("many scores"));
  for (const auto& [size, v_size] : {std::array<int64_t, 2>{12, 68}, {72, 4}, {132, 8}, {8, 5}})
    cases.push_back(Attention{dtype, queries, keys, 4, 2, size, v_size, 1}.named("many scores"));
  Attention varied = plain;
  for (const Shape& shape : std::vector<Shape>{{keys}, {queries, keys}, {2, 1, 1, keys}, {2, 2, queries, keys}}) {
    varied.mask = tensor(dtype, shape).within(-8, 8);
    cases.push_back(varied.named("many scores, added"));
    varied.mask = list(DBK_BOOL, shape, {1, 0, 1, 1, 0, 1, 1});
    cases.push_back(varied.named("many scores, kept"));
  }
  varied.more = {{"softcap", 2.5}, {"causal", int64_t{1}}};
  cases.push_back(varied.named("many scores"));
  for (int64_t zero : {0, 1}) {
    Attention unseen = plain;
    unseen.more = {{"masked_rows_zero", zero}};
    std::vector<double> rows(static_cast<size_t>(queries * keys), 0.0);
    std::fill_n(rows.begin() + 100 * keys, 3 * keys + 70, -kInf);
    unseen.mask = reals(dtype, {queries, keys}, rows);
    cases.push_back(unseen.named("many scores, unseen"));
  }
  const Operand packed = tensor(dtype, {2, 257, 48});
  Attention windows{dtype, 257, 257};
  windows.more = {{"q_first", int64_t{16}}, {"k_first", int64_t{32}}, {"v_first", int64_t{0}}};
  cases.push_back(windows.of("many scores, packed", packed, packed, packed));
}

// Few rows and many keys, which hardware cuts in parts: numbers of keys around those of a part, rows that see nothing of a part or of any.
void add_few_rows(Cases& cases, DType dtype) {
  for (int64_t keys : {511, 512, 513, 767, 1024, 1500}) cases.push_back(Attention{dtype, 1, keys}.named("one row"));
  cases.push_back(Attention{dtype, 8, 600, 3, 1, 5, 7}.named("few rows"));
  cases.push_back(Attention{dtype, 3, 700, 2, 2, 132, 132}.named("few rows"));
  cases.push_back(Attention{dtype, 2, 100003, 1, 1, 4, 4, 1}.named("few rows"));
  cases.push_back(Attention{dtype, 1, 520, 70, 70, 4, 4, 61}.named("many heads"));
  for (int64_t zero : {0, 1}) {
    Attention a{dtype, 3, 700};
    a.more = {{"masked_rows_zero", zero}, {"causal", int64_t{1}}};
    cases.push_back(a.named("few rows"));
    a.more = {{"masked_rows_zero", zero}};
    std::vector<double> rows(3 * 700, 0.0);
    std::fill_n(rows.begin() + 700, 1000, -kInf);
    a.mask = reals(dtype, {3, 700}, rows);
    cases.push_back(a.named("few rows"));
  }
  Attention masked{dtype, 5, 900};
  masked.more = {{"softcap", 2.5}};
  masked.mask = list(DBK_BOOL, {2, 1, 5, 900}, {1, 0, 1, 1, 0, 1, 1});
  cases.push_back(masked.named("few rows"));
}

void add_windows(Cases& cases, DType dtype) {
  const auto window = [&](int64_t q, int64_t k, int64_t v, int64_t size) {
    Attention a{dtype, 9, 9, 3, 3, size, size};
    a.more = {{"q_first", q}, {"k_first", k}, {"v_first", v}};
    return a;
  };
  // One packed tensor is three operands of the same value; here three tensors of equal shape.
  const Operand packed = tensor(dtype, {2, 9, 72});
  cases.push_back(window(0, 24, 48, 8).of("packed", packed, packed, packed));
  cases.push_back(window(48, 0, 24, 8).of("packed", packed, packed, packed));
  const Operand odd = tensor(dtype, {2, 9, 67});
  cases.push_back(window(1, 22, 46, 7).of("packed", odd, odd, odd));
  cases.push_back(window(3, 4, 43, 8).of("packed", odd, odd, odd));
  cases.push_back(window(2, 0, 4, 4).of("windows", tensor(dtype, {2, 9, 16}), tensor(dtype, {2, 9, 12}), tensor(dtype, {2, 9, 20})));
  const Attention plain{dtype, 5, 7};
  for (const auto& [q, k, v] : {std::array<int64_t, 3>{3, 1, 1}, {1, 3, 3}, {1, 1, 3}, {3, 3, 1}})
    cases.push_back(plain.of("batches broadcast", tensor(dtype, {q, 5, 16}), tensor(dtype, {k, 7, 16}), tensor(dtype, {v, 7, 16})));
  for (Layout layout : {Layout::Unaligned, Layout::Transposed, Layout::Sliced, Layout::Reversed})
    cases.push_back(plain.of("layout", tensor(dtype, {2, 5, 16}).in(layout), tensor(dtype, {2, 7, 16}), tensor(dtype, {2, 7, 16}).in(layout)));
  cases.push_back(plain.of("weights", tensor(dtype, {2, 5, 16}), tensor(dtype, {2, 7, 16}).as(Origin::Param), tensor(dtype, {2, 7, 16}).as(Origin::Const)));
}

// Heads in an axis of their own: of all operands, or of some.
void add_own_axes(Cases& cases, DType dtype) {
  const Operand q = tensor(dtype, {2, 4, 37, 8}), k = tensor(dtype, {2, 2, 70, 8}), v = tensor(dtype, {2, 2, 70, 5});
  const Attention a{dtype, 37, 70, 4, 2, 8, 5};
  cases.push_back(a.of("own axes", q, k, v));
  cases.push_back(a.of("own axes", q, k, tensor(dtype, {2, 70, 10})));
  cases.push_back(a.of("own axes", tensor(dtype, {2, 37, 32}), k, v));
  cases.push_back(a.of("own axes, batches broadcast", q, tensor(dtype, {1, 2, 70, 8}), v));
  cases.push_back(a.of("own axes, layout", q.in(Layout::Transposed), k.in(Layout::Unaligned), v.in(Layout::Sliced)));
}

void add_masks(Cases& cases, DType dtype) {
  Attention a{dtype, 9, 37};
  const std::vector<Shape> shapes{{}, {37}, {1, 37}, {9, 37}, {9, 1}, {2, 1, 1, 37}, {1, 2, 9, 37}, {2, 2, 9, 37}, {2, 1, 9, 1}, {2, 9, 37}};
  for (const Shape& shape : shapes) {
    a.mask = tensor(dtype, shape).within(-8, 8);
    cases.push_back(a.named("added"));
    a.mask = list(DBK_BOOL, shape, {1, 0, 1, 1, 0, 1, 1});
    cases.push_back(a.named("kept"));
  }
  a.mask = tensor(DBK_F32, {9, 37}).within(-8, 8);
  cases.push_back(a.named("f32 mask"));
  a.batch = 1;
  a.mask = tensor(dtype, {3, 1, 1, 37}).within(-8, 8);
  cases.push_back(a.named("the mask's batch"));
}

// Rows that see everything, something or nothing; the numbers that exporters write for minus infinity.
void add_unseen(Cases& cases, DType dtype) {
  const double least = dtype == DBK_F16 ? -65504 : -3.4028234e38;
  for (int64_t zero : {0, 1}) {
    Attention a{dtype, 3, 9};
    a.more = {{"masked_rows_zero", zero}};
    std::vector<double> rows(27, 0.0);
    std::fill_n(rows.begin() + 9, 9, -kInf);
    for (size_t i = 18; i < 24; ++i) rows[i] = -kInf;
    a.mask = reals(dtype, {3, 9}, rows);
    cases.push_back(a.named("minus infinity"));
    a.mask = list(DBK_BOOL, {3, 9}, {1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0});
    cases.push_back(a.named("kept none"));
    for (const double score : {least, -1e4, 0.5}) {
      a.more = {{"masked_rows_zero", zero}, {"masked_score", score}};
      cases.push_back(a.named("another score"));
    }
    a.more = {{"masked_rows_zero", zero}};
    for (double& x : rows) x = x < 0 ? -1e4 : x;
    a.mask = reals(dtype, {3, 9}, rows);
    cases.push_back(a.named("ten thousand"));
    for (double& x : rows) x = x < 0 ? least : x;
    a.mask = reals(dtype, {3, 9}, rows);
    cases.push_back(a.named("least number"));
    for (const auto& [queries, keys] : {std::pair{9, 9}, {5, 12}, {12, 5}, {1, 33}, {40, 300}, {70, 70}}) {
      Attention causal{dtype, queries, keys};
      causal.more = {{"causal", int64_t{1}}, {"masked_rows_zero", zero}};
      cases.push_back(causal.named("causal"));
    }
  }
  Attention both{dtype, 9, 12};
  both.more = {{"causal", int64_t{1}}};
  both.mask = tensor(dtype, {9, 12}).within(-8, 8);
  cases.push_back(both.named("causal and mask"));
}

void add_numbers(Cases& cases, DType dtype) {
  Attention a{dtype, 9, 37};
  a.more = {{"softcap", 2.5}};
  cases.push_back(a.named("softcap"));
  a.mask = reals(dtype, {9, 37}, {0, -kInf, 1});
  cases.push_back(a.named("softcap and mask"));
  const auto shapes = [&](Operand q, Operand k, Operand v) { return Attention{dtype, 3, 5}.of("numbers", q, k, v); };
  const Shape q_shape{2, 3, 16}, k_shape{2, 5, 16};
  cases.push_back(shapes(tensor(dtype, q_shape).within(-30, 30), tensor(dtype, k_shape).within(-30, 30), tensor(dtype, k_shape)));
  cases.push_back(shapes(tensor(dtype, q_shape), reals(dtype, k_shape, {1, 2, std::numeric_limits<double>::quiet_NaN(), 3}), tensor(dtype, k_shape)));
  cases.push_back(shapes(reals(dtype, q_shape, {1, kInf, 2, 3, 4}), tensor(dtype, k_shape).within(1, 2), tensor(dtype, k_shape)));
  cases.push_back(shapes(reals(dtype, q_shape, {0}), tensor(dtype, k_shape), tensor(dtype, k_shape).within(100, 101)));
}

}  // namespace

Cases attention_cases(const dbk::OpRow& row) {
  if (row.id == "attention") return onnx_attention_cases(row);
  if (row.id == "multi_head_attention") return multi_head_attention_cases(row);
  if (row.id == "packed_attention") return packed_attention_cases(row);
  Cases cases;
  for (DType dtype : gpu_dtypes_of(row)) {
    add_sizes(cases, dtype);
    if (dtype == DBK_F32) add_many_scores(cases, dtype);
    add_few_rows(cases, dtype);
    add_windows(cases, dtype);
    add_own_axes(cases, dtype);
    add_masks(cases, dtype);
    add_unseen(cases, dtype);
  }
  for (DType dtype : dtypes_of(row, 0)) {
    cases.push_back(Attention{dtype, 5, 7}.named("dtype"));
    add_numbers(cases, dtype);
  }
  return cases;
}

}  // namespace ops

// Rotary embeddings of both domains: heads in an axis of their own and side by side, pairs of both kinds, a part of the columns,
// positions listed, counted from a first one, or one row of the caches for each token; two operands at once. Positions out of range are tested with whole
// graphs (tests/graphs).
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

enum class Position : uint8_t { Own, Listed, FromFirst };

struct Rotary {
  DType dtype;
  bool microsoft;
  int64_t rank = 4, batch = 2, heads = 3, tokens = 5, size = 8, width = 0;
  bool interleaved = false;
  Position position = Position::Listed;

  OpCase named(const char* name) const {
    constexpr int64_t kRows = 50;
    const int64_t half = (width ? width : size) / 2;
    const Operand x = tensor(dtype, rank == 4 ? Shape{batch, heads, tokens, size} : Shape{batch, tokens, heads * size});
    const Operand cache = tensor(dtype, position == Position::Own ? Shape{batch, tokens, half} : Shape{kRows, half}).within(-1, 1);
    const Operand at = position == Position::FromFirst ? list(DBK_I64, {1}, {7}) : tensor(DBK_I64, {batch, tokens}).within(0, kRows - 1);
    std::vector<Operand> in = microsoft ? std::vector{x, at, cache, cache} : std::vector{x, cache, cache, at};
    if (position == Position::Own) in.pop_back();
    std::vector<dbk::Attribute> attrs{{"interleaved", int64_t{interleaved}}, {"rotary_embedding_dim", width}};
    if (rank == 3) attrs.push_back({"num_heads", heads});
    OpCase made(std::format("{} width {} interleaved {} {}", name, width, int{interleaved}, describe(in)), in, attrs);
    return microsoft ? made : made.with_opset(23);
  }
};

void add_all(Cases& cases, DType dtype, bool microsoft) {
  const std::vector<Position> kinds = microsoft ? std::vector{Position::Listed, Position::FromFirst} : std::vector{Position::Listed, Position::Own};
  for (Position position : kinds)
    for (bool interleaved : {false, true})
      for (int64_t rank : {3, 4}) {
        const Rotary plain{.dtype = dtype, .microsoft = microsoft, .rank = rank, .interleaved = interleaved, .position = position};
        cases.push_back(plain.named("plain"));
        for (int64_t size : {2, 6, 20, 64, 130}) {
          Rotary r = plain;
          r.size = size;
          cases.push_back(r.named("size"));
          r.width = size > 4 ? 4 : 2, r.heads = 1;
          cases.push_back(r.named("part"));
        }
        Rotary r = plain;
        r.tokens = 33, r.batch = 3, r.heads = 7;
        cases.push_back(r.named("large"));
        r.tokens = 0;
        cases.push_back(r.named("no tokens"));
        r.tokens = 1, r.batch = 0;
        cases.push_back(r.named("no batch"));
        r.batch = r.heads = 1;
        cases.push_back(r.named("one token"));
      }
}

// Queries, and keys with fewer heads beside them or none.
struct Heads {
  DType dtype;
  bool keys = true, side_by_side = false, whole_rows = false, interleaved = false;
  int64_t batch = 2, heads = 4, kv_heads = 2, tokens = 5, size = 16, width = 0;
  Shape table{};  // of rows without positions; else of as many as `positions` says
  Position position = Position::Own;

  OpCase named(const char* name) const {
    constexpr int64_t kRows = 50;
    const auto operand = [&](int64_t count) {
      return tensor(dtype, side_by_side ? Shape{batch, tokens, count * size} : Shape{batch, count, tokens, size});
    };
    const int64_t columns = (width ? width : size) / (whole_rows ? 1 : 2);
    Shape shape = table.rank() > 0 ? table : Shape{batch, tokens, 0};
    shape[shape.rank() - 1] = columns;
    const Operand rows = tensor(dtype, position == Position::Own ? shape : Shape{kRows, columns}).within(-1, 1);
    std::vector<Operand> in{operand(heads), keys ? operand(kv_heads) : absent, rows, rows};
    if (position == Position::Listed) in.push_back(tensor(DBK_I64, {batch, tokens}).within(0, kRows - 1));
    if (position == Position::FromFirst) in.push_back(list(DBK_I64, {1}, {7}));
    const std::vector<dbk::Attribute> attrs{{"num_heads", side_by_side ? heads : 0}, {"kv_num_heads", side_by_side ? kv_heads : 0},
                                            {"rotary_embedding_dim", width}, {"interleaved", int64_t{interleaved}}, {"whole_rows", int64_t{whole_rows}}};
    const OpCase made(std::format("{} width {} interleaved {} whole {} {}", name, width, int{interleaved}, int{whole_rows}, describe(in)), in, attrs);
    return OpCase(made).wanting(std::vector<bool>(keys ? 2 : 1, true));
  }
};

void add_heads(Cases& cases, DType dtype) {
  for (int form = 0; form < 8; ++form) {
    Heads plain{.dtype = dtype, .side_by_side = (form & 1) != 0, .whole_rows = (form & 2) != 0, .interleaved = (form & 4) != 0};
    for (int64_t size : {2, 6, 16, 20, 64, 130}) {
      Heads h = plain;
      h.size = size;
      cases.push_back(h.named("size"));
      h.width = size > 16 ? 16 : size > 6 ? 8 : 2, h.keys = size % 4 != 0;
      cases.push_back(h.named("part"));
    }
    for (Position position : {Position::Listed, Position::FromFirst}) {
      Heads h = plain;
      h.position = position;
      cases.push_back(h.named("positions"));
    }
    for (const Shape& table : {Shape{0}, Shape{5, 0}, Shape{1, 0}, Shape{1, 5, 0}, Shape{2, 1, 0}, Shape{1, 1, 0}}) {
      Heads h = plain;
      h.table = table;
      cases.push_back(h.named("rows that broadcast"));
    }
    Heads h = plain;
    h.tokens = 33, h.batch = 3, h.heads = 7, h.kv_heads = 1;
    cases.push_back(h.named("large"));
    h.tokens = 0;
    cases.push_back(h.named("no tokens"));
  }
}

}  // namespace

Cases rotary_embedding_cases(const dbk::OpRow& row) {
  Cases cases;
  if (row.id == "rotary_heads") {
    for (DType dtype : gpu_dtypes_of(row, 0)) add_heads(cases, dtype);
    for (DType dtype : dtypes_of(row, 0)) cases.push_back(Heads{.dtype = dtype, .whole_rows = true}.named("dtype"));
    return cases;
  }
  const bool microsoft = !row.domain.empty();
  const uint32_t opset = microsoft ? 1 : 23;
  for (DType dtype : gpu_dtypes_of(row, 0, opset)) add_all(cases, dtype, microsoft);
  for (DType dtype : dtypes_of(row, 0, opset)) {
    cases.push_back(Rotary{.dtype = dtype, .microsoft = microsoft}.named("dtype"));
    cases.push_back(Rotary{.dtype = dtype, .microsoft = microsoft, .rank = 3, .width = 4, .interleaved = true}.named("dtype"));
  }
  return cases;
}

}  // namespace ops

// Rotary embeddings of both domains: heads in an axis of their own and side by side, pairs of both kinds, a part of the columns,
// positions listed, counted from a first one, or one row of the caches for each token. Positions out of range are tested with whole
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

}  // namespace

Cases rotary_embedding_cases(const dbk::OpRow& row) {
  Cases cases;
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

#include "host_fallback/rotary_geometry.h"

#include "host_fallback/parallel.h"

namespace dbk {

namespace {

// Heads of the input; 0 for `heads` and `size` where they are not given.
void read_heads(const Shape& x, int64_t heads, int64_t size, Rotary& r) {
  if (x.rank() != 3 && x.rank() != 4) fail(DBK_INVALID_ARGUMENT, "the input has 3 axes or 4, not {}", to_string(x));
  r.batch = x[0];
  r.heads_first = x.rank() == 4;
  if (r.heads_first) {
    r.heads = x[1], r.tokens = x[2], r.size = x[3];
    return;
  }
  if (heads < 0) fail(DBK_INVALID_ARGUMENT, "num_heads is {}", heads);
  if (heads == 0 && size <= 0) fail(DBK_INVALID_ARGUMENT, "num_heads is {}, but an input of shape {} has none of its own", heads, to_string(x));
  r.heads = heads > 0 ? heads : x[2] / size;
  if (r.heads == 0 || x[2] % r.heads != 0) fail(DBK_INVALID_ARGUMENT, "num_heads is {}: an input of shape {} cannot be cut in {} heads", heads, to_string(x), r.heads);
  r.tokens = x[1], r.size = x[2] / r.heads;
}

void read_width(const Attributes& attrs, Rotary& r) {
  const int64_t given = attrs.integer_or("rotary_embedding_dim", 0);
  r.width = given != 0 ? given : r.size;
  r.interleaved = attrs.integer_or("interleaved", 0) != 0;
  if (r.width < 0 || r.width > r.size || r.width % 2 != 0)
    fail(DBK_INVALID_ARGUMENT, "rotary_embedding_dim is {}: {} of {} columns cannot be turned in pairs", given, r.width, r.size);
}

void check_tables(const OperandTypes& in, const Rotary& r) {
  for (size_t i : {r.cosine, r.sine})
    if (in.dtype(i) != in.dtype(r.x)) fail(DBK_INVALID_ARGUMENT, "caches of {} for an input of {}", to_string(in.dtype(i)), to_string(in.dtype(r.x)));
}

void check_caches(const OperandTypes& in, Rotary& r) {
  const Shape &cosine = in.shape(r.cosine), &sine = in.shape(r.sine);
  const bool own = r.position == Rotary::Position::Own;
  const bool fits = own ? cosine == Shape{r.batch, r.tokens, r.row_size()} : cosine.rank() == 2 && cosine[1] == r.row_size();
  if (!fits || sine != cosine)
    fail(DBK_INVALID_ARGUMENT, "caches of shapes {} and {} are not {}", to_string(cosine), to_string(sine),
         own ? to_string(Shape{r.batch, r.tokens, r.row_size()}) : std::format("[positions, {}]", r.row_size()));
  r.cache_rows = own ? r.batch * r.tokens : cosine[0];
  r.batch_rows = r.tokens, r.token_rows = 1;
  check_tables(in, r);
}

// Rows that broadcast to [batch, tokens, columns].
void check_rows(const OperandTypes& in, Rotary& r) {
  const Shape &cosine = in.shape(r.cosine), &sine = in.shape(r.sine), whole{r.batch, r.tokens, r.row_size()};
  const uint32_t rank = cosine.rank();
  if (rank == 0 || rank > 3 || cosine[rank - 1] != r.row_size() || broadcast(cosine, whole) != whole || sine != cosine)
    fail(DBK_INVALID_ARGUMENT, "tables of shapes {} and {} do not broadcast to {}", to_string(cosine), to_string(sine), to_string(whole));
  const int64_t tokens = rank > 1 ? cosine[rank - 2] : 1, batches = rank > 2 ? cosine[0] : 1;
  r.cache_rows = batches * tokens;
  r.batch_rows = batches == 1 ? 0 : tokens, r.token_rows = tokens == 1 ? 0 : 1;
  check_tables(in, r);
}

Rotary onnx_rotary(const Attributes& attrs, const OperandTypes& in) {
  Rotary r{.cosine = 1, .sine = 2, .positions = 3};
  if (in.has(r.positions)) r.position = Rotary::Position::Listed;
  read_heads(in.shape(0), attrs.integer_or("num_heads", 0), 0, r);
  read_width(attrs, r);
  check_caches(in, r);
  return r;
}

Rotary microsoft_rotary(const Attributes& attrs, const OperandTypes& in) {
  Rotary r{.cosine = 2, .sine = 3, .positions = 1};
  if (const int64_t packed = attrs.integer_or("is_packed_batching", 0)) fail(DBK_UNIMPLEMENTED, "is_packed_batching is {}", packed);
  if (attrs.has("scale") && attrs.real("scale") != 1) fail(DBK_UNIMPLEMENTED, "scale is {}", attrs.real("scale"));
  const Shape& cosine = in.shape(r.cosine);
  const bool whole = attrs.integer_or("rotary_embedding_dim", 0) == 0 && cosine.rank() == 2;
  read_heads(in.shape(0), attrs.integer_or("num_heads", 0), whole ? 2 * cosine[1] : 0, r);
  read_width(attrs, r);
  r.position = in.shape(r.positions) == Shape{1} ? Rotary::Position::FromFirst : Rotary::Position::Listed;
  check_caches(in, r);
  return r;
}

Rotary rotary_heads(const Attributes& attrs, const OperandTypes& in, size_t operand) {
  Rotary r{.x = operand, .cosine = kRotaryCosine, .sine = kRotarySine, .positions = kRotaryPositions};
  r.whole_rows = attrs.integer_or("whole_rows", 0) != 0;
  read_heads(in.shape(r.x), attrs.integer_or(operand == 0 ? "num_heads" : "kv_num_heads", 0), 0, r);
  read_width(attrs, r);
  if (!in.has(r.positions)) return check_rows(in, r), r;
  r.position = in.shape(r.positions).rank() == 1 ? Rotary::Position::FromFirst : Rotary::Position::Listed;
  check_caches(in, r);
  return r;
}

int64_t cache_row(const Rotary& r, const int64_t* positions, int64_t batch, int64_t token) {
  if (r.position == Rotary::Position::Own) return batch * r.batch_rows + token * r.token_rows;
  return r.position == Rotary::Position::Listed ? positions[batch * r.tokens + token] : positions[0] + token;
}

void check_positions(const Rotary& r, const int64_t* positions) {
  for (int64_t b = 0; b < r.batch; ++b)
    for (int64_t t = 0; t < r.tokens; ++t) {
      const int64_t row = cache_row(r, positions, b, t);
      if (row >= 0 && row < r.cache_rows) continue;
      if (r.position == Rotary::Position::Own) fail(DBK_OUT_OF_RANGE, "token {} of batch {} has no row in the caches, which have {}", t, b, r.cache_rows);
      const int64_t place = r.position == Rotary::Position::Listed ? b * r.tokens + t : 0;
      fail(DBK_OUT_OF_RANGE, "position_ids has {} at position {}, which puts token {} of batch {} at {} of {}", positions[place], place, t, b, row,
           r.cache_rows);
    }
}

template <class T>
void turn_heads(const Rotary& r, const int64_t* positions, Compute& c) {
  const T *x = c.in(r.x).as<T>(), *cosine = c.in(r.cosine).as<T>(), *sine = c.in(r.sine).as<T>();
  T* y = c.out(r.x).as<T>();
  parallel_ranges(r.batch * r.heads * r.tokens, grain_of(r.size), [=, &r](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const int64_t token = r.heads_first ? row % r.tokens : row / r.heads % r.tokens;
      const int64_t at = cache_row(r, positions, row / (r.heads * r.tokens), token) * r.row_size();
      turn_head(r, x + row * r.size, cosine + at, sine + at, y + row * r.size);
    }
  });
}

}  // namespace

Rotary rotary_of(std::string_view id, const Attributes& attrs, const OperandTypes& in, size_t operand) {
  const Rotary r = id == "rotary_heads" ? rotary_heads(attrs, in, operand) : id == "rotary_embedding" ? onnx_rotary(attrs, in) : microsoft_rotary(attrs, in);
  const Shape given = r.position == Rotary::Position::Own ? Shape{} : in.shape(r.positions);
  if ((r.position == Rotary::Position::Listed && given != Shape{r.batch, r.tokens}) || (r.position == Rotary::Position::FromFirst && given != Shape{1}))
    fail(DBK_INVALID_ARGUMENT, "position_ids are {}, not {}", to_string(given), to_string(Shape{r.batch, r.tokens}));
  return r;
}

void infer_rotary(std::string_view id, Infer& infer, size_t operands) {
  for (size_t i = 0; i < operands; ++i) {
    if (!infer.has(i)) continue;
    rotary_of(id, infer.attrs(), OperandTypes(infer), i);
    infer.out(i, infer.in(i).dtype, infer.shape(i));
  }
}

void compute_rotary(std::string_view id, Compute& c, size_t operands) {
  for (size_t i = 0; i < operands; ++i) {
    if (!c.has(i) || !c.wants(i)) continue;
    const Rotary r = rotary_of(id, c.attrs(), OperandTypes(c), i);
    const int64_t* positions = r.position == Rotary::Position::Own ? nullptr : c.in(r.positions).as<int64_t>();
    check_positions(r, positions);
    with_type<FLOATS>(c.in(i).type.dtype, [&]<class T>() { turn_heads<T>(r, positions, c); });
  }
}

}  // namespace dbk

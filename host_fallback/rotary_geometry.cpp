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

void check_caches(const OperandTypes& in, Rotary& r) {
  const Shape &cosine = in.shape(r.cosine), &sine = in.shape(r.sine);
  const bool own = r.position == Rotary::Position::Own;
  const bool fits = own ? cosine == Shape{r.batch, r.tokens, r.width / 2} : cosine.rank() == 2 && cosine[1] == r.width / 2;
  if (!fits || sine != cosine)
    fail(DBK_INVALID_ARGUMENT, "caches of shapes {} and {} are not {}", to_string(cosine), to_string(sine),
         own ? to_string(Shape{r.batch, r.tokens, r.width / 2}) : std::format("[positions, {}]", r.width / 2));
  r.cache_rows = own ? r.batch * r.tokens : cosine[0];
  for (size_t i : {r.cosine, r.sine})
    if (in.dtype(i) != in.dtype(0)) fail(DBK_INVALID_ARGUMENT, "caches of {} for an input of {}", to_string(in.dtype(i)), to_string(in.dtype(0)));
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

int64_t cache_row(const Rotary& r, const int64_t* positions, int64_t batch, int64_t token) {
  const int64_t at = batch * r.tokens + token;
  return r.position == Rotary::Position::Own ? at : r.position == Rotary::Position::Listed ? positions[at] : positions[0] + token;
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

}  // namespace

Rotary rotary_of(std::string_view id, const Attributes& attrs, const OperandTypes& in) {
  const Rotary r = id == "rotary_embedding" ? onnx_rotary(attrs, in) : microsoft_rotary(attrs, in);
  if (r.position == Rotary::Position::Listed && in.shape(r.positions) != Shape{r.batch, r.tokens})
    fail(DBK_INVALID_ARGUMENT, "position_ids are {}, not {}", to_string(in.shape(r.positions)), to_string(Shape{r.batch, r.tokens}));
  return r;
}

void infer_rotary(std::string_view id, Infer& infer) {
  rotary_of(id, infer.attrs(), OperandTypes(infer));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

void compute_rotary(std::string_view id, Compute& c) {
  const Rotary r = rotary_of(id, c.attrs(), OperandTypes(c));
  const int64_t* positions = r.position == Rotary::Position::Own ? nullptr : c.in(r.positions).as<int64_t>();
  check_positions(r, positions);
  with_type<FLOATS>(c.in(0).type.dtype, [&]<class T>() {
    const T *x = c.in(0).as<T>(), *cosine = c.in(r.cosine).as<T>(), *sine = c.in(r.sine).as<T>();
    T* y = c.out(0).as<T>();
    parallel_ranges(r.batch * r.heads * r.tokens, grain_of(r.size), [=](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const int64_t token = r.heads_first ? row % r.tokens : row / r.heads % r.tokens;
        const int64_t at = cache_row(r, positions, row / (r.heads * r.tokens), token) * (r.width / 2);
        turn_head(r, x + row * r.size, cosine + at, sine + at, y + row * r.size);
      }
    });
  });
}

}  // namespace dbk

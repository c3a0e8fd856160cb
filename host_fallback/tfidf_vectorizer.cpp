// TfIdfVectorizer of numbers: how often each n-gram of the pool occurs in a row, elements of an n-gram lying up to max_skip_count apart, evenly. Mode
// TF is that count, IDF the column's weight where it is not 0, TFIDF their product.
#include "host_fallback/op.h"

namespace dbk {

namespace {

constexpr int64_t kMostColumns = INT32_MAX;

struct Grams {
  const std::vector<int64_t>&pool, &counts, &columns;
  int64_t shortest, longest, skips, width;

  explicit Grams(const Attributes& attrs)
      : pool(pool_of(attrs)), counts(attrs.integers("ngram_counts")), columns(attrs.integers("ngram_indexes")),
        shortest(attrs.integer("min_gram_length")), longest(attrs.integer("max_gram_length")), skips(attrs.integer("max_skip_count")), width(0) {
    for (int64_t column : columns) width = std::max(width, std::min(column, kMostColumns) + 1);
  }
  // First number of the n-grams of that length, and how many there are.
  int64_t first(int64_t n) const { return counts[static_cast<size_t>(n - 1)]; }
  int64_t count(int64_t n) const {
    const auto last = static_cast<size_t>(n) < counts.size() ? counts[static_cast<size_t>(n)] : static_cast<int64_t>(pool.size());
    return (last - first(n)) / n;
  }

 private:
  static const std::vector<int64_t>& pool_of(const Attributes& attrs) {
    if (!attrs.has("pool_int64s")) fail(DBK_UNIMPLEMENTED, "the pool holds strings");
    return attrs.integers("pool_int64s");
  }
};

void infer(Infer& infer) {
  const Attributes& attrs = infer.attrs();
  const Grams g(attrs);
  const std::string& mode = attrs.text("mode");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") fail(DBK_INVALID_ARGUMENT, "mode is '{}', not 'TF', 'IDF' or 'TFIDF'", mode);
  if (g.shortest < 1 || g.longest < g.shortest || g.skips < 0)
    fail(DBK_INVALID_ARGUMENT, "min_gram_length is {}, max_gram_length {}, max_skip_count {}", g.shortest, g.longest, g.skips);
  int64_t grams = 0, start = 0;
  for (size_t n = 1; n <= g.counts.size(); ++n) {
    if (g.first(static_cast<int64_t>(n)) < start || g.first(static_cast<int64_t>(n)) > static_cast<int64_t>(g.pool.size()))
      fail(DBK_INVALID_ARGUMENT, "ngram_counts has {} for a pool of {}", g.first(static_cast<int64_t>(n)), g.pool.size());
    start = g.first(static_cast<int64_t>(n));
    grams += g.count(static_cast<int64_t>(n));
  }
  if (grams != static_cast<int64_t>(g.columns.size())) fail(DBK_INVALID_ARGUMENT, "ngram_indexes has {} numbers for the {} n-grams in the {} of pool_int64s", g.columns.size(), grams, g.pool.size());
  for (int64_t column : g.columns)
    if (column < 0 || column >= kMostColumns) fail(DBK_INVALID_ARGUMENT, "ngram_indexes has {}", column);
  if (attrs.has("weights") && std::cmp_less(attrs.reals("weights").size(), g.width))
    fail(DBK_INVALID_ARGUMENT, "ngram_indexes has {}, and weights {} numbers", g.width - 1, attrs.reals("weights").size());
  const Shape& x = infer.shape(0);
  if (x.rank() < 1 || x.rank() > 2) fail(DBK_INVALID_ARGUMENT, "the input has shape {}, not one axis or two", to_string(x));
  infer.out(0, DBK_F32, x.rank() == 1 ? Shape{g.width} : Shape{x[0], g.width});
}

// Adds 1 to the column of every n-gram that stands at a place of the row.
template <class T>
void count_row(const Grams& g, const T* row, int64_t length, float* out) {
  int64_t id = 0;
  for (int64_t n = 1; std::cmp_less_equal(n, g.counts.size()); id += g.count(n), ++n) {
    if (n < g.shortest || n > g.longest) continue;
    for (int64_t step = 1; step <= (n == 1 ? 1 : g.skips + 1); ++step)
      for (int64_t start = 0; start + (n - 1) * step < length; ++start)
        for (int64_t k = 0; k < g.count(n); ++k) {
          const int64_t* gram = g.pool.data() + g.first(n) + k * n;
          int64_t i = 0;
          while (i < n && gram[i] == static_cast<int64_t>(row[start + i * step])) ++i;
          if (i == n) out[g.columns[static_cast<size_t>(id + k)]] += 1;
        }
  }
}

void compute(Compute& c) {
  const Grams g(c.attrs());
  const std::string& mode = c.attrs().text("mode");
  const bool weighted = mode != "TF" && c.attrs().has("weights");
  const Shape& x = c.in(0).shape();
  const int64_t length = x[x.rank() - 1], rows = x.rank() == 1 ? 1 : x[0];
  float* out = c.out(0).as<float>();
  std::fill_n(out, rows * g.width, 0.0f);
  with_type<I32 | I64>(c.in(0).type.dtype, [&]<class T>() {
    for (int64_t row = 0; row < rows; ++row) count_row(g, c.in(0).as<T>() + row * length, length, out + row * g.width);
  });
  for (int64_t i = 0; i < rows * g.width && mode != "TF"; ++i) {
    const float weight = weighted ? static_cast<float>(c.attrs().reals("weights")[static_cast<size_t>(i % g.width)]) : 1;
    out[i] = weight * (mode == "IDF" ? (out[i] > 0 ? 1.0f : 0.0f) : out[i]);
  }
}

}  // namespace

extern constinit const HostOp host_tfidf_vectorizer{I32 | I64, 0, infer, compute};

}  // namespace dbk

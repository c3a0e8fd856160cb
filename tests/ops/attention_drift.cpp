#include "tests/ops/attention_drift.h"

#include <algorithm>
#include <cmath>

#include "tests/ops/sum_drift.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::AttentionGeometry;
using dbk::AttentionMask;
using dbk::AttentionOperand;
using dbk::ScoreStage;

struct Rows {  // of one query row
  std::vector<double> score, error, weight;
  std::vector<double> kept;  // the error of what is kept of the scores
};

class AttentionDrift {
 public:
  AttentionDrift(const AttentionGeometry& g, std::span<const dbk::HostTensor> inputs, std::vector<Expected>& expected)
      : g_(g), expected_(expected), y_(numbers(expected[g.roles.y].exact)) {
    const auto there = [&](size_t i) { return i < inputs.size() && inputs[i].type.dtype != DBK_DTYPE_NONE; };
    const auto read = [&](size_t i) { return there(i) ? numbers(inputs[i]) : std::vector<double>(); };
    q_ = read(g.roles.q), k_ = read(g.roles.k), v_ = read(g.roles.v), past_k_ = read(g.roles.past_k), past_v_ = read(g.roles.past_v);
    lengths_ = read(g.roles.lengths);
    const dbk::DType dtype = inputs[g.roles.q].type.dtype;
    unit_ = dtype == DBK_F16 ? 0x1p13 : dtype == DBK_BF16 ? 0x1p16 : 1;
    if (there(g.roles.bias)) add_bias(read(g.roles.bias));
    for (size_t i = 0; i < g.mask_count; ++i)
      masks_.push_back(read(g.masks[i].input)), kinds_.push_back(inputs[g.masks[i].input].type.dtype);
  }

  void add() {
    const bool keeps = g_.roles.scores < expected_.size() && expected_[g_.roles.scores].exact.type.dtype != DBK_DTYPE_NONE;
    std::vector<double>&drift = expected_[g_.roles.y].drift, none;
    std::vector<double>& kept = keeps ? expected_[g_.roles.scores].drift : none;
    drift.assign(y_.size(), 0);
    for (int64_t b = 0; b < g_.batch; ++b)
      for (int64_t h = 0; h < g_.heads; ++h)
        for (int64_t row = 0; row < g_.queries; ++row) {
          const Rows rows = weights_of(b, h, row);
          for (int64_t c = 0; c < g_.v_head_size; ++c) drift[at(g_.y, b, h, row) + static_cast<size_t>(c)] = of_column(rows, b, h, row, c);
          if (keeps) kept.insert(kept.end(), rows.kept.begin(), rows.kept.end());
        }
  }

 private:
  // Operands are rows of as many elements as their part of the bias. The rounding of the sum is one more of every term.
  void add_bias(const std::vector<double>& bias) {
    size_t first = 0;
    const int64_t columns[] = {g_.heads * g_.head_size, g_.heads * g_.head_size, g_.heads * g_.v_head_size};
    for (size_t i = 0; std::vector<double>* x : {&q_, &k_, &v_}) {
      const auto width = static_cast<size_t>(columns[i++]);
      for (size_t at = 0; at < x->size(); ++at) (*x)[at] += bias[first + at % width];
      first += width;
    }
    biased_ = true;
  }

  static size_t at(const AttentionOperand& o, int64_t b, int64_t h, int64_t row) {
    return static_cast<size_t>(o.first + b * o.batch + h * o.head + row * o.row);
  }
  // Elements of row `key` of keys or values.
  const double* row_of(const std::vector<double>& past, const AttentionOperand& past_at, const std::vector<double>& given,
                       const AttentionOperand& given_at, int64_t b, int64_t h, int64_t key) const {
    return key < g_.past ? past.data() + at(past_at, b, h / g_.group(), key)
                         : given.data() + at(given_at, b, h / g_.group(), key - g_.past);
  }

  double mask_of(size_t i, int64_t b, int64_t h, int64_t row, int64_t key) const {
    const AttentionMask& m = g_.masks[i];
    if (key >= m.keys) return -kInfinity;
    const double x = masks_[i][static_cast<size_t>(b * m.batch + h * m.head + row * m.row + key * m.key)];
    if (kinds_[i] == DBK_BOOL) return x != 0 ? 0 : g_.filter;
    return kinds_[i] != DBK_I32 ? x : x != 0 ? 0 : g_.filter;
  }

  void cap(double& x, double& error) const {
    if (g_.softcap != 0 && x != -kInfinity) x = g_.softcap * std::tanh(x / g_.softcap), error += kCapSteps * std::fabs(x);
  }

  // The score of a key, and its error before anything is subtracted.
  void score(int64_t b, int64_t h, int64_t row, int64_t key, int64_t seen, Rows& rows) const {
    double dot = 0, squares = 0, sizes = 0;
    const double *q = q_.data() + at(g_.q, b, h, row), *k = row_of(past_k_, g_.past_k, k_, g_.k, b, h, key);
    for (int64_t i = 0; i < g_.head_size; ++i) {
      const double term = q[i] * k[i];
      dot += term, squares += term * term, sizes += std::fabs(term);
    }
    double x = g_.scale * dot;
    double error = std::fabs(g_.scale) * chain(static_cast<double>(g_.head_size)) * std::max(std::fabs(dot), std::sqrt(squares)) + std::fabs(x);
    if (biased_) error += rounding_of_bias() * std::fabs(g_.scale) * sizes;
    rows.kept.push_back(error);
    const auto keep = [&](ScoreStage stage) {
      if (g_.stage == stage) rows.kept.back() = x == -kInfinity ? 0 : error;
    };
    if (!g_.cap_follows_mask) cap(x, error);
    for (size_t i = 0; i < masks_.size(); ++i)
      if (const double mask = mask_of(i, b, h, row, key); mask != 0) {
        const bool instead = kinds_[i] == DBK_BOOL;
        x = instead ? mask : x + mask, error = (instead ? 0 : error) + std::fabs(x);
      }
    if (key >= seen) x = -kInfinity;
    keep(ScoreStage::Masked);
    if (g_.cap_follows_mask) cap(x, error);
    keep(ScoreStage::Capped);
    rows.score.push_back(x);
    rows.error.push_back(error);
  }

  Rows weights_of(int64_t b, int64_t h, int64_t row) const {
    Rows rows;
    const int64_t length = lengths_.empty() ? g_.keys : static_cast<int64_t>(lengths_[static_cast<size_t>(b)]);
    const int64_t seen = visible_keys(g_, row, length);
    for (int64_t key = 0; key < g_.keys; ++key) score(b, h, row, key, seen, rows);
    double top = -kInfinity, total = 0;
    for (double x : rows.score) top = std::max(top, x);
    for (double x : rows.score) rows.weight.push_back(std::exp(x - top)), total += rows.weight.back();
    for (double& w : rows.weight) w /= total;
    // Each larger score that comes later rescales what was summed: at most so often, whatever the blocks.
    std::vector<double> rescaled(rows.score.size() + 1);
    double high = -kInfinity;
    std::vector<bool> record;
    for (double x : rows.score) record.push_back(x > high), high = std::max(high, x);
    for (size_t t = rows.score.size(); t-- > 0;) {
      rescaled[t] = rescaled[t + 1] + (record[t] ? 1 : 0);
      rows.error[t] += std::fabs(rows.score[t] - top) + kExp + (kExp + 1) * rescaled[t];
    }
    if (g_.stage == ScoreStage::Weights) keep_weights(rows);
    return rows;
  }

  static void keep_weights(Rows& rows) {
    double of_total = chain(static_cast<double>(rows.weight.size()));
    for (size_t t = 0; t < rows.weight.size(); ++t)
      if (rows.weight[t] > 0) of_total += rows.weight[t] * rows.error[t];
    for (size_t t = 0; t < rows.weight.size(); ++t)
      rows.kept[t] = rows.weight[t] > 0 ? rows.weight[t] * (rows.error[t] + of_total + 2) : 0;
  }

  double of_column(const Rows& rows, int64_t b, int64_t h, int64_t row, int64_t column) const {
    const double y = std::fabs(y_[at(g_.y, b, h, row) + static_cast<size_t>(column)]);
    double drift = 0, squares = 0, terms = 0;
    for (size_t t = 0; t < rows.weight.size(); ++t) {
      if (rows.weight[t] == 0 || rows.score[t] == -kInfinity) continue;
      const double v = row_of(past_v_, g_.past_v, v_, g_.v, b, h, static_cast<int64_t>(t))[column];
      drift += rows.weight[t] * (std::fabs(v) + y) * rows.error[t];
      squares += rows.weight[t] * rows.weight[t] * v * v;
      if (biased_) drift += rounding_of_bias() / 2 * rows.weight[t] * std::fabs(v);
      ++terms;
    }
    return drift + chain(2 * terms) * (std::max(y, std::sqrt(squares)) + y);
  }

  // Of both factors of a product, in units of f32's: operands are rounded to their own type once the bias is added.
  double rounding_of_bias() const { return 2 * unit_; }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kExp = 1.8;       // of an exponential, as in the row of Exp
  static constexpr double kCapSteps = 7;    // tanh 3.4, division 2.5, product 1
  const AttentionGeometry& g_;
  std::vector<Expected>& expected_;
  std::vector<double> q_, k_, v_, past_k_, past_v_, lengths_, y_;
  std::vector<std::vector<double>> masks_;
  std::vector<dbk::DType> kinds_;
  bool biased_ = false;
  double unit_ = 1;  // of the operands' type, in units of the type that computes
};

}  // namespace

void add_drift_of_attention(const AttentionGeometry& geometry, std::span<const dbk::HostTensor> inputs, std::vector<Expected>& expected) {
  AttentionDrift(geometry, inputs, expected).add();
}

}  // namespace ops

#include "tests/ops/attention_drift.h"

#include <algorithm>
#include <cmath>

#include "tests/ops/sum_drift.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

using dbk::AttentionGeometry;
using dbk::AttentionOperand;

struct Rows {  // of one query row
  std::vector<double> score, error, weight;
};

class AttentionDrift {
 public:
  AttentionDrift(const AttentionGeometry& g, std::span<const dbk::HostTensor> inputs, const dbk::HostTensor& y)
      : g_(g), q_(numbers(inputs[0])), k_(numbers(inputs[1])), v_(numbers(inputs[2])), y_(numbers(y)) {
    if (inputs.size() > 3 && inputs[3].type.dtype != DBK_DTYPE_NONE) mask_ = numbers(inputs[3]), keeps_ = inputs[3].type.dtype == DBK_BOOL;
  }

  std::vector<double> all() const {
    std::vector<double> drift(y_.size());
    for (int64_t b = 0; b < g_.batch; ++b)
      for (int64_t h = 0; h < g_.heads; ++h)
        for (int64_t row = 0; row < g_.queries; ++row) {
          const Rows rows = weights_of(b, h, row);
          for (int64_t c = 0; c < g_.v_head_size; ++c) drift[at(g_.y, b, h, row) + static_cast<size_t>(c)] = of_column(rows, b, h, row, c);
        }
    return drift;
  }

 private:
  static size_t at(const AttentionOperand& o, int64_t b, int64_t h, int64_t row) {
    return static_cast<size_t>(o.first + b * o.batch + h * o.head + row * o.row);
  }

  double mask_of(int64_t b, int64_t h, int64_t row, int64_t key) const {
    if (mask_.empty()) return 0;
    const double m = mask_[static_cast<size_t>(b * g_.mask.batch + h * g_.mask.head + row * g_.mask.row + key * g_.mask.key)];
    return keeps_ ? (m != 0 ? 0 : -kInfinity) : m;
  }

  // The score of a key, and its error before anything is subtracted.
  void score(int64_t b, int64_t h, int64_t row, int64_t key, Rows& rows) const {
    double dot = 0, squares = 0;
    const size_t q = at(g_.q, b, h, row), k = at(g_.k, b, h / g_.group(), key);
    for (size_t i = 0; i < static_cast<size_t>(g_.head_size); ++i) {
      const double term = q_[q + i] * k_[k + i];
      dot += term, squares += term * term;
    }
    double x = g_.scale * dot;
    double error = std::fabs(g_.scale) * chain(static_cast<double>(g_.head_size)) * std::max(std::fabs(dot), std::sqrt(squares)) + std::fabs(x);
    if (g_.softcap != 0) x = g_.softcap * std::tanh(x / g_.softcap), error += kCapSteps * std::fabs(x);
    const double mask = mask_of(b, h, row, key);
    if (mask != 0) x += mask, error += std::fabs(x);
    rows.score.push_back(x);
    rows.error.push_back(error);
  }

  Rows weights_of(int64_t b, int64_t h, int64_t row) const {
    Rows rows;
    const int64_t keys = visible_keys(g_, row);
    for (int64_t key = 0; key < keys; ++key) score(b, h, row, key, rows);
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
    return rows;
  }

  double of_column(const Rows& rows, int64_t b, int64_t h, int64_t row, int64_t column) const {
    const double y = std::fabs(y_[at(g_.y, b, h, row) + static_cast<size_t>(column)]);
    double drift = 0, squares = 0;
    for (size_t t = 0; t < rows.weight.size(); ++t) {
      if (rows.weight[t] == 0) continue;
      const double v = v_[at(g_.v, b, h / g_.group(), static_cast<int64_t>(t)) + static_cast<size_t>(column)];
      drift += rows.weight[t] * (std::fabs(v) + y) * rows.error[t];
      squares += rows.weight[t] * rows.weight[t] * v * v;
    }
    return drift + chain(2 * static_cast<double>(rows.weight.size())) * (std::max(y, std::sqrt(squares)) + y);
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kExp = 1.8;       // of an exponential, as in the row of Exp
  static constexpr double kCapSteps = 7;    // tanh 3.4, division 2.5, product 1
  const AttentionGeometry& g_;
  std::vector<double> q_, k_, v_, y_, mask_;
  bool keeps_ = false;
};

}  // namespace

std::vector<double> drift_of_attention(const AttentionGeometry& geometry, std::span<const dbk::HostTensor> inputs, const dbk::HostTensor& y) {
  return AttentionDrift(geometry, inputs, y).all();
}

}  // namespace ops

#include "plugin/gpu/families/f16_effect.h"

#include "host_fallback/lanes.h"
#include "plugin/gpu/families/coop_operand.h"

namespace dbk::gpu {

namespace {

using Vector = std::vector<float>;

constexpr int64_t kMostProducts = 1 << 19;  // of all rows and columns
constexpr int64_t kMostDepth = 1 << 16;
constexpr int64_t kRows = 8, kGroups = 4;  // at most
constexpr int64_t kSide = 8;               // columns of a group: they share lines of memory

// Rows of made-up numbers for columns of that length, and groups of columns.
int64_t rows_for(int64_t depth) { return std::clamp<int64_t>(kMostProducts / (depth * kSide), 2, kRows); }
int64_t groups_for(int64_t depth) { return std::clamp<int64_t>(kMostProducts / (depth * kSide * rows_for(depth)), 1, kGroups); }

// x as f16 holds it, to the nearest, ties to even; vectors of a compiler can do this, a conversion only with some instruction sets.
float as_f16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), size = bits & 0x7fffffffu;
  const float normal = std::bit_cast<float>((bits + 0xfffu + (bits >> 13 & 1u)) & 0xffffe000u);
  const float denormal = std::copysign((std::fabs(x) + 0.5f) - 0.5f, x);             // 1/2 has the last place of f16's denormals, 2^-24
  const float finite = size < 0x38800000u ? denormal : normal;                       // 2^-14
  const float bounded = size >= 0x477ff000u ? std::copysign(HUGE_VALF, x) : finite;  // 65520
  return size > 0x7f800000u ? x : bounded;
}

// Numbers of a fixed sequence (splitmix64), roughly normal: sums of four of 16 bits.
class Noise {
 public:
  explicit Noise(uint64_t seed) : state_(seed) {}
  float next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    const auto sum = static_cast<int64_t>((z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) + (z >> 48));
    return static_cast<float>(sum - 2 * 65535) / 37837.0f;  // variance 1
  }

 private:
  uint64_t state_;
};

// In turn: normal numbers, the same of one sign, as behind an activation, and with every 61st 40 times as large.
Vector made_up_row(int64_t depth, int64_t number) {
  Noise noise(static_cast<uint64_t>(number) * 0x2545f4914f6cdd1du + 1);
  Vector row(static_cast<size_t>(depth));
  for (int64_t k = 0; k < depth; ++k) {
    float& x = row[static_cast<size_t>(k)] = noise.next();
    if (number % 3 == 1) x = std::fabs(x);
    if (number % 3 == 2 && (k + number * 17) % 61 == 0) x *= 40;
  }
  return row;
}

// A vector, and what operands make of it.
struct Operand {
  Vector exact, rounded;
  int32_t exponent;
  double norm;

  Operand(Vector vector, OperandForm form) : exact(std::move(vector)), rounded(exact.size()), exponent(operand_exponent(exact, form)) {
    const float scale = std::ldexp(1.0f, -exponent);
    for (size_t i = 0; i < exact.size(); ++i) rounded[i] = as_f16(exact[i] * scale);
    norm = std::sqrt(lane_sum<double>(static_cast<int64_t>(exact.size()), [&](int64_t i) { return double{exact[static_cast<size_t>(i)]} * double{exact[static_cast<size_t>(i)]}; }));
  }
};

struct Sums {
  double exact[kSide] = {};
  float rounded[kSide] = {};
};

// Up to kSide columns: [depth][kSide].
class Columns {
 public:
  Columns(std::span<const Vector> columns, OperandForm form) : exact_(columns[0].size() * kSide), rounded_(exact_.size()) {
    for (size_t c = 0; c < columns.size(); ++c) {
      const Operand& operand = operands_.emplace_back(columns[c], form);
      for (size_t k = 0; k < operand.exact.size(); ++k) exact_[k * kSide + c] = operand.exact[k], rounded_[k * kSide + c] = operand.rounded[k];
    }
  }
  const std::vector<Operand>& operands() const { return operands_; }

  Sums times(const Operand& row, OperandForm form) const {
    Sums s;
    for (size_t k = 0; k < row.exact.size(); ++k)
      for (size_t c = 0; c < kSide; ++c) {
        s.exact[c] += double{row.exact[k]} * double{exact_[k * kSide + c]};
        const float product = row.rounded[k] * rounded_[k * kSide + c];
        s.rounded[c] = form == OperandForm::F16Sums ? as_f16(s.rounded[c] + as_f16(product)) : s.rounded[c] + product;
      }
    return s;
  }

 private:
  std::vector<Operand> operands_;
  Vector exact_, rounded_;
};

double largest_error(const Columns& columns, const Operand& row, OperandForm form) {
  const Sums sums = columns.times(row, form);
  double most = 0;
  for (size_t c = 0; c < columns.operands().size(); ++c) {
    const Operand& column = columns.operands()[c];
    const double error = std::fabs(std::ldexp(double{sums.rounded[c]}, row.exponent + column.exponent) - sums.exact[c]);
    if (error != 0) most = std::max(most, std::isnan(error) ? HUGE_VAL : error / (row.norm * column.norm));
  }
  return most;
}

float number_at(const Rounding& r, const std::byte* data, int64_t at) {
  if (r.dtype == DBK_F16) {
    Half half;
    std::memcpy(&half, data + at * 2, sizeof half);
    return half;
  }
  float number;
  std::memcpy(&number, data + at * 4, sizeof number);
  return number;
}

}  // namespace

void read_weight(const Rounding& r, const std::byte* data, int64_t first, int64_t count, float* out) {
  if (r.dtype == DBK_F32) {
    std::memcpy(out, data + first * 4, static_cast<size_t>(count) * 4);
    return;
  }
  for (int64_t i = 0; i < count; ++i) out[i] = number_at(r, data, first + i);
}

SampledColumns sampled_columns(const Rounding& r, const std::byte* data) {
  const int64_t all = r.matrices * r.vectors, depth = std::min(r.depth, kMostDepth);
  const int64_t groups = std::min(groups_for(depth), (all + kSide - 1) / kSide);
  SampledColumns columns;
  for (int64_t g = 0; g < groups; ++g) {
    const int64_t first = all / groups * g, count = std::min(kSide, all - first);
    const size_t base = columns.size();
    columns.resize(base + static_cast<size_t>(count), Vector(static_cast<size_t>(depth)));
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t c = 0; c < count; ++c) {
        const int64_t at = (first + c) / r.vectors * r.vectors * r.depth + (first + c) % r.vectors * r.vector_step + k * r.depth_step;
        columns[base + static_cast<size_t>(c)][static_cast<size_t>(k)] = number_at(r, data, at);
      }
  }
  return columns;
}

F16Effect f16_effect(const SampledColumns& columns, OperandForm form) {
  const auto depth = static_cast<int64_t>(columns[0].size());
  std::vector<Operand> rows;
  for (int64_t i = 0; i < rows_for(depth); ++i) rows.emplace_back(made_up_row(depth, i), form);
  F16Effect effect;
  int64_t nonzero = 0, vanished = 0;
  for (size_t first = 0; first < columns.size(); first += kSide) {
    const Columns group{std::span<const Vector>(columns).subspan(first, std::min<size_t>(kSide, columns.size() - first)), form};
    for (const Operand& row : rows) effect.error = std::max(effect.error, largest_error(group, row, form));
    for (const Operand& column : group.operands())
      for (size_t k = 0; k < column.exact.size(); ++k)
        nonzero += column.exact[k] != 0, vanished += column.exact[k] != 0 && column.rounded[k] == 0;
  }
  effect.vanishing = nonzero > 0 ? static_cast<double>(vanished) / static_cast<double>(nonzero) : 0;
  return effect;
}

}  // namespace dbk::gpu

// Random small graphs of the ops that passes look for: element-wise chains with broadcasts, products with bias and activation,
// convolutions, normalisations as ops and written out, reductions, softmax, attention, rotary embedding, views, casts, several types, values read
// twice, outputs in the middle, extents of 0 and extents that each run chooses. A number gives the same graph on every machine.
#pragma once

#include <optional>
#include <random>
#include <set>

#include "tests/graphs/drawn_value.h"

namespace graphs {

class DrawnGraph {
 public:
  explicit DrawnGraph(uint64_t seed);

  struct Input {
    std::string name;
    std::vector<int64_t> dims;
    bool whole;
  };
  GraphBuilder& builder() { return g_; }
  const std::vector<Input>& inputs() const { return inputs_; }
  const std::vector<DrawnValue>& outputs() const { return outputs_; }  // f32 all of them
  std::vector<int64_t> extents() const;                                // what runs may choose, one number where there is no choice
  const std::string& text() const { return text_; }                    // a line per node

 private:
  using Dim = std::vector<int64_t>;
  using List = std::vector<DrawnValue>;
  using Rule = bool (DrawnGraph::*)();  // false where nothing that is there fits
  static const std::vector<Rule> kRules;

  // ---- drawing ----
  uint64_t draw(uint64_t below) { return random_() % below; }
  bool chance(uint64_t of) { return draw(of) == 0; }
  int64_t extent();
  bool usable(const DrawnValue& v) const;
  // A usable value that fits, mostly one of the last; null where none was found.
  template <class Fits>
  const DrawnValue* find(Fits&& fits) {
    for (int tries = 0; tries < 12; ++tries) {
      const size_t count = values_.size(), i = chance(2) ? draw(count) : count - 1 - draw(std::min<size_t>(count, 4));
      if (usable(values_[i]) && fits(values_[i])) return &values_[i];
    }
    return nullptr;
  }
  const DrawnValue* find_float(size_t min_rank = 0);
  DrawnValue partner(const DrawnValue& a);  // of the same type, that broadcasts with it: a value or a weight
  static std::optional<Dim> broadcast(const Dim& a, const Dim& b);
  static constexpr int64_t kMostElements = 3000;
  static bool may_meet(const DrawnValue& a, const DrawnValue& b);  // in an element-wise node that is not too large

  // ---- making ----
  std::vector<DrawnValue> nodes(const char* op, const List& inputs, const std::vector<daybreak::Attr>& attrs, const std::vector<Dim>& dims,
                                uint32_t dtype);
  DrawnValue node(const char* op, const List& inputs, const std::vector<daybreak::Attr>& attrs, Dim dims, uint32_t dtype);
  // The last node's result with its bounds; `roundings` 0: none of its own.
  DrawnValue bounded(DrawnValue v, double bound, double carried, double roundings, bool whole = false);
  void keep(DrawnValue v) { values_.push_back(std::move(v)); }
  DrawnValue inner(DrawnValue v);  // of a formula: rarely others read it, too
  DrawnValue input(Dim dims, bool whole);
  DrawnValue weight(Dim dims, double bound, uint32_t dtype, double least = 0);  // a parameter or a constant
  DrawnValue number(double value, uint32_t dtype);
  DrawnValue integers(const std::vector<int64_t>& list);

  // ---- steps that rules consist of, with their bounds ----
  DrawnValue binary(const char* op, const DrawnValue& a, const DrawnValue& b);
  DrawnValue quotient_of(const DrawnValue& a, const DrawnValue& b, double least);  // no number of b is nearer to 0
  // A function that rises by at most `slope`; it stays below `cap`, where that is not 0.
  DrawnValue sloped(const char* op, const DrawnValue& x, double slope, double cap, double offset = 0, const std::vector<daybreak::Attr>& attrs = {});
  DrawnValue moved(const char* op, const List& inputs, Dim dims, const std::vector<daybreak::Attr>& attrs = {});  // numbers of the first operand
  DrawnValue reduced(const char* op, const DrawnValue& x, const std::vector<int64_t>& axes, bool keepdims);
  DrawnValue cast(const DrawnValue& x, uint32_t dtype);
  DrawnValue widened_or_narrowed(const DrawnValue& x);  // f16 becomes f32, f32 f16
  DrawnValue matmul(const DrawnValue& a, const DrawnValue& b);
  DrawnValue product_of(DrawnValue y, const DrawnValue& a, const DrawnValue& b, int64_t terms);
  DrawnValue transposed(const DrawnValue& x, const std::vector<int64_t>& perm);
  DrawnValue softmax(const DrawnValue& x, int64_t axis);
  DrawnValue batch_normalized(const DrawnValue& x);
  DrawnValue normalized(DrawnValue y, const DrawnValue& x, double epsilon, int64_t terms);  // bounds of a normalisation over that many
  void convolve(const DrawnValue& x, int64_t group_channels);  // keeps it, mostly with more behind it
  void behind_product(DrawnValue x);  // keeps it, mostly with bias, activation or residual

  // ---- rules ----
  bool unary();
  bool arithmetic();
  bool neutral();
  bool quotient();
  bool clip();
  bool compare();
  bool logic();
  bool where();
  bool cast_up_or_down();
  bool product();
  bool product_of_values();
  bool gemm();
  bool convolution();
  bool large_convolution();
  bool batch_norm();
  bool layer_norm();
  bool written_norm();
  bool soft_max();
  bool reduce();
  bool transpose();
  bool reshape();
  bool squeeze();
  bool concat();
  bool split();
  bool slice();
  bool gather();
  bool expand();
  bool gelu();
  bool silu();
  bool attention();
  bool rotary();
  bool einsum();
  bool twin();

  void finish();

  std::mt19937_64 random_;
  GraphBuilder g_{24};
  std::vector<Input> inputs_;
  std::vector<DrawnValue> values_, outputs_;
  std::vector<std::vector<float>> weights_;
  std::set<uint32_t> read_;  // ids of values
  std::string text_;
  bool open_ = false, may_be_empty_ = true;
  daybreak::Symbol symbol_;
  struct Emitted {
    std::string op;
    List inputs;
    std::vector<daybreak::Attr> attrs;
    DrawnValue result;
  };
  std::vector<Emitted> emitted_;  // nodes of one result
};

}  // namespace graphs

// Whole numbers that a run may decide, as expressions: constants, symbols of the graph, unknowns, and sums, products,
// quotients and minima of them. Equal expressions have one id, so two extents are proven equal where their ids are;
// nothing is concluded from numbers that happen to be equal in one run. Numbers beyond 64 bits are unknowns.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "plugin/graph/graph.h"

namespace dbk {

using Extent = uint32_t;  // id of an expression

class ExtentTable {
 public:
  explicit ExtentTable(const std::vector<Symbol>& symbols) : symbols_(&symbols) {}

  Extent constant(int64_t value) { return intern({Kind::Constant, value, {}}); }
  Extent symbol(uint64_t index) { return intern({Kind::Symbol, static_cast<int64_t>(index), {}}); }
  Extent unknown(bool may_be_negative = false) {
    return intern({may_be_negative ? Kind::AnyUnknown : Kind::Unknown, next_unknown_++, {}});
  }

  Extent sum(const std::vector<Extent>& terms);
  Extent product(const std::vector<Extent>& factors);
  // a / b where b divides a and is not 0; an unknown where that cannot be told from the expressions.
  Extent quotient(Extent a, Extent b);
  Extent minimum(Extent a, Extent b);
  // ONNX broadcasting of two extents, in every run in which it is legal.
  Extent broadcast(Extent a, Extent b);

  std::optional<int64_t> value_of(Extent e) const;  // of a constant
  bool is(Extent e, int64_t value) const { return value_of(e) == value; }
  int64_t at_least(Extent e) const { return bounds_[e].least; }  // INT64_MIN where nothing is known
  std::optional<int64_t> at_most(Extent e) const { return bounds_[e].most; }

 private:
  enum class Kind : uint8_t { Constant, Symbol, Unknown, AnyUnknown, Sum, Product, Minimum };
  struct Expression {
    Kind kind;
    int64_t number;  // the constant, symbol or unknown; the constant term of a sum, the constant factor of a product
    std::vector<Extent> parts;  // sorted
    auto operator<=>(const Expression&) const = default;
  };

  struct Bounds {
    int64_t least;
    std::optional<int64_t> most;
  };

  Extent intern(Expression e);
  int64_t least_of(const Expression& e) const;
  std::optional<int64_t> most_of(const Expression& e) const;
  bool is_minimum_of(Extent whole, Extent part) const;

  const std::vector<Symbol>* symbols_;
  std::map<Expression, Extent> ids_;
  std::vector<Expression> table_;
  std::vector<Bounds> bounds_;  // of each; kept, because expressions share parts
  int64_t next_unknown_ = 0;
};

}  // namespace dbk

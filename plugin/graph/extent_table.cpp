#include "plugin/graph/extent_table.h"

#include <algorithm>

namespace dbk {

namespace {

constexpr size_t kMostParts = 64;  // of a sum or product; doubling an extent n times would make 2^n

}  // namespace

Extent ExtentTable::intern(Expression e) {
  const auto [found, added] = ids_.try_emplace(e, static_cast<Extent>(table_.size()));
  if (added) {
    bounds_.push_back({least_of(e), most_of(e)});
    table_.push_back(std::move(e));
  }
  return found->second;
}

std::optional<int64_t> ExtentTable::value_of(Extent e) const {
  return table_[e].kind == Kind::Constant ? std::optional(table_[e].number) : std::nullopt;
}

Extent ExtentTable::sum(const std::vector<Extent>& terms) {
  Expression total{Kind::Sum, 0, {}};
  for (Extent term : terms) {
    const Expression& e = table_[term];
    const int64_t number = e.kind == Kind::Constant || e.kind == Kind::Sum ? e.number : 0;
    if (__builtin_add_overflow(total.number, number, &total.number)) return unknown(true);
    if (e.kind == Kind::Sum)
      total.parts.insert(total.parts.end(), e.parts.begin(), e.parts.end());
    else if (e.kind != Kind::Constant)
      total.parts.push_back(term);
  }
  if (total.parts.empty()) return constant(total.number);
  if (total.parts.size() == 1 && total.number == 0) return total.parts.front();
  if (total.parts.size() > kMostParts) return unknown(true);
  std::ranges::sort(total.parts);
  return intern(std::move(total));
}

Extent ExtentTable::product(const std::vector<Extent>& factors) {
  Expression total{Kind::Product, 1, {}};
  for (Extent factor : factors) {
    const Expression& e = table_[factor];
    const int64_t number = e.kind == Kind::Constant || e.kind == Kind::Product ? e.number : 1;
    if (__builtin_mul_overflow(total.number, number, &total.number)) return unknown(true);
    if (e.kind == Kind::Product)
      total.parts.insert(total.parts.end(), e.parts.begin(), e.parts.end());
    else if (e.kind != Kind::Constant)
      total.parts.push_back(factor);
  }
  if (total.parts.empty() || total.number == 0) return constant(total.number);
  if (total.parts.size() == 1 && total.number == 1) return total.parts.front();
  if (total.parts.size() > kMostParts) return unknown(true);
  std::ranges::sort(total.parts);
  return intern(std::move(total));
}

Extent ExtentTable::quotient(Extent a, Extent b) {
  const auto as_product = [&](Extent e) -> Expression {
    const Expression& x = table_[e];
    if (x.kind == Kind::Product) return x;
    if (x.kind == Kind::Constant) return {Kind::Product, x.number, {}};
    return {Kind::Product, 1, {e}};
  };
  const Expression above = as_product(a), below = as_product(b);
  std::vector<Extent> rest;
  if (!std::ranges::includes(above.parts, below.parts) || below.number == 0 || above.number % below.number)
    return unknown(at_least(a) < 0 || at_least(b) < 0);
  std::ranges::set_difference(above.parts, below.parts, std::back_inserter(rest));
  rest.push_back(constant(above.number / below.number));
  return product(rest);
}

Extent ExtentTable::minimum(Extent a, Extent b) {
  if (a == b) return a;
  if (const auto most = at_most(a); most && *most <= at_least(b)) return a;
  if (const auto most = at_most(b); most && *most <= at_least(a)) return b;
  return intern({Kind::Minimum, 0, {std::min(a, b), std::max(a, b)}});
}

bool ExtentTable::is_minimum_of(Extent whole, Extent part) const {
  const Expression& e = table_[part];
  if (e.kind != Kind::Minimum || std::ranges::find(e.parts, whole) == e.parts.end()) return false;
  return std::ranges::all_of(e.parts, [&](Extent p) { return p == whole || at_least(p) >= 2; });
}

// A minimum of a and something over 1 is a wherever it may be broadcast with a: if it is less, it is over 1 and another
// number.
Extent ExtentTable::broadcast(Extent a, Extent b) {
  if (a == b || is(b, 1)) return a;
  if (is(a, 1)) return b;
  if (value_of(a)) return a;
  if (value_of(b)) return b;
  if (is_minimum_of(a, b)) return a;
  if (is_minimum_of(b, a)) return b;
  return unknown();
}

int64_t ExtentTable::least_of(const Expression& e) const {
  switch (e.kind) {
    case Kind::Constant:
      return e.number;
    case Kind::Symbol:
      return (*symbols_)[static_cast<size_t>(e.number)].min;
    case Kind::Unknown:
      return 0;
    case Kind::AnyUnknown:
      return INT64_MIN;
    case Kind::Minimum:
      return std::min(at_least(e.parts[0]), at_least(e.parts[1]));
    case Kind::Sum:
    case Kind::Product:
      break;
  }
  int64_t least = e.number;
  for (Extent part : e.parts) {
    const int64_t p = at_least(part);
    if (p < 0 || e.number < 0) return INT64_MIN;
    if (e.kind == Kind::Sum ? __builtin_add_overflow(least, p, &least) : __builtin_mul_overflow(least, p, &least))
      return 0;
  }
  return least;
}

std::optional<int64_t> ExtentTable::most_of(const Expression& e) const {
  if (e.kind == Kind::Constant) return e.number;
  if (e.kind == Kind::Symbol && (*symbols_)[static_cast<size_t>(e.number)].bounded())
    return (*symbols_)[static_cast<size_t>(e.number)].max;
  if (e.kind == Kind::Minimum) {
    const auto a = at_most(e.parts[0]), b = at_most(e.parts[1]);
    return a && b ? std::min(a, b) : a ? a : b;
  }
  return std::nullopt;
}

}  // namespace dbk

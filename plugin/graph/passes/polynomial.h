// Element-wise arithmetic on one value, as a polynomial of it: how patterns read formulas whatever the order in which
// an exporter writes them.
#pragma once

#include <array>

#include "plugin/graph/passes/rewriter.h"

namespace dbk {

struct Polynomial {
  std::array<double, 4> factor{};  // of 1, x, x^2, x^3
  std::vector<const Node*> nodes;  // that compute it, each once, in order
};

// `value` as a polynomial of `x` with constant factors, of x's shape; nothing where it is none of degree 3 or less.
std::optional<Polynomial> polynomial_of(const Rewriter& r, ValueId value, ValueId x);

// Whether a constant of a graph is meant to be that number: equal up to the rounding of the dtype it was stored in.
bool is_near(double stored, double number, DType dtype);

}  // namespace dbk

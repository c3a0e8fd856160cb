// A value of a graph drawn at random, with what every execution of the graph may make of it: how large its numbers are and how far they may
// be from those of exact arithmetic. Both follow from the operands' and from the op, so graphs of any form can be compared: two
// executions differ by at most the sum of their errors.
#pragma once

#include <string>

#include "tests/graphs/graph_test.h"

namespace graphs {

constexpr int64_t kOpen = -1;     // an extent that each run chooses
constexpr int64_t kMostOpen = 5;  // and chooses at most

struct DrawnValue {
  Value value;
  std::string name;
  uint32_t dtype = DBK_F32;
  std::vector<int64_t> dims;
  double bound = 0, error = 0;  // of every element: its magnitude, and what roundings may have added up to
  bool whole = false;           // whole numbers
  bool wild = false;            // may hold what has no bound: NaN, infinities

  size_t rank() const { return dims.size(); }
  int64_t most(size_t axis) const { return dims[axis] == kOpen ? kMostOpen : dims[axis]; }
  bool floating() const { return dtype == DBK_F32 || dtype == DBK_F16 || dtype == DBK_BF16 || dtype == DBK_F64; }
  bool exact() const { return error == 0 && !wild; }
};

inline int64_t most_elements(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (int64_t d : dims) count *= d == kOpen ? kMostOpen : d;
  return count;
}

// Between 1 and the next number; 0 for types that do not round.
inline double epsilon_of(uint32_t dtype) {
  return dtype == DBK_F64 ? 0x1p-52 : dtype == DBK_F32 ? 0x1p-23 : dtype == DBK_F16 ? 0x1p-10 : dtype == DBK_BF16 ? 0x1p-7 : 0;
}

// The error of a result of that bound: what operands brought along (`carried`), and `roundings` more of the result's type.
inline double error_of(uint32_t dtype, double bound, double carried, double roundings) {
  const double smallest = dtype == DBK_F16 ? 0x1p-24 : 0;  // what lies between numbers near 0
  return carried + roundings * (epsilon_of(dtype) * bound + smallest);
}

}  // namespace graphs

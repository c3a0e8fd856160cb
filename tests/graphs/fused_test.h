// Graphs that are compiled twice, as given and rewritten, and must give the same numbers.
#pragma once

#include "tests/graphs/graph_test.h"

namespace graphs {

using Build = std::function<void(GraphBuilder&)>;

// Numbers between -2 and 2 that are not whole. Different for each seed.
Floats fractions(size_t count, uint32_t seed);

// What both executables of a graph say and give.
struct Comparison {
  nlohmann::json placement;      // of the rewritten one
  std::vector<Floats> expected;  // outputs of the one as given
  std::vector<Floats> actual;    // outputs of the rewritten one

  size_t count(std::string_view op) const;  // nodes of that op that do work or show memory
  std::string missed() const;               // reasons of all near misses
};

// Builds, runs with numbers for every f32 input of static shape, or of `dims` per input, and compares all outputs. The
// formula as given rounds in each of its steps: results may differ by 64 epsilons of the largest number.
// `options` are those of the rewritten one.
Comparison compare(const Build& build, const std::vector<Dims>& dims, const std::vector<Floats>& inputs = {}, const daybreak::Options& options = {});

void require_fused(const Comparison& result, std::string_view op, size_t count, const char* what);

}  // namespace graphs

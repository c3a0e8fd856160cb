#include "tests/graphs/fused_test.h"

#include <cmath>
#include <random>

namespace graphs {

Floats fractions(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  Floats result(count);
  for (float& value : result) value = static_cast<float>(random() % 4001) / 1000.0f - 2.0f;
  return result;
}

size_t Comparison::count(std::string_view op) const {
  size_t found = 0;
  for (const auto& node : placement.at("nodes")) {
    const std::string where = node.at("where");
    if (node.at("op") == op && where != "fused" && where != "folded" && where != "prepared" && where != "skipped")
      ++found;
  }
  return found;
}

std::string Comparison::missed() const {
  std::string text;
  for (const auto& miss : placement.at("missed")) text += std::string(miss.at("reason")) + "; ";
  return text;
}

namespace {

std::vector<Floats> outputs_of(const daybreak::Executable& exec, const std::vector<Dims>& dims,
                               const std::vector<Floats>& inputs) {
  daybreak::Run run(exec);
  for (uint32_t i = 0; i < dims.size(); ++i) {
    size_t count = 1;
    for (int64_t extent : dims[i]) count *= static_cast<size_t>(extent);
    const Floats data = i < inputs.size() ? inputs[i] : fractions(count, 100 + i);
    run.bind_input(i, daybreak::View(std::span(data), dims[i]), DBK_COPY);
  }
  run.run();
  std::vector<Floats> results;
  for (uint32_t i = 0; i < exec.count(DBK_OUTPUT); ++i) results.push_back(run.read<float>(i));
  return results;
}

void require_close(const Floats& actual, const Floats& expected) {
  require_equal(actual.size(), expected.size(), "number of elements");
  float largest = 0;
  for (float value : expected)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  for (size_t i = 0; i < actual.size(); ++i) {
    if (std::isnan(expected[i]) && std::isnan(actual[i])) continue;
    if (expected[i] == actual[i]) continue;
    require(std::abs(actual[i] - expected[i]) <= 64 * 0x1p-23f * largest, "element {} is {}, not {}", i, actual[i],
            expected[i]);
  }
}

}  // namespace

Comparison compare(const Build& build, const std::vector<Dims>& dims, const std::vector<Floats>& inputs, const daybreak::Options& options) {
  GraphBuilder first, second;
  build(first);
  build(second);
  const auto plain = prepare(first, unfused()), fused = prepare(second, options);
  Comparison result;
  result.placement = report(fused, "placement");
  result.expected = outputs_of(plain, dims, inputs);
  result.actual = outputs_of(fused, dims, inputs);
  for (size_t i = 0; i < result.expected.size(); ++i) require_close(result.actual[i], result.expected[i]);
  return result;
}

void require_fused(const Comparison& result, std::string_view op, size_t count, const char* what) {
  require(result.count(op) == count, "{}: {} nodes are {}, not {}; missed: {}", what, result.count(op), op, count,
          result.missed());
}

}  // namespace graphs

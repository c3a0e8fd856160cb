// Contexts that measure kernels, a layer whose product they measure, and what they keep.
#pragma once

#include <fstream>

#include "tests/graphs/cache_directory.h"
#include "tests/graphs/graph_test.h"

namespace graphs {

using daybreak::Options;
using nlohmann::json;
namespace fs = std::filesystem;

struct Tuned {
  std::vector<std::string> warnings;
  daybreak::Context context;

  explicit Tuned(const Options& options)
      : context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options,
                {.name = "autotune test", .log = [this](uint32_t, std::string_view text) { warnings.emplace_back(text); }}) {}
};

// Enough for any machine: tests do not depend on how fast this one is.
inline Options tuning(const char* level, const std::string& cache = "", int64_t budget = 100'000) {
  const std::string_view name = level;
  Options options = Options().set("autotune", level).set("cache_dir", cache);
  if (name == "quick" || name == "full") options.set("tune_budget_ms", budget);
  return options;
}

// Not whole numbers, so that another order of sums gives other bits.
inline Floats numbers(size_t count, uint32_t seed) {
  Floats list = whole_numbers(count, seed);
  for (float& x : list) x = x / 7 - 0.5f;
  return list;
}

inline constexpr int64_t kRows = 40, kDepth = 96, kColumns = 48;

// relu(x W + b)
inline void write_layer(GraphBuilder& g, const daybreak::Shape& shape) {
  static const Floats weight = numbers(size_t(kDepth * kColumns), 2), bias = numbers(size_t(kColumns), 3);
  const Value w = g.param("w", std::span(weight), {kDepth, kColumns}), b = g.param("b", std::span(bias), {kColumns});
  const Value product = g.node("MatMul", {g.input("x", DBK_F32, shape), w});
  g.output(g.node("Relu", {g.node("Add", {product, b})}), "y");
}

inline daybreak::Executable layer_in(const daybreak::Context& context, int64_t rows = kRows, const char* precision = "f32") {
  GraphBuilder g;
  write_layer(g, {rows, kDepth});
  daybreak::Executable exec = context.compile(g, {.options = Options().set("precision", precision), .device = device().index});
  exec.ready();
  return exec;
}

inline Floats result_of(const daybreak::Executable& exec, int64_t rows = kRows) {
  daybreak::Run run(exec);
  return run_once(run, numbers(size_t(rows * kDepth), 1), {rows, kDepth});
}

inline bool is_measured(const json& choice) { return choice.at("reason").get<std::string>().starts_with("measured "); }

inline void only_on_gpus() {
  if (!on_gpu()) throw Skip("the CPU has no kernels to choose between");
}

inline bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// First lines of what the files of a cache directory hold of some products or layers.
inline std::string kept_of(const CacheDirectory& cache, const char* some) {
  std::string lines;
  for (const fs::path& file : cache.files("tuning")) {
    std::ifstream in(file, std::ios::binary);
    for (std::string line; std::getline(in, line);)
      if (has(line, some)) lines += line + "\n";
  }
  return lines;
}

}  // namespace graphs

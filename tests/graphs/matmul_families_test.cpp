// Families of kernels for matrix products on GPUs: each one forced gives the same numbers, says so, and says why where it cannot;
// controls that contradict each other or the device are refused.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

daybreak::Context context_with(const char* family, bool validation, const char* variant = "") {
  daybreak::Options options;
  options.set("validation", validation).set("matmul_family", family).set("matmul_variant", variant);
  return daybreak::Context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options);
}

// relu(x W + bias) of whole numbers, which are exact in every order of the sums.
struct Layer {
  int64_t m, k, n;
  Floats x, weight, bias;
  Layer(int64_t rows, int64_t depth, int64_t columns)
      : m(rows), k(depth), n(columns), x(whole_numbers(size_t(m * k), 1)), weight(whole_numbers(size_t(k * n), 2)),
        bias(whole_numbers(size_t(n), 3)) {}

  void write(GraphBuilder& g, const daybreak::Shape& shape) const {
    const Value w = g.param("w", std::span(weight), {k, n}), b = g.param("b", std::span(bias), {n});
    const Value product = g.node("MatMul", {g.input("x", DBK_F32, shape), w});
    g.output(g.node("Relu", {g.node("Add", {product, b})}), "y");
  }

  Floats expected() const {
    Floats y(size_t(m * n));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = bias[size_t(j)];
        for (int64_t q = 0; q < k; ++q) sum += x[size_t(i * k + q)] * weight[size_t(q * n + j)];
        y[size_t(i * n + j)] = std::max(sum, 0.0f);
      }
    return y;
  }
};

daybreak::Executable compile_in(const daybreak::Context& context, GraphBuilder& g, const char* precision = "f32") {
  daybreak::Executable exec = context.compile(g, {.options = daybreak::Options().set("precision", precision), .device = device().index});
  exec.ready();
  return exec;
}

struct Forced {
  std::string_view family;
  const char* variant = "";
};
constexpr Forced kFamilies[] = {{"lane"}, {"line"}, {"tile"}, {"gemv"}, {"gemv", "8x16-packed"}, {"coop"}};

void only_on_gpus() {
  if (!on_gpu()) throw Skip("the CPU has no such families");
}

// Calls f(context, forced) for each family that the device has, and for a variant that reads weights as another family stores them.
template <class F>
void for_each_family(F f) {
  only_on_gpus();
  for (const Forced& forced : kFamilies) {
    const auto& [family, variant] = forced;
    if ((family == "coop" || *variant) && !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) continue;
    if (family == "line" && (device().subgroup_min != 8 || device().subgroup_max != 8)) continue;
    f(context_with(family.data(), /*validation=*/family != "line", variant), forced);
  }
}

void require_taken(const nlohmann::json& choice, const Forced& forced) {
  require(choice.at("family") == forced.family, "{} is not taken: {}", forced.family, choice.dump());
  require(!*forced.variant || choice.at("variant") == forced.variant, "{} is not taken: {}", forced.variant, choice.dump());
}

void test_each_family() {
  for_each_family([](const daybreak::Context& own, const Forced& forced) {
    const std::string_view family = forced.family;
    for (const auto& [m, k, n] : {std::tuple{1, 64, 48}, {5, 100, 36}, {8, 67, 130}, {40, 132, 64}, {130, 20, 16}}) {
      const Layer layer(m, k, n);
      GraphBuilder g;
      layer.write(g, {m, k});
      const daybreak::Executable exec = compile_in(own, g);
      const nlohmann::json choice = choice_in(exec.report("placement"));
      const std::string taken = choice.at("family"), reason = choice.at("reason");
      const bool told = reason.find(std::format("matmul_family={} cannot: ", family)) != std::string::npos;
      require(taken == family || told, "{} instead of {}, because {}", taken, family, reason);
      if (m <= 8 && (family != "line" || k % 4 + n % 4 == 0)) require_taken(choice, forced);
      daybreak::Run run(exec);
      require_same(run_once(run, layer.x, {m, k}), layer.expected(), family.data());
    }
  });
}

// Numbers of all signs and sizes, more positive than negative ones, and some of 6e4 in between, which f16 just holds and its sums do not.
Floats lopsided(size_t count, uint32_t seed) {
  Floats numbers = whole_numbers(count, seed, 1000);
  for (size_t i = 0; i < count; ++i) numbers[i] = i % 997 == 5 ? 6e4f : (numbers[i] + 300) / 7;
  return numbers;
}

// m x k times k x n against sums in double: as parts of the norms of row and column, beside what rounding the result to f16 may add.
struct LongSums {
  int64_t m, k, n;
  Floats x, w;

  void require_right(const Floats& y, double allowed, std::string_view what, bool rounded = false) const {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0, row = 0, column = 0;
        for (int64_t q = 0; q < k; ++q) {
          const double a = x[size_t(i * k + q)], b = w[size_t(q * n + j)];
          sum += a * b, row += a * a, column += b * b;
        }
        const double rounding = rounded ? std::ldexp(std::fabs(sum), -11) : 0;
        const double error = (std::fabs(y[size_t(i * n + j)] - sum) - rounding) / std::sqrt(row * column);
        require(error <= allowed, "{}: {} x {} x {}: wrong by {} of the norms", what, m, k, n, error);
      }
  }
};

// The same bits twice, too. A weight that `line` stores in blocks, and one that it reads as it is.
void test_long_sums() {
  constexpr int64_t m = 8, k = 4096;
  for (const int64_t n : {20, 48}) {
    const LongSums sums{m, k, n, lopsided(size_t(m * k), 1), lopsided(size_t(k * n), 2)};
    for_each_family([&](const daybreak::Context& own, const Forced& forced) {
      GraphBuilder g;
      g.output(g.node("MatMul", {g.input("x", DBK_F32, {sums.m, sums.k}), g.param("w", std::span(sums.w), {sums.k, sums.n})}), "y");
      const daybreak::Executable exec = compile_in(own, g);
      const nlohmann::json choice = choice_in(exec.report("placement"));
      require_taken(choice, forced);
      daybreak::Run run(exec);
      const Floats y = run_once(run, sums.x, {sums.m, sums.k});
      run.run();
      require_same(run.read<float>(0), y, "the second run");
      sums.require_right(y, choice.at("tile").get<std::string>().find("f16") != std::string::npos ? 2e-3 : 1e-5, forced.family);
    });
  }
}

// Numbers of f16 from `least` to 1.
Floats fractions(size_t count, uint32_t seed, float least) {
  Floats numbers = whole_numbers(count, seed, 512);
  for (float& x : numbers) x = least + (1 - least) * (x + 512) / 1024;
  return numbers;
}

// A product that rules give to `line` as it is, `what` it is of.
void check_line(const LongSums& sums, uint32_t dtype, bool is_weight, const std::string& what) {
  const daybreak::Context own = context_with("auto", /*validation=*/false);
  GraphBuilder g;
  const auto cast = [&](Value v, uint32_t from, uint32_t to) { return from == to ? v : g.node("Cast", {v}, {{"to", to == DBK_F16 ? 10 : 1}}); };
  const auto input = [&](const char* name, int64_t rows, int64_t columns) { return cast(g.input(name, DBK_F32, {rows, columns}), DBK_F32, dtype); };
  std::vector<_Float16> halves;
  for (const float x : sums.w) halves.push_back(static_cast<_Float16>(x));
  const auto weight = [&] {
    const Dims dims{sums.k, sums.n};
    return dtype == DBK_F32 ? g.param("w", std::span(sums.w), dims) : g.param("w", DBK_F16, dims, std::as_bytes(std::span(halves)));
  };
  const Value x = input("x", sums.m, sums.k), w = is_weight ? weight() : input("w", sums.k, sums.n);
  g.output(cast(g.node("MatMul", {x, w}), dtype, DBK_F32), "y");
  const daybreak::Executable exec = compile_in(own, g);
  require_taken(choice_in(exec.report("placement")), {"line"});
  daybreak::Run run(exec);
  graphs::bind(run, "x", sums.x, {sums.m, sums.k});
  if (!is_weight) graphs::bind(run, "w", sums.w, {sums.k, sums.n});
  run.run();
  sums.require_right(run.read<float>(0), 1e-5, what, dtype == DBK_F16);
}

// It takes a k of over a thousand dispatches, each of which adds to what those before have left, where there are columns enough.
void test_line_with_a_very_long_k() {
  only_on_gpus();
  if (device().subgroup_min != 8 || device().subgroup_max != 8) throw Skip("no vectors of 8");
  constexpr int64_t m = 3, k = 65540, n = 80;
  for (const float least : {0.0f, -1.0f}) {
    const LongSums sums{m, k, n, fractions(size_t(m * k), 1, least), fractions(size_t(k * n), 2, least)};
    for (const uint32_t dtype : {DBK_F32, DBK_F16})
      for (const bool weight : {true, false})
        if (dtype == DBK_F32 || device().has(DBK_FEATURE_F16))
          check_line(sums, dtype, weight, std::format("{} from {}, {}", dtype == DBK_F16 ? "f16" : "f32", least, weight ? "a weight" : "a computed B"));
  }
}

// A product of a part of another one, which lies behind the other rows; numbers that f16 holds.
struct Chain {
  int64_t m, k, between, n, first;  // the second product has the rows from `first` on
  Floats x = whole_numbers(size_t(m * k), 1, 1), w = whole_numbers(size_t(k * between), 2, 1), v = whole_numbers(size_t(between * n), 3, 1);

  static Floats multiply(const Floats& a, const Floats& b, int64_t rows, int64_t depth, int64_t columns) {
    Floats y(size_t(rows * columns));
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t q = 0; q < depth; ++q)
        for (int64_t j = 0; j < columns; ++j) y[size_t(i * columns + j)] += a[size_t(i * depth + q)] * b[size_t(q * columns + j)];
    return y;
  }
  Floats expected() const {
    const Floats h = multiply(x, w, m, k, between);
    return multiply(Floats(h.begin() + first * between, h.end()), v, m - first, between, n);
  }

  void write(GraphBuilder& g) const {
    const Value product = g.node("MatMul", {g.input("x", DBK_F32, {m, k}), g.param("w", std::span(w), {k, between})});
    const auto number = [&](int64_t i) { return g.constant(std::span<const int64_t>(&i, 1), Dims{1}); };
    const Value part = g.node("Slice", {product, number(first), number(m), number(0)});
    g.output(g.node("MatMul", {part, g.param("v", std::span(v), {between, n})}), "y");
  }

  void check(const daybreak::Context& own, const Forced& forced) const {
    GraphBuilder g;
    write(g);
    const daybreak::Executable exec = compile_in(own, g);
    const nlohmann::json placement = report(exec, "placement");
    size_t products = 0;
    for (const nlohmann::json& node : placement.at("nodes")) {
      if (node.contains("choice")) require_taken(node.at("choice"), forced), ++products;
      if (node.at("op") == "Slice") require_equal(node.at("where").get<std::string>(), std::string("view"), "where the Slice is");
    }
    require_equal(products, size_t{2}, "products");
    daybreak::Run run(exec);
    require_same(run_once(run, x, {m, k}), expected(), forced.family.data());
  }
};

void test_chains() {
  const Chain few{8, 72, 128, 36, 2}, in_blocks{8, 72, 128, 48, 5}, many{37, 70, 67, 35, 16};
  for_each_family([&](const daybreak::Context& own, const Forced& forced) {
    few.check(own, forced);
    in_blocks.check(own, forced);
    if (forced.family != "gemv" && forced.family != "line") many.check(own, forced);  // neither takes it
  });
}

// k in parts: bias, activation and a residual behind the sums, long sums and short ones, B a weight and computed, rows that come with the run.
void test_parts_of_k() {
  only_on_gpus();
  for (const auto& [family, variant] : {std::pair{"lane", "split"}, {"tile", "split"}, {"gemv", "split"}, {"coop", "split"}, {"gemv", "4x32-packed-split"}}) {
    const bool packed = std::string_view(variant) != "split";
    if ((std::string_view(family) == "coop" || packed) && !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) continue;
    const daybreak::Context own = context_with(family, /*validation=*/true, variant);
    for (const auto& [m, k, n] : {std::tuple{1, 4096, 17}, {7, 65541, 3}, {8, 100, 36}, {5, 20, 130}, {3, 4096, 64}}) {
      if (packed && k < 64) continue;  // not stored so
      const Layer layer(m, k, n);
      GraphBuilder g;
      layer.write(g, {g.symbol("rows", 1, 8), k});
      const daybreak::Executable exec = compile_in(own, g);
      daybreak::Run run(exec);
      const Floats y = run_once(run, layer.x, {m, k});
      const nlohmann::json choice = choice_in(run.report("placement"));
      require_equal(choice.at("family").get<std::string>(), std::string(family), "forced");
      require(choice.at("variant").get<std::string>().ends_with("-split"), "{}", choice.dump());
      require(choice.at("tile").get<std::string>().find("k in ") != std::string::npos, "{}", choice.dump());
      require_same(y, layer.expected(), family);
      run.run();
      require_same(run.read<float>(0), y, "the second run");
    }
  }
}

// A product of two computed operands of a batch, on top of what it is added to.
void test_parts_of_k_in_batches() {
  only_on_gpus();
  constexpr int64_t batch = 3, m = 5, k = 1030, n = 9;
  const Floats a = whole_numbers(size_t(batch * m * k), 1), b = whole_numbers(size_t(batch * k * n), 2), rest = whole_numbers(size_t(batch * m * n), 3);
  Floats expected = rest;
  for (int64_t i = 0; i < batch * m; ++i)
    for (int64_t q = 0; q < k; ++q)
      for (int64_t j = 0; j < n; ++j) expected[size_t(i * n + j)] += a[size_t(i * k + q)] * b[size_t((i / m * k + q) * n + j)];
  for (const char* family : {"lane", "tile", "gemv", "coop"}) {
    if (std::string_view(family) == "coop" && !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) continue;
    const daybreak::Context own = context_with(family, /*validation=*/true, "split");
    GraphBuilder g;
    const Value product = g.node("MatMul", {g.input("a", DBK_F32, {batch, m, k}), g.input("b", DBK_F32, {batch, k, n})});
    g.output(g.node("Add", {product, g.input("rest", DBK_F32, {batch, m, n})}), "y");
    const daybreak::Executable exec = compile_in(own, g);
    require(choice_in(exec.report("placement")).at("variant").get<std::string>().ends_with("-split"), "{}", family);
    daybreak::Run run(exec);
    run.bind_input("a", daybreak::View(std::span(a), Dims{batch, m, k}));
    run.bind_input("b", daybreak::View(std::span(b), Dims{batch, k, n}));
    run.bind_input("rest", daybreak::View(std::span(rest), Dims{batch, m, n}));
    run.run();
    require_same(run.read<float>(0), expected, family);
  }
}

// Rows that come with the run: each number of them has its kernel.
void test_rows_that_change() {
  only_on_gpus();
  const daybreak::Context own = context_with("gemv", true);
  const Layer largest(40, 68, 36);
  GraphBuilder g;
  largest.write(g, {g.symbol("rows", 1, 40), 68});
  const daybreak::Executable exec = compile_in(own, g);
  daybreak::Run run(exec);
  const uint64_t built = exec.stats().pipelines_built;
  for (const int64_t m : {40, 1, 8, 9}) {
    Layer layer = largest;
    layer.m = m, layer.x.resize(size_t(m * layer.k));
    require_same(run_once(run, layer.x, {m, layer.k}), layer.expected(), "rows of the run");
    const nlohmann::json choice = choice_in(run.report("placement"));
    require_equal(choice.at("family") == "gemv", m <= 8, "gemv is for up to 8 rows");
    require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
    const std::string reason = choice.at("reason");
    require(m <= 8 || reason.find(std::format("matmul_family=gemv cannot: {} rows", m)) != std::string::npos, "no reason in: {}", reason);
  }
}

daybreak::Options checked(const char* kernels) { return daybreak::Options().set("validation", true).set("kernels", kernels); }
daybreak::Context hardware_context() { return daybreak::Context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), checked("hardware")); }

// A decoder: its weights are stored for the many rows of a prompt, and the few rows of each step read them so. Whole numbers are exact in f16.
void test_few_rows_of_a_weight_stored_for_many() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const daybreak::Context own = hardware_context();
  for (const auto& [k, n] : {std::pair{100, 36}, {263, 37}, {4096, 20}}) {
    const Layer largest(64, k, n);
    GraphBuilder g;
    largest.write(g, {g.symbol("rows", 1, 64), k});
    const daybreak::Executable exec = compile_in(own, g, "f16_f32acc");
    daybreak::Run run(exec);
    const uint64_t built = exec.stats().pipelines_built, bytes = exec.stats().weight_bytes;
    for (const int64_t m : {1, 64, 1, 8, 9, 2}) {
      Layer layer = largest;
      layer.m = m, layer.x.resize(size_t(m * k));
      require_same(run_once(run, layer.x, {m, k}), layer.expected(), "rows of the run");
      const nlohmann::json choice = choice_in(run.report("placement"));
      require_equal(choice.at("family").get<std::string>(), std::string(m <= 8 ? "gemv" : "coop"), choice.dump().c_str());
      const std::string variant = choice.at("variant"), tile = choice.at("tile"), reason = choice.at("reason");
      require((variant.find("-packed") != std::string::npos) == (m <= 8), "{} rows take {}", m, variant);
      require(tile.find("f16") != std::string::npos, "{}", tile);
      require(reason.find("no effect") == std::string::npos && reason.find("lets the weight be f16") != std::string::npos, "{}", reason);
      require_equal(exec.stats().pipelines_built, built, "pipelines built after ready");
    }
    require_equal(exec.stats().weight_bytes, bytes, "the weight is there once");
    require(bytes < uint64_t(2 * (k + 32) * (n + 64)) + 4096, "{} bytes for a weight of {} elements", bytes, k * n);
  }
}

// Where the options force it, few rows read B as it is given, and the kernels for many rows do.
void test_forced_gemv_stores_nothing_for_others() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const daybreak::Context own(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), checked("hardware").set("matmul_family", "gemv"));
  const Layer largest(40, 128, 36);
  GraphBuilder g;
  largest.write(g, {g.symbol("rows", 1, 40), 128});
  const daybreak::Executable exec = compile_in(own, g, "auto");
  daybreak::Run run(exec);
  for (const int64_t m : {1, 40}) {
    Layer layer = largest;
    layer.m = m, layer.x.resize(size_t(m * layer.k));
    require_same(run_once(run, layer.x, {m, layer.k}), layer.expected(), "rows of the run");
    const nlohmann::json choice = choice_in(run.report("placement"));
    require_equal(choice.at("family") == "gemv", m <= 8, choice.dump().c_str());
    require(choice.dump().find("-packed") == std::string::npos, "{}", choice.dump());
  }
}

// Projections of one input: one product whose columns go to three results.
void test_few_rows_with_several_results() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const daybreak::Context own = hardware_context();
  constexpr int64_t k = 196, widths[] = {20, 33, 7}, most = 40;
  const Floats x = whole_numbers(size_t(most * k), 1);
  GraphBuilder g;
  const Value in = g.input("x", DBK_F32, {g.symbol("rows", 1, most), k});
  std::vector<Floats> weights;
  for (const int64_t n : widths) weights.push_back(whole_numbers(size_t(k * n), uint32_t(n)));
  for (size_t i = 0; i < 3; ++i)
    g.output(g.node("MatMul", {in, g.param(std::format("w{}", i), std::span(weights[i]), {k, widths[i]})}), std::format("y{}", i));
  daybreak::Executable exec = own.compile(g, {.options = daybreak::Options().set("precision", "f16_f32acc").set("qkv", "split"), .device = device().index});
  exec.ready();
  daybreak::Run run(exec);
  for (const int64_t m : {3, 40, 1}) {
    bind(run, "x", Floats(x.begin(), x.begin() + m * k), {m, k});
    run.run();
    const nlohmann::json placement = nlohmann::json::parse(run.report("placement"));
    require(placement.dump().find("SplitMatMul") != std::string::npos, "{}", placement.dump());
    require((choice_in(run.report("placement")).at("variant").get<std::string>().find("-packed") != std::string::npos) == (m <= 8), "{}", placement.dump());
    for (uint32_t i = 0; i < 3; ++i) {
      Floats expected(size_t(m * widths[i]));
      for (int64_t r = 0; r < m; ++r)
        for (int64_t q = 0; q < k; ++q)
          for (int64_t j = 0; j < widths[i]; ++j) expected[size_t(r * widths[i] + j)] += x[size_t(r * k + q)] * weights[i][size_t(q * widths[i] + j)];
      require_same(run.read<float>(i), expected, "a result");
    }
  }
}

// As on graphics hardware: f16 only where the executable's precision allows it. Whole numbers up to 9 are exact in f16, and sums of their
// products of two up to 2048.
void test_precision() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const auto plugin = daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN"));
  const daybreak::Context own(plugin, daybreak::Options().set("kernels", "hardware").set("validation", true));
  for (const auto& [precision, family, sums] :
       {std::tuple{"f32", "tile", ""}, {"f16_f32acc", "coop", "f16 to f32"}, {"f16", "coop", "f16 to f16"}, {"auto", "coop", "f16 to f32"}}) {
    Layer layer(40, 100, 36);
    for (float& x : layer.x) x = x > 5 ? 1.0f : 0.0f;
    GraphBuilder g;
    layer.write(g, {layer.m, layer.k});
    const daybreak::Executable exec = compile_in(own, g, precision);
    const nlohmann::json choice = choice_in(exec.report("placement"));
    require_equal(choice.at("family").get<std::string>(), std::string(family), precision);
    const std::string tile = choice.at("tile");
    require(tile.find(sums) != std::string::npos, "{}: {}", precision, tile);
    daybreak::Run run(exec);
    require_same(run_once(run, layer.x, {layer.m, layer.k}), layer.expected(), precision);
  }
}

void test_precision_without_effect() {
  only_on_gpus();
  const daybreak::Context own(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), daybreak::Options().set("matmul_family", "lane"));
  for (const char* precision : {"f32", "auto"}) {  // others contradict the family
    Layer layer(40, 100, 36);
    GraphBuilder g;
    layer.write(g, {layer.m, layer.k});
    const std::string reason = choice_in(compile_in(own, g, precision).report("placement")).at("reason");
    const bool told = reason.find(std::format("option precision={} has no effect: option matmul_family=lane", precision)) != std::string::npos;
    require_equal(told, std::string_view(precision) != "f32", reason.c_str());
  }
}

// Far beyond f16's range, in both directions: scales bring operands into it.
void test_range() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  constexpr float kMost = std::numeric_limits<float>::max();
  for (const auto& [family, variant, m] : {std::tuple{"coop", "", 9}, {"gemv", "4x16-packed", 1}, {"gemv", "4x64-packed", 5}}) {
    const daybreak::Context own = context_with(family, true, variant);
    for (const auto& [of_x, of_w] : {std::pair{1e30f, 1e-30f}, {1e-35f, 1e33f}, {3e37f, 0.25f}, {3e38f, 1e-3f}, {1e-3f, 3e38f}, {1e-3f, kMost}, {1e18f, 1e18f}, {1e-18f, 1e-18f}}) {
      const int64_t k = 70, n = 20;
      const Floats x(size_t(m * k), of_x), w(size_t(k * n), of_w);
      GraphBuilder g;
      g.output(g.node("MatMul", {g.input("x", DBK_F32, {m, k}), g.param("w", std::span(w), {k, n})}), "y");
      const daybreak::Executable exec = compile_in(own, g);
      const nlohmann::json choice = choice_in(exec.report("placement"));
      require(choice.at("family") == family && (!*variant || choice.at("variant") == variant), "{}", choice.dump());
      daybreak::Run run(exec);
      const double expected = double(of_x) * double(of_w) * k;
      for (const float y : run_once(run, x, {m, k}))
        require(std::fabs(y - expected) <= 2e-3 * expected || (expected > 3.4e38 && std::isinf(y)), "{}: {} x {}: {} instead of {}", family, of_x, of_w, y, expected);
    }
  }
}

// A product of bytes, exact whatever computes it; returns what the placement report says of it.
nlohmann::json choice_for_bytes(const daybreak::Options& options) {
  constexpr int64_t m = 19, k = 101, n = 35;
  std::vector<uint8_t> x(size_t(m * k)), zero{200};
  std::vector<int8_t> w(size_t(k * n));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i * 131 % 251 + 3);
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int8_t>(i * 37 % 256 - 128);
  const daybreak::Context own(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options);
  GraphBuilder g;
  const Value b = g.param("w", std::span(w), {k, n}), a_zero = g.constant(std::span(zero), Dims{});
  g.output(g.node("MatMulInteger", {g.input("x", DBK_U8, {m, k}), b, a_zero}), "y");
  const daybreak::Executable exec = compile_in(own, g);
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::View(std::span(x), Dims{m, k}));
  run.run();
  const std::vector<int32_t> y = run.read<int32_t>(0);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int32_t sum = 0;
      for (int64_t q = 0; q < k; ++q) sum += (x[size_t(i * k + q)] - 200) * w[size_t(q * n + j)];
      require_equal(y[size_t(i * n + j)], sum, "a sum of bytes");
    }
  return choice_in(exec.report("placement"));
}

// On matrices of subgroups, which software adapters use where they are forced alone.
void test_bytes() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  for (const auto& [kernels, family, taken] : {std::tuple{"auto", "coop", "coop"}, {"hardware", "auto", "coop"}, {"software", "auto", "integers"}, {"hardware", "tile", "coop"}})
    require_equal(choice_for_bytes(checked(kernels).set("matmul_family", family)).at("family").get<std::string>(), std::string(taken), "family of bytes");
}

void test_bytes_that_may_not_use_matrices() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const auto require_refused = [](const daybreak::Options& options, const char* why) {
    const nlohmann::json choice = choice_for_bytes(options);
    require_equal(choice.at("family").get<std::string>(), std::string("integers"), why);
    require(choice.at("others").dump().find(why) != std::string::npos, "{}", choice.dump());
  };
  require_refused(checked("hardware").set("coop_columns", int64_t{34}), "option coop_columns=34, and it has 35");
  require_equal(choice_for_bytes(checked("hardware").set("coop_columns", int64_t{35})).at("family").get<std::string>(), std::string("coop"), "35 columns");
  for (const std::string type : {"0", "f16", "f32"}) require_refused(checked("hardware").set("coop", type), ("option coop=" + type).c_str());
}

// What matrices of subgroups may multiply: floats of one type.
void test_types_of_matrices() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const auto plugin = daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN"));
  const Layer layer(40, 100, 36);
  for (const auto& [type, half] : {std::pair{"1", true}, {"0", false}, {"f16", true}, {"f32", false}}) {
    const daybreak::Context own(plugin, checked("hardware").set("coop", type));
    GraphBuilder g;
    layer.write(g, {layer.m, layer.k});
    const daybreak::Executable exec = compile_in(own, g, "auto");
    const nlohmann::json choice = choice_in(exec.report("placement"));
    const bool rounds = choice.at("tile").get<std::string>().find("f16 to") != std::string::npos;
    require_equal(rounds, half, choice.dump().c_str());
    require(half || choice.at("family") == "coop" || choice.at("others").dump().find(std::format("option coop={}", type)) != std::string::npos, "{}", choice.dump());
  }
}

bool has_matrices_of(std::string_view type) {
  const nlohmann::json report = nlohmann::json::parse(context().report("device"));
  for (const auto& each : report.at("devices").at(device().index).at("subgroup_matrix"))
    if (each.at("component") == type) return true;
  return false;
}

// An adapter's matrices compute something small before kernels use them: once, and where no kernel wants them not at all.
void test_matrices_are_proven() {
  if (!on_gpu() || !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  const Layer layer(20, 64, 48);
  std::vector<std::string> lines;
  daybreak::Host host;
  host.log_level = DBK_LOG_INFO, host.log = [&](uint32_t, std::string_view text) { lines.emplace_back(text); };
  const auto proofs_in = [&](const daybreak::Options& options) {
    const daybreak::Context own(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options, host);
    lines.clear();
    GraphBuilder g;
    layer.write(g, {layer.m, layer.k});
    for (int i = 0; i < 2; ++i) compile_in(own, g);
    return std::ranges::count_if(lines, [](const std::string& line) { return line.find("give right products") != std::string::npos; });
  };
  require_equal(proofs_in(daybreak::Options().set("matmul_family", "coop")), ptrdiff_t{1}, "proofs");
  require(std::ranges::none_of(lines, [](const std::string& line) { return line.find("are not used") != std::string::npos; }), "a proof failed");
  require_equal(proofs_in(daybreak::Options().set("matmul_family", "lane")), ptrdiff_t{0}, "proofs that nobody wants");
}

void test_contradictions() {
  require_failure(DBK_INVALID_ARGUMENT, {"matmul_family", "'warp'", "gemv"}, [] { context_with("warp", false); });
  only_on_gpus();
  GraphBuilder g;
  Layer(4, 16, 16).write(g, {4, 16});
  for (const std::string type : {"f16", "f32"}) {
    if (has_matrices_of(type)) continue;
    const daybreak::Context own(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), daybreak::Options().set("matmul_family", "coop").set("coop", type));
    std::vector<std::string> parts{"option matmul_family=coop", device().name};
    if (device().has(DBK_FEATURE_SUBGROUP_MATRIX)) parts.push_back("option coop=" + type);
    require_failure(DBK_INVALID_ARGUMENT, parts, [&] { compile_in(own, g); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_each_family), GRAPH_TEST(test_rows_that_change), GRAPH_TEST(test_matrices_are_proven), GRAPH_TEST(test_contradictions), GRAPH_TEST(test_precision), GRAPH_TEST(test_precision_without_effect), GRAPH_TEST(test_long_sums), GRAPH_TEST(test_line_with_a_very_long_k), GRAPH_TEST(test_chains), GRAPH_TEST(test_bytes), GRAPH_TEST(test_bytes_that_may_not_use_matrices), GRAPH_TEST(test_types_of_matrices),
                                         GRAPH_TEST(test_range), GRAPH_TEST(test_parts_of_k), GRAPH_TEST(test_parts_of_k_in_batches), GRAPH_TEST(test_few_rows_of_a_weight_stored_for_many),
                                         GRAPH_TEST(test_forced_gemv_stores_nothing_for_others), GRAPH_TEST(test_few_rows_with_several_results)});
}

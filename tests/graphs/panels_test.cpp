// Products whose weight is larger than a binding: each family of kernels reads it in panels of columns, however it stores weights, gives the right
// numbers and says so. Option max_binding makes bindings small; the CPU has none.
#include <algorithm>
#include <cstdlib>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

constexpr int64_t kBinding = 96 << 10;

void only_on_gpus() {
  if (!on_gpu()) throw Skip("the CPU has no bindings");
}

enum class Form { MatMul, Batches, Gemm, FusedMatMul, Split };
constexpr const char* kForms[] = {"MatMul", "a batch of weights", "Gemm", "FusedMatMul", "SplitMatMul"};

struct Extents {
  int64_t m, k, n;
};

// relu(alpha x W + bias) + rest of whole numbers so small that f16 holds every sum. Gemm and FusedMatMul have W transposed.
struct Layer {
  Form form;
  int64_t m, k, n;
  uint32_t dtype;
  double alpha;
  int64_t batch;
  Floats x, weight, bias, rest;

  Layer(Form f, const Extents& e, uint32_t type = DBK_F32, double factor = 1)
      : form(f), m(e.m), k(e.k), n(e.n), dtype(type), alpha(factor), batch(f == Form::Batches ? 3 : 1), x(whole_numbers(size_t(batch * m * k), 1, 1)),
        weight(whole_numbers(size_t(batch * k * n), 2, 1)), bias(whole_numbers(size_t(n), 3)), rest(whole_numbers(size_t(batch * m * n), 4)) {}

  bool transposed() const { return form == Form::Gemm || form == Form::FusedMatMul; }
  bool has_rest() const { return form != Form::Split; }  // a product that is taken apart adds columns alone
  Dims dims(int64_t rows, int64_t columns) const { return form == Form::Batches ? Dims{batch, rows, columns} : Dims{rows, columns}; }
  std::vector<int64_t> widths() const { return form == Form::Split ? std::vector{n / 8 * 4, int64_t{4}, n - n / 8 * 4 - 4} : std::vector{n}; }

  float expected(int64_t row, int64_t column) const {
    float sum = 0;
    for (int64_t q = 0; q < k; ++q) {
      const int64_t at = transposed() ? column * k + q : (row / m * k + q) * n + column;
      sum += x[size_t(row * k + q)] * weight[size_t(at)];
    }
    return std::max(static_cast<float>(alpha) * sum + bias[size_t(column)], 0.0f) + (has_rest() ? rest[size_t(row * n + column)] : 0.0f);
  }

  std::string text() const { return std::format("{} of {}, {} x {} x {}, alpha {}", kForms[size_t(form)], dtype == DBK_F16 ? "f16" : "f32", m, k, n, alpha); }
};

// The graph of a layer, with what its parameters lend.
struct Built {
  GraphBuilder graph;
  std::vector<_Float16> weight, bias;

  Built(const Layer& l, bool rows_are_open) {
    const daybreak::Dim rows = rows_are_open ? daybreak::Dim(graph.symbol("rows", 1, l.m)) : daybreak::Dim(l.m);
    const Value x = input(l, "x", rows, l.k);
    const Value w = param(l, "w", l.weight, weight, l.transposed() ? Dims{l.n, l.k} : l.dims(l.k, l.n)), b = param(l, "bias", l.bias, bias, {l.n});
    Value y = product(l, x, w, b);
    if (l.form != Form::Gemm) y = graph.node("Add", {y, b});
    y = graph.node("Relu", {y});
    if (l.has_rest()) y = graph.node("Add", {y, input(l, "rest", rows, l.n)});
    for (size_t i = 0; const Value part : parts(l, y)) graph.output(cast(l, part, DBK_F32), std::format("y{}", i++));
  }

  Value cast(const Layer& l, Value v, uint32_t dtype) { return l.dtype == DBK_F32 ? v : graph.node("Cast", {v}, {{"to", dtype == DBK_F16 ? 10 : 1}}); }

  Value input(const Layer& l, const char* name, daybreak::Dim rows, int64_t columns) {
    const daybreak::Shape shape = l.form == Form::Batches ? daybreak::Shape{l.batch, rows, columns} : daybreak::Shape{rows, columns};
    return cast(l, graph.input(name, DBK_F32, shape), DBK_F16);
  }

  Value param(const Layer& l, const char* name, const Floats& numbers, std::vector<_Float16>& halves, const Dims& dims) {
    if (l.dtype == DBK_F32) return graph.param(name, std::span(numbers), dims);
    for (const float x : numbers) halves.push_back(static_cast<_Float16>(x));
    return graph.param(name, DBK_F16, dims, std::as_bytes(std::span(halves)));
  }

  Value product(const Layer& l, Value x, Value w, Value b) {
    if (l.form == Form::Gemm) return graph.node("Gemm", {x, w, b}, {{"transB", 1}, {"alpha", l.alpha}});
    if (l.form == Form::FusedMatMul) return graph.node(daybreak::Op("FusedMatMul").in("com.microsoft"), {x, w}, {{"transB", 1}, {"alpha", l.alpha}});
    return graph.node("MatMul", {x, w});
  }

  std::vector<Value> parts(const Layer& l, Value y) {
    const std::vector<int64_t> widths = l.widths();
    if (widths.size() == 1) return {y};
    const Value inputs[] = {y, graph.constant(std::span<const int64_t>(widths), {static_cast<int64_t>(widths.size())})};
    const daybreak::Attr attrs[] = {{"axis", int64_t{-1}}};
    return graph.nodes("Split", inputs, attrs, std::vector<bool>(widths.size(), true));
  }
};

void require_results(daybreak::Run& run, const Layer& l) {
  int64_t first = 0;
  for (uint32_t part = 0; const int64_t width : l.widths()) {
    const Floats y = run.read<float>(part++);
    require_equal(y.size(), size_t(l.batch * l.m * width), "results");
    for (int64_t i = 0; i < l.batch * l.m; ++i)
      for (int64_t j = 0; j < width; ++j) {
        const float expected = l.expected(i, first + j), actual = y[size_t(i * width + j)];
        require(actual == expected, "{}: [{}, {}] is {}, not {}", l.text(), i, first + j, actual, expected);
      }
    first += width;
  }
}

daybreak::Executable compile(const daybreak::Context& own, GraphBuilder& g, const char* precision = "f32") {
  return own.compile(g, {.options = daybreak::Options().set("policy", "require_gpu").set("precision", precision), .device = device().index});
}

// Runs what adds integers.
template <class T>
std::vector<int32_t> sums_of(daybreak::Executable& exec, const std::vector<T>& x, const Dims& dims) {
  exec.ready();
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::View(std::span(x), dims));
  run.run();
  return run.read<int32_t>(0);
}

struct Result {
  nlohmann::json choice;
  uint64_t weight_bytes;
};

// Computes the layer on the GPU alone, and tells what was chosen for its product.
Result compute(const daybreak::Context& own, const Layer& l, bool rows_are_open = false, const char* precision = "f32") {
  Built built(l, rows_are_open);
  daybreak::Executable exec = compile(own, built.graph, precision);
  exec.ready();
  daybreak::Run run(exec);
  graphs::bind(run, "x", l.x, l.dims(l.m, l.k));
  if (l.has_rest()) graphs::bind(run, "rest", l.rest, l.dims(l.m, l.n));
  run.run();
  require_results(run, l);
  const std::string placement = run.report("placement");
  require(l.form != Form::Split || placement.find("SplitMatMul") != std::string::npos, "{}: {}", l.text(), placement);
  return {choice_in(placement), exec.stats().weight_bytes};
}

daybreak::Context limited(const daybreak::Options& options) {
  only_on_gpus();
  return daybreak::Context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), daybreak::Options(options).set("max_binding", kBinding));
}

daybreak::Options forced(std::string_view family, const char* variant = "") {
  return daybreak::Options().set("validation", family != "line").set("matmul_family", std::string(family)).set("matmul_variant", variant);
}

void require_panels(const Result& result, std::string_view family, const Layer& l) {
  const std::string taken = result.choice.at("family"), reason = result.choice.at("reason");
  require(taken == family, "{}: {} instead of {}, because {}", l.text(), taken, family, reason);
  require(reason.find("panels of columns") != std::string::npos, "{}: {}", l.text(), reason);
}

constexpr Form kAllForms[] = {Form::MatMul, Form::Batches, Form::Gemm, Form::FusedMatMul, Form::Split};

void check_forms(const daybreak::Context& own, std::string_view family, std::initializer_list<Extents> list) {
  for (const Extents& e : list)
    for (const Form form : kAllForms)
      for (const uint32_t dtype : {DBK_F32, DBK_F16}) {
        if (dtype == DBK_F16 && (!device().has(DBK_FEATURE_F16) || 2 * e.k * e.n <= kBinding)) continue;
        if (form == Form::Batches && std::max(e.m * e.n, e.k * 16) * 3 * 4 > kBinding) continue;  // the results, or 16 columns
        if (dtype == DBK_F16 && form == Form::Batches && family == "coop") continue;  // packed by every run, a panel of f16 is larger than a binding
        const bool scaled = form == Form::FusedMatMul || (form == Form::Gemm && e.m > 5);
        const Layer layer(form, e, dtype, scaled ? 0.5 : 1);
        require_panels(compute(own, layer, /*rows_are_open=*/e.m == 5), family, layer);
      }
}

// Panels of several widths, and a last one that is a column wide.
void test_lane() { check_forms(limited(forced("lane")), "lane", {{5, 64, 801}, {3, 1024, 33}}); }
void test_tile() { check_forms(limited(forced("tile")), "tile", {{5, 64, 801}, {25, 64, 804}, {3, 1024, 33}}); }
void test_gemv() { check_forms(limited(forced("gemv")), "gemv", {{5, 64, 801}, {1, 64, 804}, {3, 1024, 33}}); }

void only_with_lines() {
  only_on_gpus();
  if (device().subgroup_min != 8 || device().subgroup_max != 8) throw Skip("no vectors of 8");
}

// Blocks of 16 columns; rows of a batch, and where columns are no whole blocks; a transposed weight without whole blocks is turned in panels.
void test_line() {
  only_with_lines();
  check_forms(limited(forced("line")), "line", {{5, 64, 800}, {25, 64, 800}, {6, 64, 804}, {3, 1024, 48}, {24, 1024, 64}});
  check_forms(limited(forced("line", "4x16")), "line", {{32, 64, 704}});  // whole tiles, and steps one after the other
  check_forms(limited(forced("line", "8x16")), "line", {{64, 256, 352}, {8, 64, 800}});
}

void only_with_matrices() {
  only_on_gpus();
  if (!device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
}

// Operands of 64 steps are packed once, those of 100 would leave too little room for A: their panels are packed by every run.
void test_coop() {
  only_with_matrices();
  check_forms(limited(forced("coop")), "coop", {{5, 64, 801}, {25, 100, 801}});
}

void test_parts_of_k() {
  only_on_gpus();
  for (const char* family : {"lane", "tile", "gemv", "coop"}) {
    if (std::string_view(family) == "coop" && !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) continue;
    const daybreak::Context own = limited(forced(family, "split"));
    for (const Form form : kAllForms) {
      const Layer layer(form, {5, 64, 801});
      const Result result = compute(own, layer);
      require_panels(result, family, layer);
      require(result.choice.at("variant").get<std::string>().ends_with("-split"), "{}", result.choice.dump());
    }
  }
}

// Rules choose as they do for weights that fit, and weights take the memory that they have.
void test_rules() {
  only_on_gpus();
  const bool lines = device().subgroup_min == 8 && device().subgroup_max == 8, matrices = device().has(DBK_FEATURE_SUBGROUP_MATRIX);
  const daybreak::Context software = limited(daybreak::Options().set("kernels", "software")), hardware = limited(daybreak::Options().set("kernels", "hardware"));
  for (const Form form : {Form::MatMul, Form::Gemm, Form::FusedMatMul})
    for (const int64_t m : {5, 25}) {
      const Layer layer(form, {m, 64, 800});
      const Result by_lines = compute(software, layer);
      require_panels(by_lines, lines ? "line" : "lane", layer);
      require_equal(by_lines.weight_bytes, uint64_t(64 * 800 * 4 + 800 * 4), "bytes of weights");
      require_panels(compute(hardware, layer), m == 5 ? "gemv" : "tile", layer);
      if (matrices && m > 8) require_panels(compute(hardware, layer, false, "f16_f32acc"), "coop", layer);
    }
}

// What matrices hold of it in f16 fits a binding, although the weight does not.
void test_a_weight_that_fits_when_it_is_packed() {
  only_with_matrices();
  const Layer layer(Form::MatMul, {25, 64, 640});
  const Result result = compute(limited(forced("coop")), layer);
  require_equal(result.choice.at("family").get<std::string>(), std::string("coop"), "family");
  require(result.choice.at("reason").get<std::string>().find("panels") == std::string::npos, "{}", result.choice.dump());
  require(result.weight_bytes < uint64_t(64 * 640 * 4), "{} bytes of weights", result.weight_bytes);
}

// Integers that are stored transposed.
void test_integers() {
  constexpr int64_t m = 3, k = 64, n = 801;
  std::vector<int32_t> x(size_t(m * k)), w(size_t(k * n));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int32_t>(i * 7919 % 2001) - 1000;
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int32_t>(i * 104729 % 200003) - 100000;
  const daybreak::Context own = limited(daybreak::Options().set("validation", true));
  GraphBuilder g;
  g.output(g.node("Gemm", {g.input<int32_t>("x", {m, k}), g.param("w", std::span(w), {n, k})}, {{"transB", 1}}), "y");
  daybreak::Executable exec = compile(own, g);
  const std::vector<int32_t> y = sums_of(exec, x, Dims{m, k});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      uint32_t sum = 0;
      for (int64_t q = 0; q < k; ++q) sum += static_cast<uint32_t>(x[size_t(i * k + q)]) * static_cast<uint32_t>(w[size_t(j * k + q)]);
      require_equal(y[size_t(i * n + j)], static_cast<int32_t>(sum), "element");
    }
}

// Bytes on matrices of subgroups, with a zero point for each column.
void test_bytes() {
  only_with_matrices();
  constexpr int64_t m = 11, k = 70, n = 2001;
  std::vector<uint8_t> x(size_t(m * k)), x_zero{131};
  std::vector<int8_t> w(static_cast<size_t>(k * n)), w_zeros(static_cast<size_t>(n));
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<uint8_t>(i * 131 % 251 + 3);
  for (size_t i = 0; i < w.size(); ++i) w[i] = static_cast<int8_t>(i * 37 % 255 - 127);
  for (size_t i = 0; i < w_zeros.size(); ++i) w_zeros[i] = static_cast<int8_t>(i % 19 - 9);
  const daybreak::Context own = limited(forced("coop"));
  GraphBuilder g;
  const Value b = g.param("w", std::span(w), {k, n}), a_zero = g.constant(std::span(x_zero), Dims{}), b_zeros = g.constant(std::span(w_zeros), Dims{n});
  g.output(g.node("MatMulInteger", {g.input("x", DBK_U8, {m, k}), b, a_zero, b_zeros}), "y");
  daybreak::Executable exec = compile(own, g);
  const std::vector<int32_t> y = sums_of(exec, x, Dims{m, k});
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int32_t sum = 0;
      for (int64_t q = 0; q < k; ++q) sum += (x[size_t(i * k + q)] - 131) * (w[size_t(q * n + j)] - w_zeros[size_t(j)]);
      require_equal(y[size_t(i * n + j)], sum, "a sum of bytes");
    }
  const nlohmann::json choice = choice_in(exec.report("placement"));
  require_equal(choice.at("family").get<std::string>(), std::string("coop"), "family");
  require(choice.at("reason").get<std::string>().find("panels of columns") != std::string::npos, "{}", choice.dump());
}

// Codes of 8 bits in two blocks of 32, with scales, zero points and a bias.
void test_codes() {
  constexpr int64_t k = 64, block = 32, blocks = k / block, n = 2001;
  std::vector<uint8_t> codes(size_t(n * k)), zeros(size_t(n * blocks));
  for (size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<uint8_t>(i * 37 % 253);
  for (size_t i = 0; i < zeros.size(); ++i) zeros[i] = static_cast<uint8_t>(120 + i % 17);
  Floats scales = whole_numbers(size_t(n * blocks), 1), bias = whole_numbers(size_t(n), 2);
  const daybreak::Context own = limited(daybreak::Options().set("validation", true));
  for (const int64_t m : {1, 6}) {
    const Floats x = whole_numbers(size_t(m * k), 3);
    GraphBuilder g;
    const Value in = g.input("x", DBK_F32, {m, k}), b = g.param("codes", std::span(codes), {n, blocks, block});
    const Value s = g.param("scales", std::span(scales), {n * blocks}), z = g.param("zeros", std::span(zeros), {n * blocks});
    const Value added = g.param("bias", std::span(bias), {n});
    const daybreak::Op op = daybreak::Op("MatMulNBits").in("com.microsoft");
    g.output(g.node(op, {in, b, s, z, daybreak::absent, added}, {{"K", k}, {"N", n}, {"block_size", block}, {"bits", 8}}), "y");
    daybreak::Executable exec = compile(own, g);
    exec.ready();
    daybreak::Run run(exec);
    const Floats y = run_once(run, x, {m, k});
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        float sum = bias[size_t(j)];
        for (int64_t q = 0; q < k; ++q) {
          const auto at = size_t(j * blocks + q / block);
          sum += x[size_t(i * k + q)] * scales[at] * static_cast<float>(codes[size_t(j * k + q)] - zeros[at]);
        }
        require_equal(y[size_t(i * n + j)], sum, "a sum of codes");
      }
    const nlohmann::json choice = choice_in(exec.report("placement"));
    require(choice.at("reason").get<std::string>().find("panels of columns") != std::string::npos, "{}", choice.dump());
  }
}

// A parameter that is replaced changes in all its panels.
void test_another_weight() {
  const daybreak::Context own = limited(daybreak::Options());
  Layer layer(Form::MatMul, {5, 64, 800});
  Built built(layer, false);
  daybreak::Executable exec = compile(own, built.graph);
  for (const uint32_t seed : {2u, 5u}) {
    layer.weight = whole_numbers(layer.weight.size(), seed, 1);
    exec.set_param("w", daybreak::View(std::span(layer.weight), Dims{layer.k, layer.n}));
    exec.ready();
    daybreak::Run run(exec);
    graphs::bind(run, "x", layer.x, {layer.m, layer.k});
    graphs::bind(run, "rest", layer.rest, {layer.m, layer.n});
    run.run();
    require_results(run, layer);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__,
                   {GRAPH_TEST(test_lane), GRAPH_TEST(test_tile), GRAPH_TEST(test_gemv), GRAPH_TEST(test_line), GRAPH_TEST(test_coop),
                    GRAPH_TEST(test_parts_of_k), GRAPH_TEST(test_rules), GRAPH_TEST(test_a_weight_that_fits_when_it_is_packed),
                    GRAPH_TEST(test_integers), GRAPH_TEST(test_bytes), GRAPH_TEST(test_codes), GRAPH_TEST(test_another_weight)});
}

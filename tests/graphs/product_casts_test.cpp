// Casts between f32 and f16 behind products of matrices: every family of kernels stores the other type itself, with the bits that the graph gives
// node by node.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::half;
using daybreak::Op;

constexpr int64_t kF32 = 1, kF16 = 10;  // as Cast has them
constexpr int64_t kBinding = 96 << 10;

enum class Form { MatMul, ComputedB, Batches, Permuted, Gemm, Split };
constexpr Form kAllForms[] = {Form::MatMul, Form::ComputedB, Form::Batches, Form::Permuted, Form::Gemm, Form::Split};
constexpr const char* kForms[] = {"MatMul", "MatMul of a computed B", "a batch of weights", "MatMul behind a Transpose", "Gemm", "a product that is taken apart"};
constexpr const char* kNodes[] = {"FusedMatMul", "FusedMatMul", "FusedMatMul", "FusedPermutedMatMul", "FusedGemm", "FusedSplitMatMul"};

struct Extents {
  int64_t m, k, n;
};

// Cast(relu(alpha x W + bias) + rest) of whole numbers. `widens`: of f16, so small that it holds every sum, and the rest, in f32, is added behind
// the cast. Else of f32, and columns take turns: in f16 their sums are exact, rounded and infinite.
struct Layer {
  Form form;
  bool widens;
  int64_t m, k, n, batch;
  double alpha;
  Floats x, weight, bias, rest;

  Layer(Form f, bool wide, const Extents& e)
      : form(f), widens(wide), m(e.m), k(e.k), n(e.n), batch(f == Form::Batches || f == Form::Permuted ? 3 : 1), alpha(f == Form::Gemm && m > 8 ? 0.5 : 1),
        x(whole_numbers(size_t(batch * m * k), 1, wide ? 1 : 9)), weight(whole_numbers(size_t(batch * k * n), 2, wide ? 1 : 9)), bias(whole_numbers(size_t(n), 3)),
        rest(whole_numbers(size_t(batch * m * n), 4)) {
    const auto column_of = [&](size_t i) { return form == Form::Gemm ? i / size_t(k) : i % size_t(n); };
    for (size_t i = 0; i < weight.size() && !wide; ++i) weight[i] *= std::array{1.0f, 37.0f, 4096.0f}[column_of(i) % 3];
  }

  bool has_rest() const { return form != Form::Split; }
  bool computes_b() const { return form == Form::ComputedB || form == Form::Permuted; }
  Dims weight_dims() const { return form == Form::Gemm ? Dims{n, k} : form == Form::Permuted ? Dims{k, batch, n} : dims(k, n); }
  int64_t weight_at(int64_t row, int64_t q, int64_t column) const {
    if (form == Form::Gemm) return column * k + q;
    return (form == Form::Permuted ? q * batch + row / m : row / m * k + q) * n + column;
  }
  Dims dims(int64_t rows, int64_t columns) const { return batch > 1 ? Dims{batch, rows, columns} : Dims{rows, columns}; }
  std::vector<int64_t> widths() const { return form == Form::Split ? std::vector{n / 8 * 4, int64_t{4}, n - n / 8 * 4 - 4} : std::vector{n}; }
  std::string text() const { return std::format("{}, {}, {} x {} x {}", kForms[size_t(form)], widens ? "f16 to f32" : "f32 to f16", m, k, n); }

  float expected(int64_t row, int64_t column) const {
    double sum = 0;
    for (int64_t q = 0; q < k; ++q) sum += double{x[size_t(row * k + q)]} * weight[size_t(weight_at(row, q, column))];
    const float y = std::max(static_cast<float>(alpha * sum) + bias[size_t(column)], 0.0f) + (has_rest() ? rest[size_t(row * n + column)] : 0.0f);
    return widens ? y : float{half(y)};
  }
};

// The graph of a layer, with what its parameters lend.
struct Built {
  GraphBuilder graph;
  std::vector<half> weight, bias;
  const Layer& l;

  Built(const Layer& layer, bool rows_are_open) : l(layer) {
    const daybreak::Dim rows = rows_are_open ? daybreak::Dim(graph.symbol("rows", 1, l.m)) : daybreak::Dim(l.m);
    const Value rest = l.has_rest() ? graph.input("rest", DBK_F32, shape(rows, l.n)) : Value{};
    Value y = product(narrow(graph.input("x", DBK_F32, shape(rows, l.k))));
    y = graph.node("Relu", {y});
    if (l.has_rest() && !l.widens) y = graph.node("Add", {y, rest});
    y = graph.node(Op("Cast").named("store"), {y}, {{"to", l.widens ? kF32 : kF16}});
    if (l.has_rest() && l.widens) y = graph.node("Add", {y, rest});
    for (size_t i = 0; const Value part : parts(y)) graph.output(part, std::format("y{}", i++));
  }

  daybreak::Shape shape(daybreak::Dim rows, int64_t columns) const {
    return l.batch > 1 ? daybreak::Shape{l.batch, rows, columns} : daybreak::Shape{rows, columns};
  }
  Value narrow(Value v) { return l.widens ? graph.node("Cast", {v}, {{"to", kF16}}) : v; }

  Value param(const char* name, const Floats& numbers, std::vector<half>& halves, const Dims& dims) {
    if (!l.widens) return graph.param(name, std::span(numbers), dims);
    halves.assign(numbers.begin(), numbers.end());
    return graph.param(name, std::span(halves), dims);
  }

  Value product(Value x) {
    const Value b = param("bias", l.bias, bias, {l.n});
    Value w = l.computes_b() ? narrow(graph.input("w", DBK_F32, daybreak::Shape(l.weight_dims()))) : param("w", l.weight, weight, l.weight_dims());
    if (l.form == Form::Gemm) return graph.node("Gemm", {x, w, b}, {{"transB", 1}, {"alpha", l.alpha}});
    if (l.form == Form::Permuted) w = graph.node("Transpose", {w}, {{"perm", std::vector<int64_t>{1, 0, 2}}});
    return graph.node("Add", {graph.node("MatMul", {x, w}), b});
  }

  std::vector<Value> parts(Value y) {
    const std::vector<int64_t> widths = l.widths();
    if (widths.size() == 1) return {y};
    const Value inputs[] = {y, graph.constant(std::span<const int64_t>(widths), {static_cast<int64_t>(widths.size())})};
    const daybreak::Attr attrs[] = {{"axis", int64_t{-1}}};
    return graph.nodes("Split", inputs, attrs, std::vector<bool>(widths.size(), true));
  }
};

std::vector<Floats> results_of(const daybreak::Executable& exec, const Layer& l) {
  daybreak::Run run(exec);
  graphs::bind(run, "x", l.x, l.dims(l.m, l.k));
  if (l.has_rest()) graphs::bind(run, "rest", l.rest, l.dims(l.m, l.n));
  if (l.computes_b()) graphs::bind(run, "w", l.weight, l.weight_dims());
  run.run();
  std::vector<Floats> results;
  for (uint32_t i = 0; i < l.widths().size(); ++i) {
    if (l.widens) {
      results.push_back(run.read<float>(i));
      continue;
    }
    const std::vector<half> halves = run.read<half>(i);
    results.emplace_back(halves.begin(), halves.end());
  }
  return results;
}

void require_numbers(const std::vector<Floats>& results, const Layer& l) {
  size_t infinite = 0;
  int64_t first = 0;
  for (size_t p = 0; const int64_t width : l.widths()) {
    const Floats& part = results[p++];
    require_equal(part.size(), size_t(l.batch * l.m * width), "results");
    for (int64_t i = 0; i < l.batch * l.m; ++i)
      for (int64_t j = 0; j < width; ++j) {
        const float expected = l.expected(i, first + j), actual = part[size_t(i * width + j)];
        require(actual == expected, "{}: [{}, {}] is {}, not {}", l.text(), i, first + j, actual, expected);
        infinite += std::isinf(actual);
      }
    first += width;
  }
  require((infinite > 0) == !l.widens, "{}: {} results are infinite", l.text(), infinite);
}

struct Outcome {
  std::string family, reason;
};

Outcome check(const daybreak::Context& own, const Layer& l) {
  Built built(l, /*rows_are_open=*/l.m == 5);
  daybreak::Executable exec = own.compile(built.graph, {.device = device().index});
  exec.ready();
  require_numbers(results_of(exec, l), l);
  nlohmann::json store = placement_of(exec, "store");
  if (store.at("where") == "fused") store = report(exec, "placement").at("nodes").at(store.at("into").get<size_t>());
  require_equal(store.at("op").get<std::string>(), std::string(kNodes[size_t(l.form)]), l.text().c_str());
  if (!on_gpu()) return {};
  return {store.at("choice").at("family"), store.at("choice").at("reason")};
}

struct Forced {
  const char* family;
  const char* variant = "";
};
// `line` with all of k in one dispatch, and by steps.
constexpr Forced kFamilies[] = {{"lane"}, {"lane", "split"}, {"line"}, {"line", "4x16"}, {"tile"}, {"tile", "split"},
                                {"gemv"}, {"gemv", "split"}, {"gemv", "8x16-packed"}, {"coop"}, {"coop", "split"}};

bool is_there(const Forced& forced) {
  const bool wants_matrices = std::string_view(forced.family) == "coop" || std::string_view(forced.variant).find("packed") != std::string_view::npos;
  if (wants_matrices && !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) return false;
  return std::string_view(forced.family) != "line" || (device().subgroup_min == 8 && device().subgroup_max == 8);
}

daybreak::Context context_with(const Forced& forced, daybreak::Options options = {}) {
  options.set("validation", std::string_view(forced.family) != "line").set("matmul_family", forced.family).set("matmul_variant", forced.variant);
  return daybreak::Context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options);
}

void only_on_gpus() {
  if (!on_gpu()) throw Skip("the CPU has no such families");
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
}

// The last ones take few dispatches of `line`, or many.
constexpr Extents kExtents[] = {{1, 64, 48}, {5, 100, 36}, {8, 67, 130}, {40, 132, 64}, {2, 1040, 20}};

void test_each_family() {
  only_on_gpus();
  for (const Forced& forced : kFamilies) {
    if (!is_there(forced)) continue;
    const daybreak::Context own = context_with(forced);
    for (const Form form : kAllForms) {
      size_t taken = 0;
      for (const bool widens : {false, true})
        for (const Extents& extents : kExtents) {
          const Layer layer(form, widens, extents);
          const auto [family, reason] = check(own, layer);
          taken += family == forced.family;
          require(family == forced.family || reason.find(" cannot: ") != std::string::npos, "{}: {} instead of {}, because {}", layer.text(), family, forced.family, reason);
        }
      const bool never = *forced.variant == '8' && (form == Form::Batches || Layer(form, false, kExtents[0]).computes_b());  // no weight that is stored
      require(taken >= 2 || never, "{}: {} {} takes {} of them", kForms[size_t(form)], forced.family, forced.variant, taken);
    }
  }
}

// Kernels that rules choose, on the CPU the library's and the host's own, against the graph as it is given.
void test_by_rule() {
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
  for (const Form form : kAllForms)
    for (const bool widens : {false, true})
      for (const Extents& extents : kExtents) {
        const Layer layer(form, widens, extents);
        check(context(), layer);
        Built plain(layer, false);
        require_numbers(results_of(prepare(plain.graph, unfused()), layer), layer);
      }
}

// Weights larger than a binding, in panels of columns.
void test_panels() {
  only_on_gpus();
  for (const char* family : {"lane", "line", "tile", "gemv", "coop"}) {
    if (!is_there({family})) continue;
    const daybreak::Context own = context_with({family}, daybreak::Options().set("max_binding", kBinding));
    for (const Form form : {Form::MatMul, Form::Gemm, Form::Split})
      for (const bool widens : {false, true}) {
        const Layer layer(form, widens, {5, 72, std::string_view(family) == "line" ? 800 : 801});
        const auto [taken, reason] = check(own, layer);
        require(taken == family && reason.find("panels of columns") != std::string::npos, "{}: {}, because {}", layer.text(), taken, reason);
      }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_each_family), GRAPH_TEST(test_by_rule), GRAPH_TEST(test_panels)});
}

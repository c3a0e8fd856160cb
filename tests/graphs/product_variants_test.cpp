// Every variant of every family of products that a device knows, also those that its rules never choose, forced: each is taken for some product of
// each type, and right. Those of graphics hardware, and others that the device has as it is. A family may be named behind the device.
#include <algorithm>
#include <cstdlib>
#include <set>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

enum class B { Weight, TransposedWeight, Computed, TransposedComputed };

// relu(x B + bias) of whole numbers, of which f16 holds every sum. Computed B come in batches; a transposed weight is Gemm's.
struct Product {
  uint32_t dtype;
  B b;
  int64_t m, k, n;
  const char* precision = "f32";

  bool computed() const { return b == B::Computed || b == B::TransposedComputed; }
  bool transposed() const { return b == B::TransposedWeight || b == B::TransposedComputed; }
  int64_t batch() const { return computed() ? 2 : 1; }
  Dims dims(int64_t rows, int64_t columns) const { return computed() ? Dims{batch(), rows, columns} : Dims{rows, columns}; }
  Dims b_dims() const { return transposed() ? dims(n, k) : dims(k, n); }
  int64_t b_at(int64_t step, int64_t column) const { return transposed() ? column * k + step : step * n + column; }
  std::string text() const {
    constexpr const char* kNames[] = {"a weight", "a transposed weight", "a computed B", "a transposed computed B"};
    return std::format("{} x {} x {} of {}, {}, precision={}", m, k, n, dtype == DBK_F16 ? "f16" : "f32", kNames[size_t(b)], precision);
  }
};

// A product with its numbers and what it gives.
struct Example {
  Product p;
  Floats x, b, bias, expected;

  explicit Example(const Product& product)
      : p(product), x(whole_numbers(size_t(p.batch() * p.m * p.k), 1, 1)), b(whole_numbers(size_t(p.batch() * p.k * p.n), 2, 1)),
        bias(whole_numbers(size_t(p.n), 3)), expected(size_t(p.batch() * p.m * p.n)) {
    for (int64_t row = 0; row < p.batch() * p.m; ++row)
      for (int64_t column = 0; column < p.n; ++column) {
        float sum = bias[size_t(column)];
        for (int64_t step = 0; step < p.k; ++step) sum += x[size_t(row * p.k + step)] * b[size_t(row / p.m * p.k * p.n + p.b_at(step, column))];
        expected[size_t(row * p.n + column)] = std::max(sum, 0.0f);
      }
  }
};

// The graph of an example, with what its parameters lend.
struct Built {
  GraphBuilder graph;
  std::vector<_Float16> weight, bias;

  explicit Built(const Example& e) {
    const Value x = input(e.p, "x", e.p.dims(e.p.m, e.p.k)), plus = param(e.p, "bias", e.bias, bias, {e.p.n});
    const Value b = e.p.computed() ? input(e.p, "b", e.p.b_dims()) : param(e.p, "b", e.b, weight, e.p.b_dims());
    const Value y = graph.node("Relu", {e.p.b == B::TransposedWeight ? graph.node("Gemm", {x, b, plus}, {{"transB", 1}}) : graph.node("Add", {product(e.p, x, b), plus})});
    graph.output(e.p.dtype == DBK_F32 ? y : graph.node("Cast", {y}, {{"to", 1}}), "y");
  }

  Value product(const Product& p, Value x, Value b) {
    if (!p.transposed()) return graph.node("MatMul", {x, b});
    return graph.node(daybreak::Op("FusedMatMul").in("com.microsoft"), {x, b}, {{"transB", 1}});
  }

  Value input(const Product& p, const char* name, const Dims& dims) {
    const Value given = graph.input(name, DBK_F32, dims);
    return p.dtype == DBK_F32 ? given : graph.node("Cast", {given}, {{"to", 10}});
  }

  Value param(const Product& p, const char* name, const Floats& numbers, std::vector<_Float16>& halves, const Dims& dims) {
    if (p.dtype == DBK_F32) return graph.param(name, std::span(numbers), dims);
    for (const float x : numbers) halves.push_back(static_cast<_Float16>(x));
    return graph.param(name, DBK_F16, dims, std::as_bytes(std::span(halves)));
  }
};

daybreak::Context context_with(std::string_view family, const std::string& variant, const char* kernels) {
  const auto options = daybreak::Options().set("kernels", kernels).set("validation", family != "line").set("matmul_family", std::string(family)).set("matmul_variant", variant);
  return daybreak::Context(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), options);
}

daybreak::Executable compiled(const daybreak::Context& own, Built& built, const char* precision) {
  return own.compile(built.graph, {.options = daybreak::Options().set("precision", precision), .device = device().index});
}

// What the refusal of a name that no variant has lists.
std::vector<std::string> known_variants(std::string_view family, const char* kernels) {
  Built built(Example({DBK_F32, B::Weight, 3, 4, 4}));
  const std::string told = std::format("is none of option matmul_family={}: ", family);
  const daybreak::Error e = require_failure(DBK_INVALID_ARGUMENT, {told}, [&] { compiled(context_with(family, "no such variant", kernels), built, "f32"); });
  std::string list = e.what();
  list.erase(0, list.find(told) + told.size());
  std::vector<std::string> names;
  for (size_t end; !list.empty(); list.erase(0, end == std::string::npos ? end : end + 2)) end = list.find(", "), names.push_back(list.substr(0, end));
  return names;
}

// Whether it is the variant that is taken; if so, its numbers are right.
bool taken(const daybreak::Context& own, std::string_view family, std::string_view variant, const Example& e) {
  Built built(e);
  daybreak::Executable exec = compiled(own, built, e.p.precision);
  const nlohmann::json choice = choice_in(exec.report("placement"));
  const std::string name = choice.at("variant");
  if (choice.at("family") != family || (variant == "split" ? !name.ends_with("-split") : name != variant)) return false;
  const bool sums_in_f16 = choice.at("tile").get<std::string>().find("f16 to f16") != std::string::npos;
  require_equal(sums_in_f16, std::string_view(e.p.precision) == "f16", choice.dump().c_str());
  exec.ready();
  daybreak::Run run(exec);
  graphs::bind(run, "x", e.x, e.p.dims(e.p.m, e.p.k));
  if (e.p.computed()) graphs::bind(run, "b", e.b, e.p.b_dims());
  run.run();
  require_same(run.read<float>(0), e.expected, std::format("{} {}, {}", family, variant, e.p.text()).c_str());
  return true;
}

void check(std::string_view family, std::initializer_list<Product> products) {
  if (!on_gpu()) throw Skip("the CPU has no variants");
  std::vector<Example> examples;
  for (const Product& p : products)
    if (p.dtype == DBK_F32 || device().has(DBK_FEATURE_F16)) examples.emplace_back(p);
  std::set<std::string> seen;
  for (const char* kernels : {"hardware", "auto"}) {
    if (family == "line" && std::string_view(kernels) == "hardware") continue;
    for (const std::string& variant : known_variants(family, kernels)) {
      if (!seen.insert(variant).second) continue;
      const daybreak::Context own = context_with(family, variant, kernels);
      std::set<uint32_t> wanted, types;
      for (const Example& e : examples) {
        wanted.insert(e.p.dtype);
        if (taken(own, family, variant, e)) types.insert(e.p.dtype);
      }
      require(types == wanted, "{} {} is taken for products of {} types, not of {}", family, variant, types.size(), wanted.size());
    }
  }
}

// Edges of all tiles; vectors of both operands, of one and of none; a k that is cut into more than two parts.
void test_lane() {
  check("lane", {{DBK_F32, B::Weight, 131, 67, 139}, {DBK_F16, B::TransposedWeight, 133, 68, 141}, {DBK_F32, B::Computed, 130, 1028, 132}, {DBK_F16, B::TransposedComputed, 129, 69, 137}});
}

void test_tile() {
  check("tile", {{DBK_F32, B::Weight, 131, 67, 139}, {DBK_F16, B::TransposedWeight, 133, 68, 141}, {DBK_F32, B::Computed, 130, 1028, 132}, {DBK_F16, B::Weight, 141, 70, 260}});
}

void test_gemv() {
  check("gemv", {{DBK_F32, B::Weight, 5, 67, 139}, {DBK_F16, B::Weight, 1, 68, 140}, {DBK_F32, B::TransposedWeight, 3, 131, 133}, {DBK_F16, B::Computed, 8, 1029, 139}, {DBK_F16, B::TransposedComputed, 7, 69, 137}});
}

void test_coop() {
  if (on_gpu() && !device().has(DBK_FEATURE_SUBGROUP_MATRIX)) throw Skip("no matrices of subgroups");
  check("coop", {{DBK_F32, B::Weight, 131, 67, 139}, {DBK_F16, B::TransposedWeight, 133, 68, 141, "f16"}, {DBK_F32, B::TransposedComputed, 130, 69, 132}, {DBK_F16, B::Computed, 129, 1028, 137}});
}

// m in whole tiles and not; a weight in blocks and not, and turned.
void test_line() {
  if (on_gpu() && (device().subgroup_min != 8 || device().subgroup_max != 8)) throw Skip("no vectors of 8");
  check("line", {{DBK_F32, B::Weight, 131, 384, 144}, {DBK_F16, B::Weight, 133, 384, 144}, {DBK_F32, B::TransposedWeight, 192, 84, 144}, {DBK_F32, B::Computed, 130, 84, 140}, {DBK_F16, B::TransposedComputed, 131, 148, 132}});
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<NamedTest> tests{GRAPH_TEST(test_lane), GRAPH_TEST(test_tile), GRAPH_TEST(test_gemv), GRAPH_TEST(test_coop), GRAPH_TEST(test_line)};
  if (argc > 2) std::erase_if(tests, [&](const NamedTest& test) { return std::string_view(test.name) != std::format("test_{}", argv[2]); });
  return run_tests(argc, argv, __FILE__, tests);
}

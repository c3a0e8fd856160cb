// Casts between f32 and f16 behind convolutions, and which casts become part of a product at all.
#include <cstdlib>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::half;
using daybreak::Op;

constexpr int64_t kF32 = 1, kF16 = 10;  // as Cast has them

struct Geometry {
  Dims x, w, y;
  std::vector<int64_t> pads;
};
// Of `line` kernels, sums that lie as results do, with long sums and short, and others; then one too small for them.
const Geometry kConvolutions[] = {{{2, 16, 8, 16}, {36, 16, 1, 1}, {2, 36, 8, 16}, {0, 0, 0, 0}},
                                  {{2, 7, 16, 16}, {21, 7, 3, 3}, {2, 21, 16, 16}, {1, 1, 1, 1}},
                                  {{2, 16, 15, 17}, {18, 16, 1, 1}, {2, 18, 15, 17}, {0, 0, 0, 0}},
                                  {{1, 3, 5, 5}, {4, 3, 3, 3}, {1, 4, 3, 3}, {0, 0, 0, 0}}};

struct Convolved {
  Floats y;
  nlohmann::json node;
};

Convolved convolved(const daybreak::Context& own, const Geometry& form, bool widens, const char* fusion) {
  const auto numbers = [&](const Dims& dims, uint32_t seed) { return whole_numbers(static_cast<size_t>(dims.product()), seed, widens ? 1 : 9); };
  const Floats x = numbers(form.x, 1), w = numbers(form.w, 2), bias = numbers({form.w[0]}, 3), rest = numbers(form.y, 4);
  GraphBuilder g;
  const auto given = [&](Value v) { return widens ? g.node("Cast", {v}, {{"to", kF16}}) : v; };
  const std::vector<Value> operands{given(g.input("x", DBK_F32, daybreak::Shape(form.x))), given(g.param("w", std::span(w), form.w)), given(g.param("bias", std::span(bias), {form.w[0]}))};
  Value y = g.nodes("Conv", operands, std::vector<daybreak::Attr>{{"pads", form.pads}}, {true})[0];
  y = g.node("Mul", {y, g.node("Cast", {g.scalar(widens ? 2.0f : 37.0f)}, {{"to", widens ? kF16 : kF32}})});
  y = g.node("Add", {g.node("Relu", {y}), given(g.input("rest", DBK_F32, daybreak::Shape(form.y)))});
  g.output(g.node(Op("Cast").named("store"), {y}, {{"to", widens ? kF32 : kF16}}), "y");
  daybreak::Executable exec = own.compile(g, {.options = daybreak::Options().set("fusion", fusion), .device = device().index});
  exec.ready();
  daybreak::Run run(exec);
  graphs::bind(run, "x", x, form.x);
  graphs::bind(run, "rest", rest, form.y);
  run.run();
  const nlohmann::json node = placement_of(exec, "store");
  if (widens) return {run.read<float>(0), node};
  const std::vector<half> halves = run.read<half>(0);
  return {Floats(halves.begin(), halves.end()), node};
}

void test_convolutions() {
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
  const daybreak::Context unchecked(daybreak::Plugin::load(std::getenv("DAYBREAK_PLUGIN")), daybreak::Options().set("validation", false));
  const bool has_lines = device().kind == DBK_DEVICE_SOFTWARE_GPU && device().subgroup_min == 8 && device().subgroup_max == 8;
  for (const Geometry& form : kConvolutions)
    for (const bool widens : {false, true})
      for (const daybreak::Context* own : {&context(), &unchecked}) {
        if (own == &unchecked && !on_gpu()) continue;
        const auto [y, node] = convolved(*own, form, widens, "on");
        require_same(y, convolved(context(), form, widens, "off").y, widens ? "f16 to f32" : "f32 to f16");
        require_equal(node.at("op").get<std::string>(), std::string("FusedConv"), node.dump().c_str());
        const bool lines = has_lines && own == &unchecked && !widens && &form != std::end(kConvolutions) - 1;
        if (on_gpu()) require_equal(node.at("choice").at("family").get<std::string>(), std::string(lines ? "line" : "direct"), node.dump().c_str());
      }
}

// x, a row of ones, times a column of them: in f16 that is no number of its own.
Floats sum_of_ones(const std::function<Value(GraphBuilder&, Value)>& behind) {
  constexpr int64_t k = 2049;
  GraphBuilder g;
  const std::vector<half> ones(size_t(k * 4), half(1));
  const Value product = g.node("MatMul", {g.node("Cast", {g.input("x", DBK_F32, {1, k})}, {{"to", kF16}}), g.param("w", std::span(ones), {k, 4})});
  g.output(behind(g, product), "y");
  const daybreak::Executable exec = prepare(g);
  daybreak::Run run(exec);
  return run_once(run, Floats(size_t(k), 1.0f), {1, k});
}

// What kernels have in registers is f32: a sum that is widened was never rounded there. On the host every step gives its own type.
void test_sums_are_widened_as_they_are() {
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
  const Floats widened = sum_of_ones([](GraphBuilder& g, Value v) { return g.node("Cast", {v}, {{"to", kF32}}); });
  require_same(widened, Floats(4, on_gpu() ? 2049.0f : 2048.0f), "a sum in f16");
}

// Behind a cast to f16 nothing goes on in registers, and what cannot be part of the product takes the cast that widens with it.
void test_casts_that_are_elsewhere() {
  if (!device().has(DBK_FEATURE_F16)) throw Skip("no f16");
  const auto placed = [](uint32_t dtype, int64_t to, std::initializer_list<int64_t> mask) {
    GraphBuilder g;
    const Value product = g.node(Op("MatMul").named("product"), {g.input("a", dtype, {2, 3, 8}), g.input("b", dtype, {2, 8, 4})});
    const Value cast = g.node(Op("Cast").named("cast"), {product}, {{"to", to}});
    g.output(g.node(Op("Add").named("sum"), {cast, g.input("mask", dtype == DBK_F16 ? DBK_F32 : DBK_F16, daybreak::Shape(Dims(mask)))}), "y");
    const daybreak::Executable exec = compile(g);
    std::string text;
    for (const char* name : {"product", "cast", "sum"}) text += placement_of(exec, name).at("where") == "fused" ? "f" : "-";
    return text;
  };
  require_equal(placed(DBK_F32, kF16, {2, 3, 4}), std::string("f--"), "rounded, then a sum");
  require_equal(placed(DBK_F16, kF32, {2, 3, 4}), std::string("ff-"), "widened, then a sum");
  require_equal(placed(DBK_F16, kF32, {3, 4}), std::string("-f-"), "widened for a sum that broadcasts");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_convolutions), GRAPH_TEST(test_sums_are_widened_as_they_are), GRAPH_TEST(test_casts_that_are_elsewhere)});
}

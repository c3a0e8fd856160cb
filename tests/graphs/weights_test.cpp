// Parameters: replaced between runs, given late, shared between executables, in one copy on the device, or in none
// where the host lends them.
#include <cstdlib>
#include <memory>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

const Floats kX{1, 2, 3, 4};

daybreak::Executable scaled_by_parameter() {
  GraphBuilder g;
  g.output(g.node("Neg", {g.node("Mul", {g.input<float>("x", {4}), g.param<float>("w", {4})})}), "y");
  return compile(g);
}

Floats expected_of(const Floats& w) {
  Floats result;
  for (size_t i = 0; i < 4; ++i) result.push_back(-kX[i] * w[i]);
  return result;
}

void test_parameter_without_data() {
  auto exec = scaled_by_parameter();
  require_failure(DBK_FAILED_PRECONDITION, {"w"}, [&] { exec.ready(); });
  require((exec.io(DBK_PARAM, "w").flags & DBK_IO_DATA_SET) == 0, "an empty parameter counts as set");
  const Floats w{5, 6, 7, 8};
  exec.set_param("w", std::span(w));
  require((exec.io(DBK_PARAM, "w").flags & DBK_IO_DATA_SET) != 0, "a set parameter counts as empty");
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {4}), expected_of(w), "late data");
}

void test_replacement_changes_results() {
  auto exec = scaled_by_parameter();
  Floats w{1, 1, 1, 1};
  exec.set_param("w", std::span(w));
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {4}), expected_of(w), "first");
  const uint64_t built = exec.stats().pipelines_built;
  for (float factor : {2.0f, -3.0f, 0.5f}) {
    w = {factor, factor + 1, factor + 2, factor + 3};
    exec.set_param("w", std::span(w));
    require_failure(DBK_FAILED_PRECONDITION, {"ready"}, [&] { run.run(); });
    exec.ready();
    run.run();
    require_same(run.read<float>(0), expected_of(w), "replaced");
  }
  require_equal(exec.stats().pipelines_built, built, "pipelines built by replacements");
}

void test_strided_and_unaligned_data() {
  auto exec = scaled_by_parameter();
  const Floats table{1, 2, 3, 4, 5, 6, 7, 8};
  exec.set_param("w", daybreak::View(std::span(table), Dims{4, 2}).select(1, 1));
  exec.ready();
  daybreak::Run run(exec);
  require_same(run_once(run, kX, {4}), expected_of({2, 4, 6, 8}), "strided");
  exec.set_param("w", daybreak::View(std::span(table), Dims{8}).slice(0, 7, 4, -2));
  exec.ready();
  run.run();
  require_same(run.read<float>(0), expected_of({8, 6, 4, 2}), "backward");
  std::vector<std::byte> bytes(17);
  std::memcpy(bytes.data() + 1, table.data(), 16);
  exec.set_param("w", daybreak::View(std::span<const std::byte>(bytes).subspan(1), DBK_F32, Dims{4}),
                 DBK_UNTIL_DESTROY);
  exec.ready();
  run.run();
  require_same(run.read<float>(0), expected_of({1, 2, 3, 4}), "unaligned and borrowed");
}

void test_wrong_data_is_refused() {
  auto exec = scaled_by_parameter();
  const Floats five(5);
  require_failure(DBK_INVALID_ARGUMENT, {"w", "[4]", "[5]"},
                  [&] { exec.set_param("w", daybreak::View(std::span(five), Dims{5})); });
  require_failure(DBK_NOT_FOUND, {"ww", "w"}, [&] { exec.set_param("ww", std::span(five)); });
}

// The second graph is another one, with a parameter of the same name and no data.
void test_shared_by_two_executables() {
  const Floats w{2, 3, 4, 5};
  auto first = scaled_by_parameter();
  first.set_param("w", std::span(w));
  first.ready();
  GraphBuilder g;
  g.output(g.node("Add", {g.input<float>("x", {4}), g.param<float>("w", {4})}), "y");
  auto second = context().compile(g, {.device = device().index, .share = &first});
  second.ready();
  daybreak::Run run_second(second), run_first(first);
  require_same(run_once(run_second, kX, {4}), {3, 5, 7, 9}, "sum");
  require_same(run_once(run_first, kX, {4}), expected_of(w), "product");
  const Floats other{1, 1, 1, 1};
  first.set_param("w", std::span(other));
  first.ready();
  run_first.run();
  require_same(run_first.read<float>(0), expected_of(other), "product after a replacement");
  run_second.run();
  require_same(run_second.read<float>(0), {3, 5, 7, 9}, "the other executable after a replacement");
}

// Equal bytes, of which kernels for products want something else as soon as type or extents are others.
void test_equal_bytes_of_other_types() {
  constexpr int64_t kRows = 64, kDepth = 128;
  std::vector<_Float16> halves(kRows * kDepth);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<_Float16>(static_cast<int>(i * 7 % 5) - 2);
  const auto bytes = std::as_bytes(std::span(halves));
  const auto product = [&](uint32_t dtype, Dims dims) {
    GraphBuilder g;
    const auto x = g.input<float>("x", {8, dims[1]});
    const auto a = dtype == DBK_F16 ? g.node("Cast", {x}, {{"to", 10}}) : x;
    g.output(g.node("Cast", {g.node("Gemm", {a, g.param("w", dtype, dims, bytes)}, {{"transB", 1}})}, {{"to", 1}}), "y");
    auto exec = compile(g);
    exec.ready();
    return exec;
  };
  const auto singles = product(DBK_F32, {kRows, kDepth / 2}), other_extents = product(DBK_F16, {kRows * 2, kDepth / 2});
  auto exec = product(DBK_F16, {kRows, kDepth});
  Floats x(8 * kDepth), expected(8 * kRows);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(static_cast<int>(i * 3 % 7) - 3);
  for (size_t i = 0; i < expected.size(); ++i)
    for (size_t k = 0; k < kDepth; ++k) expected[i] += x[i / kRows * kDepth + k] * static_cast<float>(halves[i % kRows * kDepth + k]);
  daybreak::Run run(exec);
  require_same(run_once(run, x, {8, kDepth}), expected, "a weight whose bytes another type has, too");
}

// Bytes that begin and end at pages, filled with whole numbers.
class Lent {
 public:
  static constexpr size_t kPage = 4096;
  Lent(size_t pages, uint32_t seed)
      : memory_(static_cast<float*>(std::aligned_alloc(kPage, pages * kPage)), std::free) {
    const Floats numbers = whole_numbers(pages * kPage / 4, seed);
    std::ranges::copy(numbers, memory_.get());
    data_ = std::span(memory_.get(), numbers.size());
  }
  std::span<float> data() const { return data_; }
  int64_t count() const { return static_cast<int64_t>(data_.size()); }

 private:
  std::unique_ptr<float, void (*)(void*)> memory_;
  std::span<float> data_;
};

Floats products(std::span<const float> a, std::span<const float> b) {
  Floats result;
  for (size_t i = 0; i < a.size(); ++i) result.push_back(a[i] * b[i]);
  return result;
}

daybreak::Executable product_with(const Lent& w, uint32_t ownership, const daybreak::Executable* share = nullptr) {
  GraphBuilder g;
  const Value x = g.input<float>("x", {w.count()});
  g.output(
      g.node("Mul", {x, share ? g.param<float>("w", {w.count()}) : g.param("w", w.data(), {w.count()}, ownership)}),
      "y");
  daybreak::Executable exec = context().compile(g, {.device = device().index, .share = share});
  exec.ready();
  return exec;
}

bool borrows() { return device().has(DBK_FEATURE_BORROW); }

void require_borrowed(const daybreak::Executable& exec, bool borrowed, uint64_t bytes) {
  const auto plan = report(exec, "plan");
  require_equal(exec.stats().weight_bytes, borrowed ? 0 : bytes, "weight_bytes");
  require_equal(uint64_t(plan.at("weight_bytes")), borrowed ? 0 : bytes, "weight_bytes of the plan");
  require_equal(uint64_t(plan.at("borrowed_bytes")), borrowed ? bytes : 0, "borrowed_bytes of the plan");
  for (const auto& value : plan.at("values"))
    if (value.at("name") == "w")
      require_equal(value.at("place").value("borrowed", false), borrowed, "'borrowed' of the weight");
}

// What the host lends is read where it is. A host must leave it alone; a test that does not sees that nobody has a
// copy.
void test_lent_weight_is_not_copied() {
  const Lent w(3, 20);
  const uint64_t before = context().stats().upload_bytes;
  auto exec = product_with(w, DBK_UNTIL_DESTROY);
  require_borrowed(exec, borrows(), w.data().size_bytes());
  if (borrows()) require_equal(context().stats().upload_bytes, before, "upload_bytes");
  daybreak::Run run(exec);
  const Floats x = whole_numbers(w.data().size(), 21);
  require_same(run_once(run, x, {w.count()}), products(x, w.data()), "a lent weight");
  if (!borrows()) throw Skip("this device copies what it is lent");
  w.data()[5] += 1;
  run.run();
  require_same(run.read<float>(0), products(x, w.data()), "a lent weight, changed");
}

void test_copied_weight_is_no_loan() {
  const Lent w(2, 22);
  auto exec = product_with(w, DBK_COPY);
  require_borrowed(exec, false, w.data().size_bytes());
}

// Not aligned to its elements: the one case in which the CPU copies what it is lent. A GPU copies what is not whole
// pages.
void test_awkward_loans_are_copied() {
  const Lent w(2, 23);
  const auto bytes = std::as_writable_bytes(w.data());
  const int64_t count = 1000;
  const Floats x = whole_numbers(count, 24);
  for (const size_t offset : {1, 4}) {
    GraphBuilder g;
    g.output(g.node("Mul", {g.input<float>("x", {count}), g.param<float>("w", {count})}), "y");
    auto exec = compile(g);
    const Floats expected = whole_numbers(count, 33);
    std::memcpy(bytes.data() + offset, expected.data(), count * 4);
    exec.set_param("w", daybreak::View(std::span<const std::byte>(bytes).subspan(offset, count * 4), DBK_F32, {count}),
                   DBK_UNTIL_DESTROY);
    exec.ready();
    require_borrowed(exec, !on_gpu() && offset == 4, count * 4);
    daybreak::Run run(exec);
    require_same(run_once(run, x, {count}), products(x, expected), "an awkward loan");
  }
}

void test_sharing_a_loan() {
  const Lent w(2, 25);
  const Floats x = whole_numbers(w.data().size(), 26);
  daybreak::Executable second;
  {
    const auto first = product_with(w, DBK_UNTIL_DESTROY);
    second = product_with(w, DBK_UNTIL_DESTROY, &first);
    require_borrowed(second, borrows(), w.data().size_bytes());
  }
  daybreak::Run run(second);
  require_same(run_once(run, x, {w.count()}), products(x, w.data()), "a loan that was shared");
}

// Equal bytes are one buffer of a GPU, however they came, under whatever name and shape, as long as anybody has them.
void test_equal_weights_are_stored_once() {
  if (!on_gpu()) throw Skip("on the CPU weights are where set_param or the host put them");
  const Floats w = whole_numbers(64 * 64, 27), x = whole_numbers(64 * 64, 28);
  const auto build = [&](const char* name, const Dims& dims) {
    const Floats own = w;  // another address
    GraphBuilder g;
    g.output(g.node("Mul", {g.input("x", DBK_F32, daybreak::Shape(dims)), g.param(name, std::span(own), dims)}), "y");
    return prepare(g);
  };
  const uint64_t before = context().stats().weight_bytes;
  auto first = std::make_unique<daybreak::Executable>(build("w", {64, 64}));
  const uint64_t uploaded = context().stats().upload_bytes;
  const auto second = build("other", {16, 256});
  require_equal(context().stats().upload_bytes, uploaded, "upload_bytes");
  require_equal(context().stats().weight_bytes, before + w.size() * 4, "weight_bytes of the context");
  require_equal(second.stats().weight_bytes, w.size() * 4, "weight_bytes of the second");
  first.reset();
  require_equal(context().stats().weight_bytes, before + w.size() * 4, "weight_bytes without the first");
  daybreak::Run run(second);
  require_same(run_once(run, x, {16, 256}), products(x, w), "a weight that was shared");
}

void test_replacement_touches_nothing_else() {
  const Floats a = whole_numbers(1024, 29), b = whole_numbers(256, 30), c = whole_numbers(256, 31);
  GraphBuilder g;
  const Value x = g.input<float>("x", {4, 256});
  g.output(g.node("Add", {g.node("Mul", {x, g.param("a", std::span(a), {4, 256})}), g.param("b", std::span(b), {256})}),
           "y");
  auto exec = prepare(g);
  const uint64_t before = exec.stats().upload_bytes;
  exec.set_param("b", std::span(c));
  exec.ready();
  if (on_gpu()) require_equal(exec.stats().upload_bytes - before, uint64_t{1024}, "bytes uploaded for a replacement");
  daybreak::Run run(exec);
  Floats expected;
  for (size_t i = 0; i < 1024; ++i) expected.push_back(a[i] * a[i] + c[i % 256]);
  require_same(run_once(run, a, {4, 256}), expected, "a a + c");
}

// Lent weights count nothing against the budget, copied ones do, and a replacement can turn one into the other.
void test_budget_counts_no_loans() {
  if (!borrows()) throw Skip("this device copies what it is lent");
  const Lent w(16, 32);
  const auto room = static_cast<int64_t>(5 * w.data().size_bytes()) - 1;  // for a run, and not for the weight
  GraphBuilder g;
  const Value x = g.input<float>("x", {w.count()}), p = g.param("w", w.data(), {w.count()}, DBK_UNTIL_DESTROY);
  g.output(g.node("Mul", {g.node("Neg", {g.node("Mul", {x, p})}), p}), "y");
  auto exec = prepare(g, unfused().set("memory_budget", room));
  exec.set_param("w", std::span<const float>(w.data()));
  require_failure(DBK_OUT_OF_MEMORY, {"memory_budget"}, [&] { exec.ready(); });
  exec.set_param("w", std::span<const float>(w.data()), DBK_UNTIL_DESTROY);
  exec.ready();
}

void test_one_weight_used_twice_is_stored_once() {
  const Floats w = whole_numbers(64 * 64, 5);
  GraphBuilder g;
  const Value p = g.param("w", DBK_F32, {64, 64}, std::as_bytes(std::span(w)));
  const Value x = g.input<float>("x", {2, 64});
  g.output(g.node("MatMul", {g.node("MatMul", {x, p}), p}), "y");
  auto exec = prepare(g);
  require_equal(exec.stats().weight_bytes, uint64_t{64 * 64 * 4}, "bytes of weights");
}

// A view of a weight, and a weight that is both a matrix and an addend.
void test_views_of_weights() {
  const Floats w = whole_numbers(16, 6);
  GraphBuilder g;
  const Value p = g.param("w", DBK_F32, {4, 4}, std::as_bytes(std::span(w)));
  const Value flat = g.node("Reshape", {p, g.constant<int64_t>({16})});
  const Value back = g.node("Reshape", {flat, g.constant<int64_t>({4, 4})});
  const Value x = g.input<float>("x", {4});
  g.output(g.node("Add",
                  {g.node("MatMul", {x, back}), g.node("ReduceSum", {p, g.constant<int64_t>({0})}, {{"keepdims", 0}})}),
           "y");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  Floats expected(4);
  for (size_t j = 0; j < 4; ++j)
    for (size_t i = 0; i < 4; ++i) expected[j] += (kX[i] + 1) * w[4 * i + j];
  require_same(run_once(run, kX, {4}), expected, "x w + column sums");
}

// Kernels that want weights in another order get them so once for the executable, not once for each run; plan and counters agree.
void test_convolution_weights_are_packed_once() {
  const Floats w = whole_numbers(32 * 16 * 3 * 3, 1), x = whole_numbers(16 * 12 * 12, 2);
  GraphBuilder g;
  const auto attempt = [&](GraphBuilder& graph, const daybreak::Options& options) {
    const Value p = graph.param("w", DBK_F32, {32, 16, 3, 3}, std::as_bytes(std::span(w)));
    graph.output(graph.node("Neg", {graph.node("Conv", {graph.input<float>("x", {1, 16, 12, 12}), p})}), "y");
    return prepare(graph, options);
  };
  auto exec = attempt(g, unfused());
  const nlohmann::json plan = report(exec, "plan");
  const uint64_t weights = exec.stats().weight_bytes, needed = uint64_t(plan.at("activation_bytes"));
  require_equal(weights, uint64_t(plan.at("weight_bytes")), "bytes of weights");
  if (!on_gpu()) {
    require_equal(uint64_t(plan.at("packed_bytes")), w.size() * 4, "bytes packed");
    require(uint64_t(plan.at("scratch_bytes")) >= x.size() * 4, "{} bytes of scratch do not hold the input in another order",
            uint64_t(plan.at("scratch_bytes")));
  }
  daybreak::Run first(exec), second(exec);
  const Floats y = run_once(first, x, {1, 16, 12, 12});
  require_same(run_once(second, x, {1, 16, 12, 12}), y, "second run");
  require_equal(exec.stats().weight_bytes, weights, "bytes of weights with two runs");
  const uint64_t inputs = on_gpu() ? 0 : uint64_t(plan.at("input_bytes"));  // those of the CPU are the caller's, or a copy for the binding
  require_equal(first.stats().activation_bytes, needed - inputs, "bytes of a run");
  Floats twice = w;
  for (float& value : twice) value *= 2;
  exec.set_param("w", std::span(twice));
  exec.ready();
  require_equal(exec.stats().weight_bytes, weights, "bytes of weights after a replacement");
  Floats doubled = run_once(first, x, {1, 16, 12, 12});
  for (float& value : doubled) value /= 2;
  require_same(doubled, y, "a run with the replacement");
  GraphBuilder roomy, tight;
  const auto budget = static_cast<int64_t>(weights + needed);
  attempt(roomy, unfused().set("memory_budget", budget));
  require_failure(DBK_OUT_OF_MEMORY, {"memory_budget"}, [&] { attempt(tight, unfused().set("memory_budget", budget - 1)); });
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "weights_test.cpp",
                   {GRAPH_TEST(test_parameter_without_data), GRAPH_TEST(test_replacement_changes_results),
                    GRAPH_TEST(test_strided_and_unaligned_data), GRAPH_TEST(test_wrong_data_is_refused),
                    GRAPH_TEST(test_shared_by_two_executables), GRAPH_TEST(test_equal_bytes_of_other_types), GRAPH_TEST(test_one_weight_used_twice_is_stored_once),
                    GRAPH_TEST(test_views_of_weights), GRAPH_TEST(test_lent_weight_is_not_copied),
                    GRAPH_TEST(test_copied_weight_is_no_loan), GRAPH_TEST(test_awkward_loans_are_copied),
                    GRAPH_TEST(test_sharing_a_loan), GRAPH_TEST(test_equal_weights_are_stored_once),
                    GRAPH_TEST(test_replacement_touches_nothing_else), GRAPH_TEST(test_budget_counts_no_loans),
                    GRAPH_TEST(test_convolution_weights_are_packed_once)});
}

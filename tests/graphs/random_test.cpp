// Random graphs of exact ops against an interpreter written here: wrong reuse of memory, of views or of outputs shows
// as a wrong number. Whole numbers stay small, so every order of execution gives the same bits.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;

constexpr float kBound = 1000.0f;  // results are folded back below this

struct Node {
  Value value;
  Floats numbers;
};

class RandomGraph {
 public:
  explicit RandomGraph(uint32_t seed) : random_(seed) {
    const auto size = static_cast<int64_t>(1 + random_() % 200);
    data_ = whole_numbers(static_cast<size_t>(size), seed);
    nodes_.push_back({graph_.input<float>("x", {size}), data_});
    weight_ = whole_numbers(static_cast<size_t>(size), seed + 1000);
    nodes_.push_back({graph_.param("w", DBK_F32, {size}, std::as_bytes(std::span(weight_))), weight_});
    for (int i = 0; i < 25; ++i) add_node();
    for (size_t i = nodes_.size() - 4; i < nodes_.size(); ++i) outputs_.push_back(i);
    for (size_t i : outputs_) graph_.output(nodes_[i].value, "y" + std::to_string(i));
  }

  void check(uint32_t seed) {
    auto exec = prepare(graph_);
    daybreak::Run run(exec);
    bind(run, "x", data_, {static_cast<int64_t>(data_.size())});
    for (int repeat = 0; repeat < 2; ++repeat) {
      run.run();
      for (uint32_t i = 0; i < outputs_.size(); ++i)
        require_same(run.read<float>(i), nodes_[outputs_[i]].numbers,
                     ("output " + std::to_string(i) + " of seed " + std::to_string(seed)).c_str());
    }
  }

 private:
  const Node& pick() {
    return nodes_[nodes_.size() > 6 && random_() % 3 ? nodes_.size() - 1 - random_() % 6 : random_() % nodes_.size()];
  }

  template <class F>
  void push(Value value, const Floats& from, F&& f) {
    Node node{value, from};
    for (float& number : node.numbers) number = f(number);
    nodes_.push_back(std::move(node));
  }

  void add_unary(const Node& a) {
    switch (random_() % 3) {
      case 0:
        return push(graph_.node("Neg", {a.value}), a.numbers, [](float x) { return -x; });
      case 1:
        return push(graph_.node("Abs", {a.value}), a.numbers, [](float x) { return std::fabs(x); });
      default:
        return push(graph_.node("Min", {a.value, graph_.scalar(kBound)}), a.numbers,
                    [](float x) { return std::min(x, kBound); });
    }
  }

  // The shorter operand is repeated by a broadcast of one element, or both are of one size.
  void add_binary(const Node& a, const Node& b) {
    if (a.numbers.size() != b.numbers.size()) return add_unary(a);
    const bool subtract = random_() % 2 != 0;
    Node node{graph_.node(subtract ? "Sub" : "Max", {a.value, b.value}), a.numbers};
    for (size_t i = 0; i < b.numbers.size(); ++i)
      node.numbers[i] = subtract ? node.numbers[i] - b.numbers[i] : std::max(node.numbers[i], b.numbers[i]);
    nodes_.push_back(std::move(node));
  }

  void add_concat(const Node& a, const Node& b) {
    if (a.numbers.size() + b.numbers.size() > 3000) return add_part(a);
    Node node{graph_.node("Concat", {a.value, b.value}, {{"axis", 0}}), a.numbers};
    node.numbers.insert(node.numbers.end(), b.numbers.begin(), b.numbers.end());
    nodes_.push_back(std::move(node));
  }

  // From anywhere in the first half, every other time from where all devices can begin.
  void add_part(const Node& a) {
    const size_t size = a.numbers.size(), from = random_() % (size / 2 + 1),
                 first = random_() % 2 ? from : from / 64 * 64;
    const size_t end = first + 1 + random_() % (size - first);
    const Value value = graph_.node("Slice", {a.value, graph_.constant<int64_t>({static_cast<int64_t>(first)}),
                                              graph_.constant<int64_t>({static_cast<int64_t>(end)})});
    nodes_.push_back({value, Floats(a.numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                    a.numbers.begin() + static_cast<std::ptrdiff_t>(end))});
  }

  void add_view(const Node& a) {
    const Value tall = graph_.node("Reshape", {a.value, graph_.constant<int64_t>({-1, 1})});
    const Value flat = graph_.node("Reshape", {tall, graph_.constant<int64_t>({-1})});
    nodes_.push_back({random_() % 2 ? flat : graph_.node("Identity", {a.value}), a.numbers});
  }

  void add_node() {
    const Node a = pick(), b = pick();
    switch (random_() % 6) {
      case 0:
        return add_concat(a, b);
      case 1:
        return add_part(a);
      case 2:
        return add_view(a);
      case 3:
        return add_unary(a);
      default:
        return add_binary(a, b);
    }
  }

  std::mt19937 random_;
  GraphBuilder graph_;
  Floats data_, weight_;
  std::vector<Node> nodes_;
  std::vector<size_t> outputs_;
};

void test_random_graphs() {
  const char* given = std::getenv("DAYBREAK_TEST_SEED");
  const auto first = static_cast<uint32_t>(given ? std::strtoul(given, nullptr, 0) : 1);
  for (uint32_t seed = first; seed < first + 60; ++seed) RandomGraph(seed).check(seed);
}

}  // namespace

int main(int argc, char** argv) { return run_tests(argc, argv, "random_test.cpp", {GRAPH_TEST(test_random_graphs)}); }

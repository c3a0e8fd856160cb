// Measuring kernels does no harm: what it leaves behind, what it takes, and how long others wait for it.
#include <future>

#include "tests/graphs/tuned_layer.h"

namespace {

using namespace graphs;

// y = x + bias, ready.
daybreak::Executable biased_in(const daybreak::Context& context, const Floats& bias) {
  GraphBuilder g;
  g.output(g.node("Add", {g.input("x", DBK_F32, {kRows, kColumns}), g.constant(std::span(bias), {kColumns})}), "y");
  daybreak::Executable exec = context.compile(g, {.device = device().index});
  exec.ready();
  return exec;
}

// A constant that is on the device already, as the form of a layer is measured that has an equal one, counts for an executable nevertheless.
void test_weights_that_probes_share() {
  only_on_gpus();
  const Tuned tuned(tuning("quick"));
  static const Floats weight = numbers(size_t(kDepth * kColumns), 6), bias = numbers(size_t(kColumns), 7);
  const auto weight_bytes = [&] { return uint64_t(tuned.context.stats().weight_bytes); };
  const auto meanwhile = [&](const daybreak::Progress& progress) {
    if (progress.stage != DBK_STAGE_TUNE) return true;
    const daybreak::Executable other = biased_in(tuned.context, bias);
    require_equal(weight_bytes(), bias.size() * sizeof(float), "bytes of the constant");
    return true;
  };
  GraphBuilder g;
  const Value x = g.input("x", DBK_F32, {kRows, kDepth});
  for (const char* name : {"a", "b"}) {
    const Value product = g.node("MatMul", {x, g.param(name, std::span(weight), {kDepth, kColumns})});
    g.output(g.node("Add", {product, g.constant(std::span(bias), {kColumns})}), std::string("of ") + name);
  }
  const daybreak::Executable layer = tuned.context.compile(g, {.device = device().index, .progress = meanwhile});
  require(json::parse(layer.report("placement")).at("projections").at(0).contains("measured_us"), "no forms were measured");
  require_equal(weight_bytes(), uint64_t{0}, "bytes when all is measured");
}

// 2^58 milliseconds are a multiple of 2^64 nanoseconds.
void test_any_budget_is_one() {
  only_on_gpus();
  for (const int64_t budget : {int64_t{1} << 58, INT64_MAX}) {
    const Tuned tuned(tuning("quick", "", budget));
    require(is_measured(choice_in(layer_in(tuned.context).report("placement"))), "nothing is measured in {} ms", budget);
  }
}

// Who waits for another thread that measures hears of it, and may stop waiting.
void test_waiting_for_others_can_be_watched_and_stopped() {
  only_on_gpus();
  const Tuned tuned(tuning("quick"));
  const auto compiled = [&] {
    GraphBuilder g;
    write_layer(g, {kRows, kDepth});
    return tuned.context.compile(g, {.device = device().index});
  };
  daybreak::Executable first = compiled(), second = compiled();
  std::future<int> waiting;
  const auto wait_for_first = [&] {
    int calls = 0;
    const auto watch = [&](const daybreak::Progress& progress) { return progress.stage != DBK_STAGE_TUNE || ++calls < 3; };
    require_failure(DBK_CANCELLED, {}, [&] { second.ready(watch); });
    return calls;
  };
  first.ready([&](const daybreak::Progress& progress) {
    if (progress.stage != DBK_STAGE_TUNE || waiting.valid()) return true;
    waiting = std::async(std::launch::async, wait_for_first);
    require(waiting.wait_for(std::chrono::seconds(10)) == std::future_status::ready, "nothing is heard of the one that waits");
    return true;
  });
  require_equal(waiting.get(), 3, "calls until it was stopped");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, __FILE__, {GRAPH_TEST(test_weights_that_probes_share), GRAPH_TEST(test_any_budget_is_one),
                                         GRAPH_TEST(test_waiting_for_others_can_be_watched_and_stopped)});
}

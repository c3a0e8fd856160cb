// Results on their way: several runs of one executable at once, buffers that carry the output of one run to the input
// of the next, reads of parts of an output and of outputs that were not read back.
#include <cstring>

#include "tests/graphs/graph_test.h"

namespace {

using namespace graphs;
using daybreak::Event;
using daybreak::Run;

// b = -a in one run, c = |b| in the next, through one buffer and without the host waiting in between.
void test_buffers_chain_runs() {
  constexpr int64_t kSize = 10001;
  GraphBuilder g;
  g.output(g.node("Abs", {g.input<float>("x", {kSize})}), "y");
  auto negate = negation(kSize), magnitude = prepare(g);
  daybreak::Buffer between = context().buffer(kSize * 4 + 512, device().index);
  Run first(negate), second(magnitude);
  const Floats data = whole_numbers(kSize, 2);
  bind(first, "x", data, {kSize});
  first.bind_buffer(DBK_OUTPUT, "y", between, DBK_F32, {kSize}, 256);
  second.bind_buffer(DBK_INPUT, "x", between, DBK_F32, {kSize}, 256);
  const Event made = first.submit();
  const Event* wait[] = {&made};
  second.submit({.wait = wait}).wait();
  Floats expected;
  for (float value : data) expected.push_back(std::abs(value));
  require_same(second.read<float>(0), expected, "|-x|");
  require_same(first.read<float>(0), negated(data), "the buffer between");
}

void test_several_runs_in_flight() {
  constexpr size_t kRuns = 6;
  constexpr int64_t kSize = 4097;
  auto exec = negation(kSize);
  std::vector<Run> runs;
  std::vector<Floats> inputs, outputs(kRuns, Floats(kSize));
  std::vector<Event> events;
  for (uint32_t i = 0; i < kRuns; ++i) {
    runs.emplace_back(exec);
    inputs.push_back(whole_numbers(kSize, 10 + i));
    bind(runs[i], "x", inputs[i], {kSize});
    if (i % 2) runs[i].bind_output(0, daybreak::MutableView(std::span(outputs[i]), Dims{kSize}));
  }
  for (int round = 0; round < 3; ++round) {
    events.clear();
    for (Run& run : runs) events.push_back(run.submit());
    for (const Event& event : events) event.wait();
    for (uint32_t i = 0; i < kRuns; ++i)
      require_same(i % 2 ? outputs[i] : runs[i].read<float>(0), negated(inputs[i]),
                   ("run " + std::to_string(i)).c_str());
  }
  require_equal(exec.stats().runs, uint64_t{3 * kRuns}, "runs counted");
}

// Bytes other than 0 and 1 in a bool tensor count as true, wherever it is read.
void test_any_byte_is_a_bool() {
  constexpr int64_t kI32 = 6, kF32 = 1, kU8 = 2;
  GraphBuilder g;
  const Value b = g.input("b", DBK_BOOL, {4});
  g.output(g.node("Cast", {b}, {{"to", kI32}}), "i");
  g.output(g.node("Cast", {b}, {{"to", kF32}}), "f");
  g.output(g.node("Cast", {b}, {{"to", kU8}}), "u");
  g.output(g.node("Where", {b, g.scalar(3.0f), g.scalar(4.0f)}), "w");
  auto exec = prepare(g);
  daybreak::Run run(exec);
  const std::vector<std::byte> bytes{std::byte{0}, std::byte{1}, std::byte{7}, std::byte{255}};
  run.bind_input("b", daybreak::View(std::span(bytes), DBK_BOOL, Dims{4}), DBK_UNTIL_DESTROY);
  run.run();
  require(run.read<int32_t>("i") == std::vector<int32_t>{0, 1, 1, 1}, "Cast to i32");
  require_same(run.read<float>("f"), {0, 1, 1, 1}, "as f32");
  require(run.read<uint8_t>("u") == std::vector<uint8_t>{0, 1, 1, 1}, "Cast to u8");
  require_same(run.read<float>("w"), {4, 3, 3, 3}, "Where");
}

void test_reads_of_parts() {
  constexpr int64_t kSize = 1000;
  auto exec = negation(kSize);
  Run run(exec);
  const Floats data = whole_numbers(kSize, 3), all = negated(data);
  require_failure(DBK_FAILED_PRECONDITION, {}, [&] { run.read<float>(0); });
  require_same(run_once(run, data, {kSize}), all, "all");
  Floats part(7);
  for (uint64_t first : {0u, 1u, 63u, 993u}) {
    run.read_bytes(0, std::as_writable_bytes(std::span(part)), first * 4);
    require_same(part,
                 Floats(all.begin() + static_cast<ptrdiff_t>(first), all.begin() + static_cast<ptrdiff_t>(first) + 7),
                 "part");
  }
  std::byte odd[3];  // no element, no multiple of four
  run.read_bytes(0, odd, 4001 - 3 - 1);
  require(std::memcmp(odd, reinterpret_cast<const std::byte*>(all.data()) + 3997, 3) == 0, "bytes at 3997 are wrong");
  require_failure(DBK_OUT_OF_RANGE, {"y"}, [&] { run.read_bytes(0, odd, 3998); });
  const Event read = run.read_bytes_later(0, std::as_writable_bytes(std::span(part)), 400);
  read.wait();
  require_same(part, Floats(all.begin() + 100, all.begin() + 107), "part read later");
}

void test_read_without_readback() {
  auto exec = negation(5);
  Run run(exec);
  const Floats data{1, 2, 3, 4, 5};
  bind(run, "x", data, {5});
  run.run({.mode = DBK_RUN_NO_READBACK});
  require_same(run.read<float>(0), negated(data), "read");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tests(argc, argv, "results_test.cpp",
                   {GRAPH_TEST(test_buffers_chain_runs), GRAPH_TEST(test_several_runs_in_flight),
                    GRAPH_TEST(test_any_byte_is_a_bool), GRAPH_TEST(test_reads_of_parts), GRAPH_TEST(test_read_without_readback)});
}

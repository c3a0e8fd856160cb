// Right results: the golden graph on the CPU in every way of binding and submitting the ABI has, and on each device.
#include <format>

#include "fixture.h"

namespace host::validate {
namespace {

using daybreak::Dims;

void cpu(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  for (const int64_t rows : {1, 5, 64}) {
    const std::vector<float> x = golden::input(rows);
    daybreak::Run run = f.bound(exec, x);
    run.run();
    golden::expect_right(x, run.read<float>("y"));
  }
}

void information(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.compile();
  const auto inputs = exec.inputs();
  const auto params = exec.params();
  expect(inputs.size() == 1 && inputs[0].name == "x" && inputs[0].dtype == DBK_F32, "input 0 is not x of f32");
  expect(inputs[0].dims == Dims{DBK_DIM_SYMBOL(0), 3}, "the dims of x are " + to_string(inputs[0].dims));
  expect(params.size() == 2 && params[0].name == "W" && params[1].name == "b", "the parameters are not W, b");
  expect(!(params[0].flags & DBK_IO_DATA_SET), "W has data before set_param");
  expect(exec.outputs().size() == 1 && exec.outputs()[0].name == "y" && exec.outputs()[0].dtype == DBK_F32,
         "output 0 is not y of f32");
  const auto symbols = exec.list(DBK_SYMBOL);
  expect(symbols.size() == 1 && symbols[0].name == "N", "the symbol is not N");
  expect(symbols[0].dims.size() >= 2 && symbols[0].dims[0] == 1 && symbols[0].dims[1] == 64, "N is not from 1 to 64");
}

// One run, many extents: binding changes them, results follow.
void extents(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  daybreak::Run run(exec);
  for (const int64_t rows : {3, 64, 1, 17}) {
    const std::vector<float> x = golden::input(rows);
    run.set_dim("N", DBK_DIM_UNKNOWN);
    run.bind_input("x", daybreak::view_of(x, Dims{rows, 3}));
    const daybreak::RunShape before = run.shape(DBK_OUTPUT, "y");
    expect(before.exact && before.dims == Dims{rows, 2}, "the shape before the run is " + to_string(before.dims));
    run.run();
    golden::expect_right(x, run.read<float>("y"));
  }
}

void ways_of_binding(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  const std::vector<float> x = golden::input(4);
  daybreak::Run run(exec);
  run.bind_input("x", daybreak::view_of(x, Dims{4, 3}), DBK_UNTIL_DESTROY);
  std::vector<float> y(8, -1);
  run.bind_output("y", daybreak::view_of(y, Dims{4, 2}));
  run.run();
  golden::expect_right(x, y);
  std::vector<float> columns(12);  // the same matrix stored column by column
  for (std::size_t i = 0; i < 12; ++i) columns[i % 3 * 4 + i / 3] = x[i];
  run.bind_input("x", daybreak::view_of(columns, Dims{3, 4}).transpose());
  y.assign(8, -1);
  run.run();
  golden::expect_right(x, y);
  run.unbind_output("y");
  run.run();
  golden::expect_right(x, run.read<float>("y"));
}

void buffers(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  const std::vector<float> x = golden::input(4);
  const uint32_t device = cpu_device(f.ctx);
  constexpr uint64_t offset = 256;  // the coarsest alignment a GPU interface asks for
  daybreak::Buffer in = f.ctx.buffer(512, device), out = f.ctx.buffer(32, device), copy = f.ctx.buffer(32, device);
  in.write(std::span(x), offset);
  daybreak::Run run(exec);
  run.bind_buffer(DBK_INPUT, "x", in, DBK_F32, {4, 3}, offset);
  run.bind_buffer(DBK_OUTPUT, "y", out, DBK_F32, {4, 2});
  run.run();
  copy.copy_from(out, 0, 0, 32);
  std::vector<float> y(8);
  {
    const daybreak::Mapping mapping = copy.map(DBK_MAP_READ);
    std::memcpy(y.data(), mapping.bytes().data(), 32);
  }
  golden::expect_right(x, y);
}

void events(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  const std::vector<float> x = golden::input(8);
  daybreak::Run first = f.bound(exec, x), second = f.bound(exec, x);
  const daybreak::Event done = first.submit();
  const daybreak::Event* wait[] = {&done};
  const daybreak::Event later = second.submit({.wait = wait});
  later.wait();
  expect(done.done() && later.done(), "a run is not done although one that waited for it is");
  std::vector<float> y(16);
  second.read_bytes_later("y", std::as_writable_bytes(std::span(y))).wait();
  golden::expect_right(x, y);
  first.cancel();  // not in flight: nothing happens
  golden::expect_right(x, first.read<float>("y"));
}

void replaced_parameter(const Target& target) {
  const Fixture f(target);
  daybreak::Executable exec = f.ready();
  std::vector<float> doubled = golden::weight;
  for (float& value : doubled) value *= 2;
  exec.set_param("W", std::span(doubled));
  exec.ready();
  exec.set_param("W", std::span(golden::weight));
  exec.ready();
  exec.ready();  // idempotent
  const std::vector<float> x = golden::input(3);
  daybreak::Run run = f.bound(exec, x);
  run.run();
  golden::expect_right(x, run.read<float>("y"));
}

void reports(const Target& target) {
  const Fixture f(target);
  const daybreak::Executable exec = f.ready();
  for (const char* kind : {"device", "options", "ops"})
    expect(f.ctx.report(kind).find("\"schema\"") != std::string::npos, std::format("report {} has no schema", kind));
  for (const char* kind : {"plan", "placement", "stats"})
    expect(exec.report(kind).find("\"schema\"") != std::string::npos, std::format("report {} has no schema", kind));
  daybreak::GraphBuilder graph = golden::graph();
  daybreak::Compile on_cpu;
  on_cpu.device = cpu_device(f.ctx);
  expect(f.ctx.check(graph, on_cpu).find("daybreak.check/") != std::string::npos, "check has no schema");
  daybreak::Run run = f.bound(exec, golden::input(2));
  const uint64_t before = exec.stats().runs;
  run.run();
  expect(exec.stats().runs == before + 1, "stats do not count the run");
}

// Every device that says it is usable computes the same.
void every_device(const Target& target) {
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  const daybreak::Context ctx(plugin);
  int tried = 0;
  for (const daybreak::DeviceInfo& device : ctx.devices()) {
    if (device.kind == DBK_DEVICE_CPU || !device.usable()) continue;
    ++tried;
    daybreak::GraphBuilder graph = golden::graph();
    daybreak::Executable exec = ctx.compile(graph, {.device = device.index});
    exec.set_param("W", std::span(golden::weight));
    exec.set_param("b", std::span(golden::bias));
    exec.ready();
    const std::vector<float> x = golden::input(9);
    daybreak::Run run(exec);
    run.bind_input("x", daybreak::view_of(x, Dims{9, 3}));
    run.run();
    golden::expect_right(x, run.read<float>("y"));
  }
  if (tried == 0) throw Skipped("no usable device besides the CPU");
}

constexpr Test tests[] = {
    {"golden.cpu", 20, cpu},
    {"golden.information", 20, information},
    {"golden.extents", 20, extents},
    {"golden.ways_of_binding", 20, ways_of_binding},
    {"golden.buffers", 20, buffers},
    {"golden.events", 20, events},
    {"golden.replaced_parameter", 20, replaced_parameter},
    {"golden.reports", 20, reports},
    {"golden.every_device", 120, every_device},
};

}  // namespace

std::span<const Test> golden_tests() { return tests; }

}  // namespace host::validate

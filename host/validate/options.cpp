// Options: unknown keys, wrong types and values are refused and named unless marked optional; repetitions always.
#include <format>

#include "fixture.h"

namespace host::validate {
namespace {

using daybreak::Options;

Answer compile_with(const Fixture& f, const dbk_options* options) {
  daybreak::GraphBuilder graph = golden::graph();
  auto desc = daybreak::detail::sized<dbk_compile_desc>();
  desc.graph = graph.graph();
  desc.options = options;
  desc.device = cpu_device(f.ctx);
  dbk_exec* exec = nullptr;
  const Answer answer = ask(f.api, [&](dbk_error** e) { return f.api.compile(f.ctx.get(), &desc, &exec, e); });
  f.api.exec_destroy(exec);
  return answer;
}

Answer compile_with(const Fixture& f, const Options& options) { return compile_with(f, Options::Table(options).get()); }

Answer create_with(const Fixture& f, const Options& options) {
  auto host = daybreak::detail::sized<dbk_host>();
  host.abi = f.api.abi;
  const Options::Table table(options);
  dbk_ctx* ctx = nullptr;
  const Answer answer = ask(f.api, [&](dbk_error** e) { return f.api.ctx_create(&host, table.get(), &ctx, e); });
  f.api.ctx_destroy(ctx);
  return answer;
}

void unknown_keys(const Target& target) {
  const Fixture f(target);
  const Answer compile = compile_with(f, Options{}.set("no.such.key", 1));
  expect_status({DBK_INVALID_ARGUMENT}, compile, "compile with an unknown key");
  expect_mentions(compile, "no.such.key", "compile with an unknown key");
  const Answer create = create_with(f, cpu_only().set("no.such.key", "x"));
  expect_status({DBK_INVALID_ARGUMENT}, create, "ctx_create with an unknown key");
  expect_mentions(create, "no.such.key", "ctx_create with an unknown key");
  expect_status({DBK_OK}, compile_with(f, Options{}.optional("no.such.key", 1)),
                "compile with an unknown, optional key");
  expect_status({DBK_OK}, create_with(f, cpu_only().optional("no.such.key", 1.5)),
                "ctx_create with an unknown, optional key");
  expect_status({DBK_OK}, compile_with(f, Options{}.optional("policy", "no such policy")),
                "compile with an unknown, optional value");
  expect_status({DBK_OK}, compile_with(f, Options{}.optional("policy", 1)), "compile with an unknown, optional type");
}

void wrong_values(const Target& target) {
  const Fixture f(target);
  struct Row {
    const char* name;
    Options options;
  };
  const Row rows[] = {{"policy of type int", Options{}.set("policy", 1)},
                      {"policy outside its domain", Options{}.set("policy", "no such policy")},
                      {"policy twice", Options{}.set("policy", "cpu_only").set("policy", "cpu_only")}};
  for (const Row& row : rows) {
    const Answer answer = compile_with(f, row.options);
    expect_status({DBK_INVALID_ARGUMENT}, answer, row.name);
    expect_mentions(answer, "policy", row.name);
  }
  expect_status({DBK_OK}, compile_with(f, Options{}.set("policy", "cpu_only")), "policy cpu_only");
}

void broken_items(const Target& target) {
  const Fixture f(target);
  dbk_kv item{{"policy", 6}, DBK_OPTION_STRING, 0, {0}};
  item.v.s = {nullptr, 3};
  auto options = daybreak::detail::sized<dbk_options>();
  options.items = &item;
  options.count = 1;
  options.stride = sizeof item;
  expect_status({DBK_INVALID_ARGUMENT}, compile_with(f, &options), "a string value without a pointer");
  item.v.s = {"cpu_only", 8};
  item.type = 77;
  expect_status({DBK_INVALID_ARGUMENT}, compile_with(f, &options), "an unknown type of value");
  item.type = DBK_OPTION_STRING;
  item.key = {nullptr, 6};
  expect_status({DBK_INVALID_ARGUMENT}, compile_with(f, &options), "a key without a pointer");
  options.items = nullptr;
  expect_status({DBK_INVALID_ARGUMENT}, compile_with(f, &options), "items NULL with count 1");
  options.count = 0;
  expect_status({DBK_OK}, compile_with(f, &options), "no items");
}

// Refused when the context is made or, at the latest, when the choice is needed.
void device_selector(const Target& target) {
  const Fixture f(target);
  Answer answer;
  try {
    const daybreak::Context ctx(f.plugin, cpu_only().set("device", "no such device"));
    daybreak::GraphBuilder graph = golden::graph();
    ctx.compile(graph);
  } catch (const daybreak::Error& error) {
    answer = {error.status(), error.what(), error.causes()};
  }
  expect_status({DBK_NOT_FOUND, DBK_INVALID_ARGUMENT}, answer, "an unknown device in the context's options");
  expect_mentions(answer, "no such device", "an unknown device in the context's options");
  expect_status({DBK_OK}, create_with(f, cpu_only().set("device", "cpu")), "ctx_create with device cpu");
}

constexpr Test tests[] = {
    {"options.unknown_keys", 20, unknown_keys},
    {"options.wrong_values", 20, wrong_values},
    {"options.broken_items", 20, broken_items},
    {"options.device_selector", 20, device_selector},
};

}  // namespace

std::span<const Test> option_tests() { return tests; }

}  // namespace host::validate

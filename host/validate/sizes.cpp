// Hosts of any age: every struct is handed over with every size from 0 to twice its own, in front of a guard page. Too
// short is refused, an unknown tail must be zero, out-structs are never overrun. Chains and reserved words as well.
#include <cstddef>
#include <cstdint>
#include <format>

#include "fixture.h"
#include "guard_page.h"

namespace host::validate {
namespace {

using daybreak::detail::sized;

// Valid structs of every kind and the objects to use them on.
struct Structs : Fixture {
  daybreak::Executable exec = ready();
  std::vector<float> x = golden::input(2);
  daybreak::Run run = bound(exec, x);
  daybreak::GraphBuilder graph = golden::graph();
  daybreak::Options given = cpu_only();
  daybreak::Options::Table options{given};
  daybreak::View view = daybreak::view_of(std::as_const(x), daybreak::Dims{2, 3});
  dbk_host host = sized<dbk_host>();
  dbk_compile_desc compile_desc = sized<dbk_compile_desc>();
  dbk_buffer_desc buffer_desc = sized<dbk_buffer_desc>();
  dbk_report_desc report_desc = sized<dbk_report_desc>();
  dbk_submit submit = sized<dbk_submit>();
  dbk_watch watch = sized<dbk_watch>();
  dbk_tensor tensor = view.tensor(DBK_COPY);

  explicit Structs(const Target& target) : Fixture(target) {
    run.run();
    host.abi = api.abi;
    compile_desc.graph = graph.graph();
    compile_desc.device = buffer_desc.device = cpu_device(ctx);
    buffer_desc.byte_len = 64;
    report_desc.ctx = ctx.get();
    report_desc.kind = {"device", 6};
    watch.progress = [](void*, uint32_t, uint64_t, uint64_t) -> int32_t { return 0; };
  }
};

// Destroys what a call has made, if it has.
template <class T>
dbk_status made(dbk_status status, T** object, void(DBK_CALL* destroy)(T*)) {
  if (status == DBK_OK) destroy(*object);
  return status;
}

dbk_status check_graph(Structs& s, const dbk_graph& graph, dbk_error** e) {
  dbk_compile_desc desc = s.compile_desc;
  desc.graph = &graph;
  dbk_text* text = nullptr;
  return made(s.api.check(s.ctx.get(), &desc, &text, e), &text, s.api.text_destroy);
}

template <class T>
const T* as(const void* memory) {
  return static_cast<const T*>(memory);
}

struct InRow {
  const char* name;
  std::size_t size;
  const void* (*valid)(const Structs& s);
  dbk_status (*call)(Structs& s, const void* memory, dbk_error** e);
};

dbk_status create_ctx(const dbk_api& api, const dbk_host* host, const dbk_options* options, dbk_error** e) {
  dbk_ctx* ctx = nullptr;
  return made(api.ctx_create(host, options, &ctx, e), &ctx, api.ctx_destroy);
}

constexpr InRow in_rows[] = {
    {"dbk_host", sizeof(dbk_host), [](const Structs& s) -> const void* { return &s.host; },
     [](Structs& s, const void* m, dbk_error** e) { return create_ctx(s.api, as<dbk_host>(m), s.options.get(), e); }},
    {"dbk_options", sizeof(dbk_options), [](const Structs& s) -> const void* { return s.options.get(); },
     [](Structs& s, const void* m, dbk_error** e) { return create_ctx(s.api, &s.host, as<dbk_options>(m), e); }},
    {"dbk_graph", sizeof(dbk_graph), [](const Structs& s) -> const void* { return s.compile_desc.graph; },
     [](Structs& s, const void* m, dbk_error** e) {
       return check_graph(s, *as<dbk_graph>(m), e);
     }},
    {"dbk_compile_desc", sizeof(dbk_compile_desc), [](const Structs& s) -> const void* { return &s.compile_desc; },
     [](Structs& s, const void* m, dbk_error** e) {
       dbk_exec* exec = nullptr;
       return made(s.api.compile(s.ctx.get(), as<dbk_compile_desc>(m), &exec, e), &exec, s.api.exec_destroy);
     }},
    {"dbk_watch", sizeof(dbk_watch), [](const Structs& s) -> const void* { return &s.watch; },
     [](Structs& s, const void* m, dbk_error** e) { return s.api.exec_ready(s.exec.get(), as<dbk_watch>(m), e); }},
    {"dbk_tensor", sizeof(dbk_tensor), [](const Structs& s) -> const void* { return &s.tensor; },
     [](Structs& s, const void* m, dbk_error** e) {
       return s.api.run_bind(s.run.get(), DBK_INPUT, 0, as<dbk_tensor>(m), e);
     }},
    {"dbk_submit", sizeof(dbk_submit), [](const Structs& s) -> const void* { return &s.submit; },
     [](Structs& s, const void* m, dbk_error** e) { return s.api.run(s.run.get(), as<dbk_submit>(m), nullptr, e); }},
    {"dbk_buffer_desc", sizeof(dbk_buffer_desc), [](const Structs& s) -> const void* { return &s.buffer_desc; },
     [](Structs& s, const void* m, dbk_error** e) {
       dbk_buffer* buffer = nullptr;
       return made(s.api.buffer_create(s.ctx.get(), as<dbk_buffer_desc>(m), &buffer, e), &buffer, s.api.buffer_destroy);
     }},
    {"dbk_report_desc", sizeof(dbk_report_desc), [](const Structs& s) -> const void* { return &s.report_desc; },
     [](Structs& s, const void* m, dbk_error** e) {
       dbk_text* text = nullptr;
       return made(s.api.report(as<dbk_report_desc>(m), &text, e), &text, s.api.text_destroy);
     }},
};

// A newer plugin may know fields behind ours: only a byte far behind is unknown for sure.
std::vector<std::size_t> unknown_sizes(const Structs& s, std::size_t size) {
  std::vector<std::size_t> result;
  for (std::size_t longer = size + 8; longer <= 2 * size; longer += 8) result.push_back(longer);
  if (s.plugin.info().abi_max > DBK_ABI_1_0) result = {1024};
  return result;
}

unsigned char* place_in(GuardedMemory& memory, const Structs& s, const InRow& row, std::size_t size) {
  const std::size_t room = std::max<std::size_t>(size, sizeof(uint32_t));
  unsigned char* placed = memory.place(room);
  std::memset(placed, 0, room);
  std::memcpy(placed, row.valid(s), std::min(size, row.size));
  const auto stated = static_cast<uint32_t>(size);
  std::memcpy(placed, &stated, sizeof stated);
  return placed;
}

void in_structs(const Target& target) {
  Structs s(target);
  GuardedMemory memory;
  for (const InRow& row : in_rows) {
    for (std::size_t size = 0; size <= 2 * row.size; ++size) {
      const unsigned char* placed = place_in(memory, s, row, size);
      const dbk_status wanted = size < row.size ? DBK_INVALID_ARGUMENT : DBK_OK;
      expect_status({wanted}, ask(s.api, [&](dbk_error** e) { return row.call(s, placed, e); }),
                    std::format("{} of {} bytes", row.name, size));
    }
    for (const std::size_t size : unknown_sizes(s, row.size)) {
      unsigned char* placed = place_in(memory, s, row, size);
      placed[size - 1] = 1;
      expect_status({DBK_UNIMPLEMENTED}, ask(s.api, [&](dbk_error** e) { return row.call(s, placed, e); }),
                    std::format("{} of {} bytes, the last one not zero", row.name, size));
    }
  }
}

// Chains, flags and reserved words of a struct that every plugin takes.
void chains_and_flags(const Target& target) {
  Structs s(target);
  const auto bind = [&](const dbk_tensor& tensor) {
    return ask(s.api, [&](dbk_error** e) { return s.api.run_bind(s.run.get(), DBK_INPUT, 0, &tensor, e); });
  };
  dbk_chain second{nullptr, 0x7ABCDEu, sizeof(dbk_chain)};
  dbk_chain first{&second, 0x7ABCDFu, sizeof(dbk_chain)};
  dbk_tensor tensor = s.tensor;
  tensor.hdr.next = &first;
  expect_status({DBK_OK}, bind(tensor), "a chain of two unknown, optional links");
  second.type |= DBK_CHAIN_REQUIRED;
  expect_status({DBK_UNIMPLEMENTED}, bind(tensor), "a chain with an unknown, required link");
  second.type = first.type;
  expect_status({DBK_INVALID_ARGUMENT}, bind(tensor), "a chain with a repeated type");
  tensor = s.tensor;
  tensor.hdr.flags = 1;
  expect_status({DBK_INVALID_ARGUMENT}, bind(tensor), "hdr.flags 1");
  tensor = s.tensor;
  tensor.reserved = 1;
  expect_status({DBK_INVALID_ARGUMENT}, bind(tensor), "reserved 1");
}

// Elements of arrays: `count` rows copied out with a wider or narrower stride.
std::vector<unsigned char> restrided(const void* rows, std::size_t count, std::size_t size, std::size_t stride) {
  std::vector<unsigned char> result(count * stride + 1);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(result.data() + i * stride, static_cast<const unsigned char*>(rows) + i * size, std::min(size, stride));
  }
  return result;
}

void strides_of_pool(Structs& s, dbk_pool dbk_graph::* pool, const char* name) {
  const dbk_pool whole = s.compile_desc.graph->*pool;
  const auto check = [&](std::vector<unsigned char> rows, uint32_t stride) {
    dbk_graph graph = *s.compile_desc.graph;
    (graph.*pool).ptr = rows.data();
    (graph.*pool).stride = stride;
    return ask(s.api, [&](dbk_error** e) { return check_graph(s, graph, e); });
  };
  for (uint32_t stride = 0; stride <= 2 * whole.stride; stride += 8) {
    std::vector<unsigned char> rows = restrided(whole.ptr, whole.count, whole.stride, stride);
    const dbk_status wanted = stride < whole.stride ? DBK_INVALID_ARGUMENT : DBK_OK;
    expect_status({wanted}, check(rows, stride), std::format("table {} with stride {}", name, stride));
    if (stride <= whole.stride || s.plugin.info().abi_max > DBK_ABI_1_0) continue;
    rows[whole.count * stride - 1] = 1;
    expect_status({DBK_UNIMPLEMENTED}, check(rows, stride),
                  std::format("table {} with stride {}, the last byte not zero", name, stride));
  }
}

void strides(const Target& target) {
  Structs s(target);
  strides_of_pool(s, &dbk_graph::values, "values");
  strides_of_pool(s, &dbk_graph::nodes, "nodes");
  strides_of_pool(s, &dbk_graph::blocks, "blocks");
  strides_of_pool(s, &dbk_graph::symbols, "symbols");
  float y[4];
  const dbk_copy copy{0, 0, 0, sizeof y, y};
  for (uint32_t stride = 0; stride <= 2 * sizeof copy; stride += 8) {
    const std::vector<unsigned char> rows = restrided(&copy, 1, sizeof copy, stride);
    const auto read = [&](dbk_error** e) {
      return s.api.read(s.run.get(), as<dbk_copy>(rows.data()), 1, stride, nullptr, e);
    };
    expect_status({stride < sizeof copy ? DBK_INVALID_ARGUMENT : DBK_OK}, ask(s.api, read),
                  std::format("read with stride {}", stride));
  }
}

struct OutRow {
  const char* name;
  std::size_t size;
  dbk_status (*call)(Structs& s, void* memory);
};

dbk_status first_cause(Structs& s, dbk_error_info* info) {
  dbk_report_desc desc = s.report_desc;
  desc.kind = {"no such report", 14};
  dbk_text* text = nullptr;
  dbk_error* error = nullptr;
  expect(s.api.report(&desc, &text, &error) == DBK_NOT_FOUND && error, "an unknown report is not NOT_FOUND");
  const dbk_status status = s.api.error_get(error, 0, info);
  s.api.error_destroy(error);
  return status;
}

constexpr OutRow out_rows[] = {
    {"dbk_device_info", sizeof(dbk_device_info),
     [](Structs& s, void* m) {
       return s.api.device_info(s.ctx.get(), cpu_device(s.ctx), static_cast<dbk_device_info*>(m), nullptr);
     }},
    {"dbk_exec_info", sizeof(dbk_exec_info),
     [](Structs& s, void* m) { return s.api.exec_info(s.exec.get(), static_cast<dbk_exec_info*>(m), nullptr); }},
    {"dbk_io_info", sizeof(dbk_io_info),
     [](Structs& s, void* m) {
       return s.api.exec_io(s.exec.get(), DBK_INPUT, 0, static_cast<dbk_io_info*>(m), nullptr);
     }},
    {"dbk_error_info", sizeof(dbk_error_info),
     [](Structs& s, void* m) { return first_cause(s, static_cast<dbk_error_info*>(m)); }},
    {"dbk_stats", sizeof(dbk_stats),
     [](Structs& s, void* m) {
       return s.api.stats(s.ctx.get(), nullptr, nullptr, static_cast<dbk_stats*>(m), nullptr);
     }},
};

// Shorter than in 1.0 is refused; at any size nothing behind the struct changes.
void out_structs(const Target& target) {
  Structs s(target);
  GuardedMemory memory;
  for (const OutRow& row : out_rows) {
    for (std::size_t size = 0; size <= 2 * row.size; ++size) {
      const std::size_t room = std::max<std::size_t>(size, sizeof(dbk_hdr));
      unsigned char* placed = memory.place(room);
      std::memset(placed, 0, sizeof(dbk_hdr));
      auto stated = static_cast<uint32_t>(size);
      std::memcpy(placed, &stated, sizeof stated);
      const dbk_status status = row.call(s, placed);
      std::memcpy(&stated, placed, sizeof stated);
      const std::string what = std::format("{} of {} bytes", row.name, size);
      expect(memory.slack_intact(placed, room), what + ": bytes behind it were written");
      expect(status == (size < row.size ? DBK_INVALID_ARGUMENT : DBK_OK), what + ": " + daybreak::status_name(status));
      expect(stated <= size, std::format("{}: says that {} bytes were filled", what, stated));
      expect(status != DBK_OK || size < row.size || stated >= row.size,
             std::format("{}: filled only {} bytes", what, stated));
    }
  }
}

constexpr Test tests[] = {
    {"sizes.in_structs", 60, in_structs},
    {"sizes.out_structs", 30, out_structs},
    {"sizes.strides", 30, strides},
    {"sizes.chains_and_flags", 10, chains_and_flags},
};

}  // namespace

std::span<const Test> size_tests() { return tests; }

}  // namespace host::validate

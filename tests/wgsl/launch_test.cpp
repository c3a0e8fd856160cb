// What families promise to the executor, without a device: programs and dispatches fit each other, grids stay within
// limits, texts do not depend on extents, every file of kernels/ is used, weights split in panels, and refusals say
// why.
#include <unity.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/coop_operand.h"
#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/families/product.h"
#include "tests/expect.h"
#include "tests/wgsl/example_nodes.h"

using namespace dbk;
using namespace dbk::gpu;
namespace fs = std::filesystem;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

// Of the example nodes those that an adapter takes.
template <class F>
void for_each_node(F&& f) {
  std::deque<wgsl::ExampleNode> nodes = wgsl::example_nodes();
  for (const wgsl::Adapter& adapter : wgsl::example_adapters())
    for (wgsl::ExampleNode& node : nodes) {
      const TypedNode view = node.view();
      const Family* family = find_family(view.op->family);
      if (family->refuse(view, adapter.caps).empty()) f(adapter, *family, view);
    }
}

template <class F>
void for_each_launch(F&& f) {
  for_each_node([&](const wgsl::Adapter& adapter, const Family& family, const TypedNode& node) {
    std::vector<Program> programs;
    std::vector<Dispatch> dispatches;
    family.programs(node, adapter.caps, programs);
    family.launch(node, adapter.caps, dispatches);
    f(adapter, programs, dispatches);
  });
}

void test_dispatches_fit_programs() {
  for_each_launch(
      [](const wgsl::Adapter& adapter, const std::vector<Program>& programs, const std::vector<Dispatch>& dispatches) {
        expect(!programs.empty() && !dispatches.empty(), "a node without work");
        for (const Dispatch& d : dispatches) {
          expect(d.program < programs.size(), "a dispatch of no program");
          const Program& p = programs[d.program];
          expect(d.args.size() == p.reads + p.writes, p.label + ": arguments and bindings differ");
          expect(d.params.size() % 16 == 0 && !d.params.empty(), p.label + ": params");
          for (uint32_t g : d.groups) expect(g >= 1 && g <= adapter.caps.max_groups, p.label + ": grid");
        }
      });
}

void test_equal_labels_mean_equal_texts() {
  for (const wgsl::Adapter& adapter : wgsl::example_adapters()) {
    std::map<std::string, std::string> texts;
    for_each_launch([&](const wgsl::Adapter& other, const std::vector<Program>& programs, const auto&) {
      if (std::string_view(other.name) != adapter.name) return;
      for (const Program& p : programs) {
        const std::string text = p.source.text();
        expect(texts.emplace(p.label, text).first->second == text, p.label + ": two texts");
      }
    });
  }
}

// What an executable keeps its pipelines by.
void test_equal_sources_mean_equal_texts() {
  std::map<std::string, std::vector<std::pair<ProgramSource, std::string>>> seen;
  for_each_launch([&](const auto&, const std::vector<Program>& programs, const auto&) {
    for (const Program& p : programs) {
      std::string text = p.source.text();
      auto& known = seen[p.label];
      const auto same = std::ranges::find(known, p.source, &std::pair<ProgramSource, std::string>::first);
      if (same == known.end()) known.emplace_back(p.source, std::move(text));
      else expect(same->second == text, p.label + ": two texts of one source");
    }
  });
}

// That is how a bind finds them.
void test_sources_are_found_again() {
  for_each_node([](const wgsl::Adapter& adapter, const Family& family, const TypedNode& node) {
    std::vector<Program> once, again;
    family.programs(node, adapter.caps, once);
    family.programs(node, adapter.caps, again);
    for (size_t i = 0; i < once.size(); ++i) expect(once[i].source == again[i].source, once[i].label + ": is not found again");
  });
}

void test_every_kernel_file_is_used() {
  std::set<std::string> all;
  for_each_launch([&](const auto&, const std::vector<Program>& programs, const auto&) {
    for (const Program& p : programs) all.insert(p.source.text());
  });
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(DAYBREAK_KERNEL_DIR)) {
    if (entry.path().extension() != ".wgsl") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    expect(std::ranges::any_of(all, [&](const std::string& t) { return t.find(text.str()) != std::string::npos; }),
           entry.path().string() + " is in no program");
  }
}

void test_grids_spill() {
  Capabilities caps;
  for (uint64_t groups :
       {uint64_t{1}, uint64_t{65535}, uint64_t{65536}, uint64_t{65537}, uint64_t{4294967296}, uint64_t{99999999999}}) {
    const auto g = grid_of(groups, caps);
    const uint64_t total = uint64_t{g[0]} * g[1] * g[2];
    for (uint32_t n : g) expect(n >= 1 && n <= caps.max_groups, "grid over the limit");
    expect(total >= groups && total - groups < 2 * uint64_t{g[1]} * g[2] + g[0], "grid of the wrong size");
  }
}

void check_panels(const std::vector<Panel>& panels, int64_t columns, int64_t unit, int64_t most) {
  int64_t next = 0;
  for (const Panel& p : panels) {
    expect(p.first == next && p.count > 0 && p.count <= most, std::format("{} columns: panels have gaps or are too large", columns));
    expect(p.count % unit == 0 || p.first + p.count == columns, std::format("a panel inside is no multiple of {} columns", unit));
    expect(p.count + 2 * unit > panels[0].count, "panels are not even");
    next += p.count;
  }
  TEST_ASSERT_EQUAL_INT64(columns, next);
  const int64_t most_units = most / unit * unit;
  TEST_ASSERT_EQUAL_size_t((columns + most_units - 1) / most_units, panels.size());
}

void test_weights_split_in_panels() {
  Capabilities caps;
  caps.max_binding = 64 * 1024;
  check_panels(column_panels({DBK_F32, {100, 1000}}, caps), 1000, 16, 163);
  check_panels(row_panels({DBK_F32, {1000, 100}}, caps), 1000, 16, 163);
  for (const int64_t unit : {1, 16, 64})
    for (const int64_t columns : {1, 15, 16, 17, 33, 100, 1000, 1025})
      for (const int64_t most : {unit, 3 * unit + 5, int64_t{4096}}) check_panels(cut_columns(columns, unit, most), columns, unit, most);
  TEST_ASSERT_EQUAL_size_t(1, column_panels({DBK_F32, {100, 100}}, caps).size());
  TEST_ASSERT_EQUAL_size_t(0, column_panels({DBK_F32, {100000, 100}}, caps).size());
  TEST_ASSERT_EQUAL_size_t(0, row_panels({DBK_F32, {100, 100000}}, caps).size());
  TEST_ASSERT_EQUAL_size_t(1, row_panels({DBK_F32, {100, 100}}, caps).size());
}

// A panel holds what the whole has of its columns, whatever the form; a matrix may have axes of 1 before it.
void test_bytes_of_panels() {
  constexpr int64_t k = 70, n = 80;
  std::vector<float> numbers(size_t(k * n));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 1021) - 500;
  const auto* data = reinterpret_cast<const std::byte*>(numbers.data());
  for (const bool transposed : {false, true})
    for (const bool ones : {false, true}) {
      TensorType type{DBK_F32, transposed ? Shape{n, k} : Shape{k, n}};
      if (ones) type.shape = transposed ? Shape{1, n, k} : Shape{1, k, n};
      for (const Panel& form : {Panel{0, 0, 16, transposed}, Panel{0, 0, 16, transposed, OperandForm::F16}, Panel{0, 0, 16, transposed, OperandForm::F32},
                                Panel{.first = 0, .count = 0, .of_rows = true}}) {
        if (form.of_rows && !transposed) continue;
        Panel all = form;
        all.count = n;
        const std::vector<std::byte> whole = pack_panel(type, data, all);
        expect(whole.size() == panel_bytes(type, all), "the whole has another size than it is told");
        std::vector<std::byte> elements, numbers_of_vectors;
        for (const Panel& panel : cut_columns(n, 16, 32, form)) {
          const std::vector<std::byte> bytes = pack_panel(type, data, panel);
          expect(bytes.size() == panel_bytes(type, panel), "a panel has another size than it is told");
          const OperandLayout layout(1, panel.count, k, 16);
          const size_t end = form.operand == OperandForm::None ? bytes.size() : size_t(layout.elements() * operand_bytes(form.operand));
          elements.insert(elements.end(), bytes.begin(), bytes.begin() + std::ptrdiff_t(end));
          numbers_of_vectors.insert(numbers_of_vectors.end(), bytes.begin() + std::ptrdiff_t(end), bytes.end());
        }
        elements.insert(elements.end(), numbers_of_vectors.begin(), numbers_of_vectors.end());
        expect(elements == whole, std::format("panels differ from the whole: transposed {}, operand {}", transposed, int(form.operand)));
      }
    }
}

// On every adapter, whatever stores the weight: panels are held by bindings, and every one is read.
void test_products_read_all_panels() {
  for (const wgsl::Adapter& adapter : wgsl::example_adapters())
    for (const auto& [domain, op, weight] : {std::tuple{"", "MatMul", Shape{256, 3000}}, {"", "MatMul", Shape{256, 3008}}, {"", "Gemm", Shape{3000, 256}},
                                             {"", "Gemm", Shape{3008, 256}}, {"com.microsoft", "FusedMatMul", Shape{3000, 256}}}) {
      Capabilities caps = adapter.caps;
      caps.max_binding = 1 << 20;
      const bool transposed = weight[1] == 256;
      const int64_t n = weight[transposed ? 0 : 1];
      Attributes attrs;
      if (transposed) attrs.set("transA", int64_t{0}), attrs.set("transB", int64_t{1}), attrs.set("alpha", 1.0), attrs.set("beta", 1.0);
      wgsl::ExampleNode node{find_op(domain, op), attrs, {{DBK_F32, {33, 256}}, {DBK_F32, weight}}, {{DBK_F32, {33, n}}}, 13, {}, true};
      TypedNode view = node.view();
      view.precision = Precision::Auto;
      const Family& family = *find_family(view.op->family);
      const std::string what = std::format("{}: {} of {} columns: ", adapter.name, op, n);
      expect(family.refuse(view, caps).empty(), what + family.refuse(view, caps));
      const std::vector<Panel> panels = family.panels(view, caps, 1);
      int64_t next = 0;
      for (const Panel& panel : panels) {
        expect(panel.first == next && panel_bytes(node.inputs[1], panel) <= caps.max_binding, what + "panels");
        next += panel.count;
      }
      expect(next == n && panels.size() > 1, what + std::format("{} panels of {} columns", panels.size(), next));
      std::vector<Dispatch> dispatches;
      family.launch(view, caps, dispatches);
      std::set<uint32_t> read;
      for (const Dispatch& d : dispatches)
        for (const Argument& a : d.args)
          if (a.kind == Argument::Kind::Input && a.index == 1) read.insert(a.panel);
      expect(read.size() == panels.size() && *read.rbegin() + 1 == panels.size(), what + "a panel is not read");
      const Choice choice = family.choice(view, caps);
      expect(choice.reason.find(std::format("read in {} panels", panels.size())) != std::string::npos, what + choice.reason);
      const std::string_view own = adapter.caps.cpu_adapter && adapter.caps.controls.matmul_family == "auto" && !adapter.caps.robust ? "line" : "";
      expect(own.empty() || choice.family == own, what + choice.family);
    }
}

// On every adapter, whatever the kernels: models are made of such products, and a dispatch has its price. Subgroup matrices want A packed first, parts of k
// are added up last.
void test_products_with_weights_take_one_dispatch() {
  for (const wgsl::Adapter& adapter : wgsl::example_adapters())
    for (int64_t k : {4, 64, 100, 384, 768, 1536, 4096}) {
      wgsl::ExampleNode node{find_op("", "MatMul"), {}, {{DBK_F32, {33, k}}, {DBK_F32, {k, 48}}}, {{DBK_F32, {33, 48}}}, 13, {}, true};
      std::vector<Dispatch> dispatches;
      find_family("matmul")->launch(node.view(), adapter.caps, dispatches);
      const Choice choice = find_family("matmul")->choice(node.view(), adapter.caps);
      const size_t most = (choice.family == "coop" ? 2 : 1) + (choice.variant.ends_with("-split") ? 1 : 0);
      expect(dispatches.size() <= most || k < 64, std::format("{}: {} dispatches for k = {}", adapter.name, dispatches.size(), k));
    }
}

// What the label of a launched program must hold where a family tells that it chose this; empty where labels do not tell.
std::string label_of(const Family& family, const Choice& choice) {
  if (family.name == "block_matmul") return "/" + choice.variant.substr(0, choice.variant.find('x')) + "rows/";
  return family.name.find("conv") == std::string_view::npos ? "" : "/" + choice.family;
}

// Families with several kernels tell which one a node gets, and why; and that is the one that is launched.
void test_choices_are_told() {
  const std::set<std::string_view> told{"matmul", "gemm", "transposed_matmul", "integer_matmul", "scaled_matmul", "block_matmul", "conv", "conv_transpose", "integer_conv", "attention", "group_query_attention"};
  std::set<std::string> seen;
  std::deque<wgsl::ExampleNode> nodes = wgsl::example_nodes();
  for (const wgsl::Adapter& adapter : wgsl::example_adapters())
    for (wgsl::ExampleNode& node : nodes) {
      const TypedNode view = node.view();
      const Family& family = *find_family(view.op->family);
      if (!told.contains(family.name) || !family.refuse(view, adapter.caps).empty()) continue;
      expect(family.choice != nullptr, std::string(family.name) + " tells no choice");
      const Choice choice = family.choice(view, adapter.caps);
      expect(!choice.family.empty() && !choice.tile.empty() && !choice.reason.empty(), std::string(family.name) + ": a choice without a name, tile or reason");
      seen.insert(std::format("{} {}", family.name, choice.family));
      std::vector<Program> programs;
      std::vector<Dispatch> dispatches;
      family.programs(view, adapter.caps, programs);
      family.launch(view, adapter.caps, dispatches);
      const std::string label = label_of(family, choice);
      const auto launched = [&](const Dispatch& d) { return programs[d.program].label.find(label) != std::string::npos; };
      expect(std::ranges::any_of(dispatches, launched), std::format("{} on {}: no program of {}", family.name, adapter.name, choice.family));
    }
  for (const char* both : {"conv line", "conv direct", "conv_transpose line", "conv_transpose direct", "group_query_attention rows"})
    expect(seen.contains(both), std::string(both) + " is in no example");
}

void test_refusals_have_reasons() {
  const auto reason = [](const char* op, std::vector<TensorType> in, std::vector<TensorType> out,
                         const Capabilities& caps) {
    wgsl::ExampleNode node{find_op("", op), {}, std::move(in), std::move(out)};
    const TypedNode view = node.view();
    return find_family(view.op->family)->refuse(view, caps);
  };
  Capabilities caps;
  const auto says = [](const std::string& text, const char* part) {
    expect(text.find(part) != std::string::npos, "refusal: '" + text + "'");
  };
  says(reason("Relu", {{DBK_F16, {4}}}, {{DBK_F16, {4}}}, caps), "f16");
  says(reason("Relu", {{DBK_F64, {4}}}, {{DBK_F64, {4}}}, caps), "f64");
  says(reason("Pow", {{DBK_I32, {4}}, {DBK_F32, {4}}}, {{DBK_I32, {4}}}, caps), "raises i32 to powers of f32");
  says(reason("Relu", {{DBK_F32, {1 << 26}}}, {{DBK_F32, {1 << 26}}}, caps), "268435456 bytes");
  says(reason("MatMul", {{DBK_F32, {1, 1 << 20}}, {DBK_F32, {1 << 20, 64}}}, {{DBK_F32, {1, 64}}}, caps), "134217728");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_dispatches_fit_programs);
  RUN_TEST(test_products_with_weights_take_one_dispatch);
  RUN_TEST(test_equal_labels_mean_equal_texts);
  RUN_TEST(test_equal_sources_mean_equal_texts);
  RUN_TEST(test_sources_are_found_again);
  RUN_TEST(test_every_kernel_file_is_used);
  RUN_TEST(test_grids_spill);
  RUN_TEST(test_weights_split_in_panels);
  RUN_TEST(test_bytes_of_panels);
  RUN_TEST(test_products_read_all_panels);
  RUN_TEST(test_choices_are_told);
  RUN_TEST(test_refusals_have_reasons);
  return UNITY_END();
}

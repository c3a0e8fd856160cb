// Which kernel a product or attention gets, from invented adapters and invented measurements: forced, measured, by rule; how its weight is stored; that
// programs and launches agree whatever the rows; and what a table of measurements accepts as its text.
#include <unity.h>

#include <algorithm>
#include <cstring>

#include "plugin/gpu/families/attention_dispatch.h"
#include "plugin/gpu/families/attention_tile_text.h"
#include "plugin/gpu/families/byte_coop.h"
#include "plugin/gpu/families/matmul_choice.h"
#include "plugin/gpu/families/matmul_trials.h"
#include "plugin/gpu/families/precision_guard.h"
#include "plugin/gpu/families/product_kernel.h"
#include "plugin/gpu/families/split_k.h"
#include "plugin/gpu/families/tuned_products.h"
#include "plugin/gpu/families/vendor_table.h"
#include "tests/expect.h"
#include "tests/wgsl/example_nodes.h"

using namespace dbk;
using namespace dbk::gpu;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

void expect_equal(std::string_view expected, const std::string& got) { TEST_ASSERT_EQUAL_STRING(std::string(expected).c_str(), got.c_str()); }

Capabilities adapter(const char* name) {
  for (const wgsl::Adapter& each : wgsl::example_adapters())
    if (std::string_view(each.name) == name) return each.caps;
  TEST_FAIL_MESSAGE(name);
  return {};
}

// x W of m rows, with W stored as the choice wants it.
Product product(int64_t m, int64_t n, int64_t k, const Capabilities& caps, bool fixed, bool weight = true, Precision precision = Precision::F32) {
  wgsl::ExampleNode node{find_op("", "MatMul"), {}, {{DBK_F32, {m, k}}, {DBK_F32, {k, n}}}, {{DBK_F32, {m, n}}}, 13, {}, weight};
  TypedNode view = node.view();
  view.fixed_extents = fixed, view.precision = precision;
  return matmul_product(view, caps);
}

using Times = std::vector<TunedProduct::Time>;

// What was measured for products of m rows with a weight of n x k.
void add(Capabilities& caps, int64_t m, int64_t n, int64_t k, Times times) {
  auto all = std::make_shared<TunedProducts>(caps.tuned ? *caps.tuned : TunedProducts{});
  all->add(product_key(product(m, n, k, caps, true), caps), {std::move(times)});
  caps.tuned = all;
}

std::string taken(const Product& p, const Capabilities& caps) {
  const Choice told = choose_matmul(p, caps).told;
  return told.family + " " + told.variant;
}

void test_rules_without_measurements() {
  const Capabilities gpu = adapter("gpu"), cpu = adapter("cpu");
  expect_equal("tile", choose_matmul(product(1024, 1024, 1024, gpu, true), gpu).told.family);
  expect_equal("gemv", choose_matmul(product(1, 1024, 1024, gpu, true), gpu).told.family);
  expect_equal("line", choose_matmul(product(1024, 1024, 1024, cpu, true), cpu).told.family);
  expect_equal("lane", choose_matmul(product(1024, 1021, 1024, cpu, true), cpu).told.family);
  const Choice told = choose_matmul(product(1024, 1024, 1024, cpu, true), cpu).told;
  expect_equal(told.heuristic, told.family + " " + told.variant);
  expect(told.measured.empty(), "nothing was measured");
}

struct GemmForm {
  DType dtype = DBK_F32;
  bool trans_a = false, trans_b = false, weight = true;
  double alpha = 1;
};

Product gemm(int64_t m, int64_t n, int64_t k, const GemmForm& form, const Capabilities& caps, bool fixed) {
  const Shape a = form.trans_a ? Shape{k, m} : Shape{m, k}, b = form.trans_b ? Shape{n, k} : Shape{k, n};
  Attributes attrs;
  attrs.set("transA", int64_t{form.trans_a}), attrs.set("transB", int64_t{form.trans_b}), attrs.set("alpha", form.alpha), attrs.set("beta", 1.0);
  wgsl::ExampleNode node{find_op("", "Gemm"), attrs, {{form.dtype, a}, {form.dtype, b}}, {{form.dtype, {m, n}}}, 13, {}, form.weight};
  TypedNode view = node.view();
  view.fixed_extents = fixed;
  return gemm_product(view, caps);
}

// `line` takes every form; a transposed A in rows of four. Nobody else reads blocks, so a weight is stored in them where all rows suit.
void test_forms_of_line() {
  const Capabilities cpu = adapter("cpu");
  for (const DType dtype : {DBK_F32, DBK_F16})
    for (const bool trans_b : {false, true})
      for (const bool weight : {false, true})
        for (const double alpha : {1.0, 0.5})
          for (const bool fixed : {false, true}) {
            const auto chosen = [&](bool trans_a, int64_t m) { return choose_matmul(gemm(m, 512, 512, {dtype, trans_a, trans_b, weight, alpha}, cpu, fixed), cpu).told; };
            expect_equal("line", chosen(false, 37).family);
            expect_equal("line", chosen(true, 64).family);
            expect_equal("lane", chosen(true, 37).family);
          }
  for (const auto& [m, variant] : {std::pair{1, "line 2x16-whole"}, {2, "line 2x16-whole"}, {3, "line 4x16-whole"}, {64, "line 4x16-whole"}}) {
    expect_equal(variant, taken(product(m, 512, 512, cpu, true), cpu));
    expect_equal("line 4x16-whole", taken(product(m, 512, 512, cpu, false), cpu));
  }
  expect(in_blocks(gemm(64, 512, 512, {.trans_a = true}, cpu, true)), "rows that never change");
  expect(!in_blocks(gemm(64, 512, 512, {.trans_a = true}, cpu, false)), "rows that may be no multiple of 4");
  expect(!in_blocks(gemm(64, 512, 404, {.dtype = DBK_F16}, cpu, false)), "sums in memory, which may be too many");
}

// Read by elements where k is no multiple of 4, or A is transposed.
void test_tiles_of_lane() {
  const Capabilities cpu = adapter("cpu"), gpu = adapter("gpu");
  for (const auto& [m, elements, vectors] : {std::tuple{1, "lane 2x32", "lane 4x16"}, {2, "lane 2x32", "lane 4x16"}, {3, "lane 4x16", "lane 4x16"},
                                             {13, "lane 4x16", "lane 4x16"}, {14, "lane 9x24", "lane 9x24"}, {500, "lane 9x24", "lane 9x24"}}) {
    expect_equal(elements, taken(product(m, 521, 251, cpu, true), cpu));
    expect_equal(elements, taken(gemm(m, 521, 256, {.trans_a = true}, cpu, true), cpu));
    expect_equal(vectors, taken(product(m, 521, 256, cpu, true), cpu));
    expect_equal("lane 6x16", taken(product(m, 521, 251, cpu, false), cpu));
  }
  expect(!taken(product(500, 521, 251, gpu, true), gpu).starts_with("lane"), "GPUs have other kernels");
}

void test_measurements_come_before_rules() {
  Capabilities caps = adapter("gpu");
  add(caps, 100, 512, 512, {{"tile", "64x64x16", 9400}, {"lane", "4x128", 2100}, {"tile", "32x32x16", 4000}});
  const Product p = product(128, 512, 512, caps, true);  // of the same rows, rounded up
  expect_equal("lane 4x128", taken(p, caps));
  const Choice told = choose_matmul(p, caps).told;
  expect_equal("measured 2.1 ms with 65 to 128 rows; tile 32x32x16 4.0 ms, tile 64x64x16 9.4 ms", told.reason);
  expect(told.heuristic.starts_with("tile "), told.heuristic);
  TEST_ASSERT_EQUAL_size_t(3, told.measured.size());
  expect_equal("tile", choose_matmul(product(129, 512, 512, caps, true), caps).told.family);
  expect_equal("tile", choose_matmul(product(128, 512, 516, caps, true), caps).told.family);
  caps.tuned = nullptr;
  expect_equal(told.heuristic, taken(p, caps));
}

void test_what_cannot_be_taken_is_passed_over() {
  Capabilities caps = adapter("gpu");
  add(caps, 64, 512, 512, {{"warp", "1x1", 1}, {"tile", "1x1x1", 2}, {"gemv", "32x8", 3}, {"coop", "2x2-2x2", 4}, {"line", "4x16", 5}, {"lane", "8x128", 6}});
  expect_equal("lane 8x128", taken(product(64, 512, 512, caps, true), caps));
}

void test_forced_comes_first() {
  Capabilities caps = adapter("gpu");
  add(caps, 64, 512, 512, {{"lane", "8x128", 1}});
  const Product p = product(64, 512, 512, caps, true);
  caps.controls.matmul_family = "tile";
  expect_equal("tile", choose_matmul(p, caps).told.family);
  caps.controls.matmul_variant = "32x64x16";
  expect_equal("tile 32x64x16", taken(p, caps));
  caps.controls.matmul_variant = "1x1x1";
  const Choice told = choose_matmul(p, caps).told;
  expect_equal("lane", told.family);
  expect(told.reason.find("matmul_family=tile cannot: it has no variant 1x1x1") != std::string::npos, told.reason);
}

// k is cut where C has few tiles and k is long: by rule, by measurement, or where it is forced.
void test_long_sums_of_few_tiles() {
  Capabilities caps = adapter("gpu");
  const auto told = [&](int64_t m, int64_t n, int64_t k) { return choose_matmul(product(m, n, k, caps, true), caps).told; };
  expect_equal("tile 32x32x16-split", taken(product(64, 64, 4096, caps, true), caps));
  expect_equal("32x32x16, 4x4 each, k in 16 parts of 256", told(64, 64, 4096).tile);
  expect(told(64, 64, 4096).reason.find("k is cut, as C has few tiles") != std::string::npos, told(64, 64, 4096).reason);
  expect_equal("gemv 32x8-split", taken(product(1, 64, 65541, caps, true), caps));
  expect(told(1, 64, 65541).tile.ends_with("k in 121 parts of 544"), told(1, 64, 65541).tile);
  for (const auto& [m, n, k, why] : {std::tuple{1024, 1024, 4096, "workgroups are enough without cutting k"}, {1, 4096, 4096, "workgroups are enough"}}) {
    const Choice whole = told(m, n, k);
    const bool says = std::ranges::any_of(whole.others, [&](const Choice::Other& other) { return other.family.ends_with("-split") && other.why_not.find(why) != std::string::npos; });
    expect(!whole.variant.ends_with("-split") && says, std::format("{} x {} x {}: {}", m, n, k, whole.variant));
  }
  expect_equal("tile 32x32x16", taken(product(64, 64, 256, caps, true), caps));
  expect_equal("tile 32x32x16", taken(product(64, 64, 4096, caps, false, /*weight=*/false), caps));
  const Capabilities software = adapter("cpu");
  expect_equal("lane 6x16-split", taken(product(6, 16, 65536, software, true), software));
  expect_equal("line 4x16", taken(product(6, 256, 65536, software, true), software));
  add(caps, 1024, 1024, 4096, {{"tile", "64x64x16-split", 1}, {"tile", "64x64x16", 2}});
  expect_equal("tile 64x64x16-split", taken(product(1024, 1024, 4096, caps, true), caps));
  caps.controls.matmul_family = "lane", caps.controls.matmul_variant = "split";
  expect_equal("lane 8x128-split", taken(product(1024, 1024, 4096, caps, true), caps));
  expect(told(1024, 1024, 4096).tile.ends_with("k in 2 parts of 2048"), told(1024, 1024, 4096).tile);
  caps.max_binding = 4 << 20;
  expect(told(1024, 1024, 256).tile.ends_with("k in 1 parts of 256"), told(1024, 1024, 256).tile);
  expect(told(1024, 1028, 256).reason.find("matmul_family=lane cannot: sums of one part of k take 4210688 bytes") != std::string::npos, told(1024, 1028, 256).reason);
}

// Parts are whole and follow each other without gaps; memory for their sums stays within a binding.
void test_parts_of_k() {
  Capabilities caps = adapter("gpu");
  for (const int64_t k : {0, 1, 31, 32, 33, 255, 256, 4096, 65536, 65541, 1000003})
    for (const int64_t m : {1, 8, 33, 512}) {
      const Product p = product(m, 96, k, caps, true);
      const DepthCut cut = in_parts(p, kTileKernel, 0, caps).cut;
      expect(cut.partial() && cut.steps % 32 == 0 && cut.parts * cut.steps >= k && (cut.parts - 1) * cut.steps < std::max<int64_t>(k, 1),
             std::format("k = {}: {} parts of {}", k, cut.parts, cut.steps));
      expect(k <= 32 || cut.parts >= 2, std::format("k = {} is not cut", k));
      expect(static_cast<uint64_t>(cut.parts) * p.sum_bytes() <= caps.max_binding, "sums do not fit");
    }
}

// Programs of whatever may be taken, launches of what is: for all rows from one list.
void check_rows_that_change(const Capabilities& caps, const char* what, Precision precision = Precision::F32) {
  const std::vector<Panel> stored = product(1024, 512, 512, caps, false, true, precision).panels;
  for (const bool fixed : {false, true})
    for (const int64_t m : {1, 2, 8, 9, 64, 100, 128, 1000}) {
      const Product p = product(m, 512, 512, caps, fixed, true, precision);
      expect(fixed || p.panels == stored, std::format("{}: {} rows want the weight stored in another way", what, m));
      std::vector<Program> programs;
      std::vector<Dispatch> dispatches;
      product_programs(p, caps, programs);
      product_launch(p, caps, dispatches);
      const std::string family = choose_matmul(p, caps).told.family;
      for (const Dispatch& d : dispatches) {
        const std::string& label = programs.at(d.program).label;
        const auto has = [&](std::string_view part) { return label.find(part) != std::string::npos; };
        const bool own = has("/" + family) || has("/operand/") || has("/sum_parts");
        expect(own, std::format("{}: {} rows are launched with {} instead of {}", what, m, label, family));
        expect(d.args.size() == programs[d.program].reads + programs[d.program].writes, label + ": arguments and bindings differ");
      }
      expect(!fixed || programs.size() <= 4, std::format("{}: {} programs for rows that never change", what, programs.size()));
    }
}

void test_rows_that_change() {
  for (const wgsl::Adapter& each : wgsl::example_adapters()) {
    Capabilities caps = each.caps;
    for (const Precision precision : {Precision::F32, Precision::F16F32Acc, Precision::F16}) check_rows_that_change(caps, each.name, precision);
    add(caps, 1, 512, 512, {{"lane", caps.cpu_adapter ? "1x32" : "1x128", 10}, {"gemv", "64x4", 11}, {"line", "1x16-whole", 30}});
    add(caps, 64, 512, 512, {{"tile", "32x64x16", 10}, {"line", "4x16", 12}, {"gemv", "32x8", 20}});
    add(caps, 128, 512, 512, {{"tile", "64x64x16", 10}, {"lane", caps.cpu_adapter ? "6x16" : "8x128", 11}});
    check_rows_that_change(caps, each.name);
  }
}

// A weight that is stored for subgroup matrices, because rows may be many, is read so by `gemv` where they are few.
void test_few_rows_of_a_weight_stored_for_matrices() {
  for (const auto& [name, precision, form] : {std::tuple{"matrices of 16", Precision::F16F32Acc, OperandForm::F16}, {"matrices of 16", Precision::F16, OperandForm::F16Sums},
                                              {"matrices of f32", Precision::F32, OperandForm::F32}}) {
    const Capabilities caps = adapter(name);
    for (const int64_t m : {1, 8, 9, 64}) {
      const Product p = product(m, 512, 512, caps, false, true, precision);
      expect(as_operand(p) && p.panels[0].operand == form, std::format("{}: {} rows", name, m));
      const Choice told = choose_matmul(p, caps).told;
      expect_equal(m > 8 ? "coop" : "gemv", told.family);
      expect_equal(told.heuristic, told.family + " " + told.variant);
      expect((told.variant.find("-packed") != std::string::npos) == (m <= 8), told.variant);
      expect(m > 8 || std::ranges::any_of(told.others, [m](const Choice::Other& o) { return o.family == "coop" && o.why_not == std::format("{} most of a matrix empty", m == 1 ? "1 row leaves" : "8 rows leave"); }), "why not coop");
      expect(std::ranges::any_of(told.others, [](const Choice::Other& o) { return o.family == "tile" && o.why_not == "the weight B is stored for coop; option matmul_family=tile stores it for tile"; }), "why not tile");
    }
    // Whoever asks for f16 gets it for few rows that never change, too.
    expect_equal(precision == Precision::F32 ? "gemv 32x8" : "gemv 4x64-packed", taken(product(4, 1024, 256, caps, true, true, precision), caps));
    expect(!as_operand(product(4, 1024, 256, caps, false, false, precision)), "B is no weight");
    Capabilities forced = caps;
    forced.controls.matmul_family = "gemv";
    for (const int64_t m : {1, 64}) {
      const Product p = product(m, 1024, 256, forced, false, true, precision);
      expect(!as_operand(p), "forced gemv reads B as it is");
      expect((choose_matmul(p, forced).told.family == "gemv") == (m == 1), "forced gemv");
    }
    forced.controls.matmul_variant = "4x32-packed";
    expect_equal("gemv 4x32-packed", taken(product(1, 512, 512, forced, false, true, precision), forced));
    expect_equal("coop", choose_matmul(product(64, 512, 512, forced, false, true, precision), forced).told.family);
  }
}

// The numbers behind the columns of an operand lie where its storage, not the tile that reads it, has them.
void test_operands_of_wider_tiles() {
  const Capabilities caps = adapter("matrices of 16");
  Product p = product(64, 20, 512, caps, false, true, Precision::F16F32Acc);
  p.panels[0].block = 128;
  for (const ProductKernel* kernel : {&kCoopKernel, &kGemvKernel})
    for (uint32_t variant = 0; variant < kernel->variants(p, caps).size(); ++variant) {
      std::vector<Dispatch> dispatches;
      kernel->launch(p, caps, variant, dispatches);
      ProductParams params;
      std::memcpy(&params, dispatches.back().params.data(), sizeof params);
      const uint32_t unit = kernel == &kGemvKernel ? 4 : 1;  // vectors
      TEST_ASSERT_EQUAL_UINT32(128 * 512 / unit, params.b_k);
      TEST_ASSERT_EQUAL_UINT32(512 / unit, params.b_column);
    }
}

// Times decide, and what was measured of few rows on an operand counts for every storage of operands.
void test_times_of_weights_stored_for_matrices() {
  Capabilities caps = adapter("matrices of f32");
  const std::vector<std::string> coops = kCoopKernel.variants(product(64, 512, 512, adapter("matrices of f32"), true), caps);
  const auto measure = [&](double plain, double packed) {
    add(caps, 1, 512, 512, {{"gemv", "32x8", plain}, {"gemv", "4x32-packed", packed}, {"coop", coops[0], 90}});
    add(caps, 64, 512, 512, {{"coop", coops.back(), 100}, {"tile", "64x64x16", 150}});
  };
  measure(10, 12);
  expect_equal("gemv 4x32-packed", taken(product(1, 512, 512, caps, false), caps));
  expect_equal("coop " + coops.back(), taken(product(64, 512, 512, caps, false), caps));
  expect_equal("gemv 32x8", taken(product(1, 512, 512, caps, true), caps));
  expect(as_operand(product(8, 512, 512, caps, false)), "one layout for all rows");
  expect(choose_matmul(product(8, 512, 512, caps, false), caps).told.variant.ends_with("-packed"), "by rule where nothing was measured");
  measure(10, 30);
  expect_equal("gemv 32x8", taken(product(1, 512, 512, caps, false), caps));
  expect(!as_operand(product(64, 512, 512, caps, false)), "few rows lose more than many gain");
  measure(10, 8);
  const Product fixed = product(1, 512, 512, caps, true);
  expect(as_operand(fixed), "stored for gemv alone");
  expect_equal("gemv 4x32-packed", taken(fixed, caps));
  // Stored for matrices by times, although rules find it narrow: all rows have a kernel.
  for (const int64_t m : {1, 8, 9, 20, 512}) {
    add(caps, 64, 3, 512, {{"coop", kCoopKernel.variants(product(64, 3, 512, adapter("matrices of f32"), true), caps)[0], 1}, {"tile", "32x32x16", 5}});
    const Product narrow = product(m, 3, 512, caps, false);
    expect(as_operand(narrow), "a narrow weight is stored for what was measured");
    expect_equal(m > 8 ? "coop" : "gemv", choose_matmul(narrow, caps).told.family);
  }
  Capabilities software = adapter("coop");  // whose rules know no kernel for operands
  software.controls.matmul_family = "auto";
  const auto half = [&](int64_t m) { return gemm(m, 512, 512, {.dtype = DBK_F16}, software, false); };
  auto times = std::make_shared<TunedProducts>();
  times->add(product_key(half(64), software), {{{"coop", kCoopKernel.variants(half(64), software)[0], 1}, {"lane", "6x16", 5}}});
  software.tuned = times;
  expect(as_operand(half(1)), "stored for what was measured");
  expect_equal("coop", choose_matmul(half(1), software).told.family);
}

// `line` alone reads what is stored for it: a weight is stored for what is best for all rows together.
void test_storage_for_all_rows() {
  Capabilities caps = adapter("cpu");
  add(caps, 1, 512, 512, {{"lane", "1x32", 10}, {"line", "4x16-whole", 30}});
  add(caps, 128, 512, 512, {{"line", "4x16-whole", 100}, {"lane", "6x16", 400}});
  expect_equal("line 4x16-whole", taken(product(1, 512, 512, caps, false), caps));
  expect_equal("lane 1x32", taken(product(1, 512, 512, caps, true), caps));
  add(caps, 128, 512, 512, {{"line", "4x16-whole", 100}, {"lane", "6x16", 150}});
  expect_equal("lane 1x32", taken(product(1, 512, 512, caps, false), caps));
  expect_equal("lane 6x16", taken(product(128, 512, 512, caps, false), caps));
}

// A family that is forced and cannot says why itself, and whoever reads the weight instead; others say how they would get it.
void test_reasons_around_a_stored_weight() {
  Capabilities caps = adapter("cpu");
  const Choice plain = choose_matmul(product(64, 512, 512, caps, true), caps).told;
  const auto lane = std::ranges::find(plain.others, "lane", &Choice::Other::family);
  expect(lane != plain.others.end(), "lane is not told of");
  expect_equal("the weight B is stored for line; option matmul_family=lane stores it for lane", lane->why_not);
  caps.controls.matmul_family = "gemv";
  const std::string reason = choose_matmul(product(64, 512, 512, caps, true), caps).told.reason;
  expect(reason.find("; option matmul_family=gemv cannot: 64 rows") != std::string::npos, reason);
  expect(reason.ends_with(", so the weight B is stored for line"), reason);
  caps.controls.matmul_family = "lane";
  expect_equal("lane", choose_matmul(product(64, 512, 512, caps, true), caps).told.family);
}

void test_trials() {
  for (const wgsl::Adapter& each : wgsl::example_adapters())
    for (const int64_t m : {1, 100}) {
      const Product p = product(m, 512, 512, each.caps, true);
      Capabilities caps = each.caps;
      caps.controls = {};
      const std::vector<KernelName> trials = matmul_trials(p, caps);
      expect(trials.size() >= 2, each.name);
      expect_equal(choose_matmul(product(m, 512, 512, caps, true), caps).told.heuristic, trials[0].text());
      for (const KernelName& name : trials) {
        caps.controls.matmul_family = name.family, caps.controls.matmul_variant = name.variant;
        expect_equal(name.text(), taken(product(m, 512, 512, caps, true), caps));
      }
    }
}

void test_texts() {
  Capabilities caps = adapter("gpu");
  add(caps, 64, 512, 512, {{"lane", "8x128", 1.5}, {"tile", "64x64x16", 0.25}});
  add(caps, 1, 512, 512, {{"gemv", "32x8", 12345.678}});
  auto with_layer = std::make_shared<TunedProducts>(*caps.tuned);
  with_layer->add_layer("projections f32 rows=128 k=384 widths=384,384,384", {{{"qkv", "split", 20}, {"qkv", "packed", 10}}, Tried::All});
  caps.tuned = with_layer;
  const std::string text = caps.tuned->text();
  const auto again = TunedProducts::parse(text);
  expect(again.has_value(), text);
  expect_equal(text, again->text());
  TEST_ASSERT_EQUAL_size_t(3, again->size());
  expect_equal("packed", again->find_layer("projections f32 rows=128 k=384 widths=384,384,384")->times[0].variant);
  expect_equal("tile", again->find(product_key(product(64, 512, 512, caps, true), caps))->times[0].family);
  expect(TunedProducts::parse("").has_value(), "nothing measured is a text, too");
  for (size_t length = 1; length < text.size(); ++length) {
    const auto part = TunedProducts::parse(text.substr(0, length));
    expect(!part || part->text() == text.substr(0, length), "a part that is not understood: " + text.substr(0, length));
  }
  for (const char* wrong : {"x", "\n", " lane 8x128 1\n", "f32 n=1 k=1 batch=1 m=1\n", "f64 n=1 k=1 batch=1 m=1\n lane a 1\n", "f32 n=1 k=1 batch=1 m=1\n lane 1\n",
                            "f32 n=1 k=1 batch=1 m=1\n lane a -1\n", "f32 n=1 k=1 batch=1 m=1\n lane a nan\n", "f32 m=1 k=1 batch=1 n=1\n lane a 1\n",
                            "f32 n=99999999999999999999 k=1 batch=1 m=1\n lane a 1\n"})
    expect(!TunedProducts::parse(wrong), wrong);
}

// Of two measurements the one counts for which more was tried, kernels too where time ended early, and of equals the newer one.
void test_how_much_was_tried() {
  Capabilities caps = adapter("gpu");
  const Product p = product(64, 512, 512, caps, true);
  TunedProducts all;
  const auto kept = [&](Tried tried, std::initializer_list<const char*> variants) {
    TunedProduct product{{}, tried};
    for (const char* variant : variants) product.times.push_back({"lane", variant, 1});
    TunedProducts added;
    added.add(product_key(p, caps), product);
    all.add(added);
    all = TunedProducts::parse(all.text()).value();
    return all.find(product_key(p, caps))->times[0].variant;
  };
  expect_equal("1x128", kept(Tried::Part, {"1x128"}));
  expect_equal("4x128", kept(Tried::Part, {"4x128"}));
  caps.tuned = std::make_shared<TunedProducts>(all);
  expect_equal("measured 1.0 us with 33 to 64 rows; the time for measuring ended before others", choose_matmul(p, caps).told.reason);
  TEST_ASSERT_TRUE(product_trials(p, caps).tried == Tried::Part);
  expect_equal("6x128", kept(Tried::Part, {"6x128", "4x128"}));
  expect_equal("6x128", kept(Tried::Part, {"1x128"}));
  expect_equal("1x128", kept(Tried::Part, {"1x128", "4x128"}));
  expect_equal("8x128", kept(Tried::Likely, {"8x128"}));
  expect_equal("8x128", kept(Tried::Part, {"1x128"}));
  expect_equal("1x128", kept(Tried::All, {"1x128"}));
  expect_equal("1x128", kept(Tried::Likely, {"4x128"}));
  expect_equal("4x128", kept(Tried::All, {"4x128"}));
}

// Times count for products that the same kernels may compute, whoever keeps the others away: adapter, options or precision guard.
void test_kinds_of_products() {
  const auto kind = [](const Capabilities& caps, Precision precision, const PrecisionVerdict* verdict = nullptr) {
    Product p = product(64, 512, 512, caps, true);
    p.precision = precision, p.verdict = verdict;
    const ProductKey key = product_key(p, caps);
    expect(ProductKey::parse(key.text()) == key, key.text());
    return key.text();
  };
  constexpr std::string_view kPlain = "f32 weight n=512 k=512 batch=1 m=64", kRounded = "f32 coop=f16 weight n=512 k=512 batch=1 m=64",
                             kSums = "f32 coop=f16_sums weight n=512 k=512 batch=1 m=64", kOwn = "f32 coop=f32 weight n=512 k=512 batch=1 m=64";
  const Capabilities matrices = adapter("matrices of 16");
  expect_equal(kPlain, kind(matrices, Precision::F32));
  expect_equal(kRounded, kind(matrices, Precision::F16F32Acc));
  expect_equal(kRounded, kind(matrices, Precision::Auto));
  expect_equal(kSums, kind(matrices, Precision::F16));
  expect_equal(kOwn, kind(adapter("matrices of f32"), Precision::F32));
  expect_equal(kPlain, kind(adapter("gpu"), Precision::F16));
  Product stored = product(64, 512, 512, matrices, true);
  const Expression cast;
  stored.epilogue = {&cast, {}, DBK_F16};
  expect_equal("f32 weight epilogue cast n=512 k=512 batch=1 m=64", product_key(stored, matrices).text());
  expect(ProductKey::parse(product_key(stored, matrices).text()) == product_key(stored, matrices), "times of what is stored in another type");
  stored.epilogue.result = DBK_F32;
  expect_equal("f32 weight epilogue n=512 k=512 batch=1 m=64", product_key(stored, matrices).text());
  const PrecisionVerdict refused{.operands = false, .sums = false}, sums_refused{.sums = false};
  expect_equal(kPlain, kind(matrices, Precision::F16, &refused));
  expect_equal(kRounded, kind(matrices, Precision::F16, &sums_refused));
  Capabilities without = matrices, narrow = matrices;
  without.controls.coop = "0", narrow.controls.coop_columns = 511;
  for (const Capabilities& caps : {without, narrow}) expect_equal(kPlain, kind(caps, Precision::F16F32Acc));
  Product p = product(64, 512, 512, without, true);
  p.precision = Precision::F16F32Acc;
  auto measured = std::make_shared<TunedProducts>();
  measured->add(product_key(p, without), {{{"tile", "32x32x16", 1}, {"lane", "8x128", 2}}, Tried::All});
  without.tuned = narrow.tuned = measured;
  Capabilities open = matrices;
  open.tuned = measured;
  for (const Capabilities& caps : {without, narrow}) expect(product_trials(p, caps).tried == Tried::All, "known where coop may not be used");
  const KernelTrials trials = product_trials(p, open);
  expect(trials.tried == Tried::Nothing, "times without coop are no answer where it may be used");
  expect(trials.kernels[0].starts_with("coop "), trials.kernels[0]);
  expect(trials.reference.starts_with("lane ") && trials.precision == Precision::F16F32Acc, trials.reference);
}

// The reason of x W for 512 columns and an executable of that precision.
std::string reason(const Capabilities& caps, Precision precision, int64_t m = 64, const PrecisionVerdict* verdict = nullptr) {
  wgsl::ExampleNode node{find_op("", "MatMul"), {}, {{DBK_F32, {m, 512}}, {DBK_F32, {512, 512}}}, {{DBK_F32, {m, 512}}}, 13, {}, true};
  TypedNode view = node.view();
  view.fixed_extents = true, view.precision = precision, view.verdict = verdict;
  return product_choice(view, matmul_product(view, caps), caps).reason;
}

// A precision that is asked for is what a product gets where anything gives it; auto is what is faster.
void test_precision_is_kept() {
  const Capabilities matrices = adapter("matrices of 16");
  Capabilities tuned = matrices, narrow;
  const auto of = [&](Precision precision, int64_t m = 64) {
    Product p = product(m, 512, 512, matrices, true);
    p.precision = precision, p.panels.clear();
    return p;
  };
  auto times = std::make_shared<TunedProducts>();
  for (const Precision precision : {Precision::F16F32Acc, Precision::F16}) {
    const std::vector<std::string> variants = kCoopKernel.variants(of(precision), matrices);
    times->add(product_key(of(precision), matrices), {{{"tile", "32x32x16", 1}, {"coop", variants.back(), 2}, {"coop", variants.front(), 3}}});
  }
  tuned.tuned = times;
  for (const Precision precision : {Precision::F16F32Acc, Precision::F16}) {
    const std::string variant = kCoopKernel.variants(of(precision), matrices).back();
    for (const bool fixed : {false, true}) {
      Product p = of(precision), few = of(precision, 4);
      p.fixed = few.fixed = fixed;
      const Choice choice = choose_matmul(p, tuned).told;
      expect_equal("coop " + variant, choice.family + " " + choice.variant);
      expect(choice.reason.find("leaves out those of f32") != std::string::npos, choice.reason);
      expect(choice.heuristic.starts_with("coop "), choice.heuristic);
      expect_equal("coop", choose_matmul(few, tuned).told.family);
      const std::vector<Panel> stored = matmul_storage(p, tuned);
      expect(stored.size() == 1 && stored[0].operand != OperandForm::None, "the weight is not stored for matrices");
    }
    PrecisionVerdict refused{.operands = false, .sums = false, .told = "the guard's figures"};
    Product guarded = of(precision);
    guarded.verdict = &refused;
    expect(choose_matmul(guarded, tuned).told.family != "coop", "against the guard");
    narrow = tuned;
    narrow.controls.coop_columns = 511;
    expect(choose_matmul(of(precision), narrow).told.family != "coop", "against coop_columns");
  }
  Product p = of(Precision::Auto);
  expect_equal("tile 32x32x16", choose_matmul(p, tuned).told.family + " " + choose_matmul(p, tuned).told.variant);
}

// Extents that coop does not take get the kernels of f32, by times where there are some, and those are among what is made ready.
void test_precision_where_it_cannot_be_kept() {
  Capabilities caps = adapter("matrices of 16");
  Product p = product(1 << 14, 512, 512, caps, false);
  p.precision = Precision::F16F32Acc;
  caps.max_binding = 8u << 20;
  expect(!kCoopKernel.refuse_extents(p, caps).empty(), "A fits when it is packed");
  const MatmulChoice choice = choose_matmul(p, caps);
  expect(choice.told.family != "coop", choice.told.family);
  const std::vector<ProductCandidate> ready = matmul_candidates(p, caps);
  expect(std::ranges::find(ready, choice.taken) != ready.end(), "what is taken is not ready");
  expect(std::ranges::find(ready, &kCoopKernel, &ProductCandidate::kernel) != ready.end(), "coop is not ready");
}

void test_why_precision_has_no_effect() {
  const auto expect_why = [](const std::string& told, std::string_view why) { expect(told.ends_with(std::format("has no effect: {}", why)), told); };
  const Capabilities matrices = adapter("matrices of 16");
  for (const char* name : {"gpu", "cpu"}) expect_why(reason(adapter(name), Precision::F16F32Acc), "the adapter has no matrices of subgroups");
  Capabilities software = adapter("coop");
  software.controls.matmul_family = "auto";
  expect_why(reason(software, Precision::Auto), "coop is slower on software adapters");
  expect_why(reason(matrices, Precision::Auto, 4), "4 rows leave most of a matrix empty");
  expect_why(reason(adapter("matrices of f32"), Precision::F16F32Acc), "the adapter's matrices of subgroups are of f32");
  const PrecisionVerdict refused{.operands = false, .sums = false, .told = "the guard's figures"};
  expect_why(reason(matrices, Precision::F16, 64, &refused), "the guard's figures");
  Capabilities without = matrices, narrow = matrices, forced = matrices, measured = matrices;
  without.controls.coop = "0", narrow.controls.coop_columns = 511, forced.controls.matmul_family = "tile";
  expect_why(reason(without, Precision::F16), "option coop=0");
  expect_why(reason(narrow, Precision::F16), "option coop_columns=511, and it has 512");
  expect_why(reason(forced, Precision::F16), "option matmul_family=tile");
  auto times = std::make_shared<TunedProducts>();
  Product p = product(64, 512, 512, matrices, true);
  p.precision = Precision::F16F32Acc;
  const std::string variant = kCoopKernel.variants(p, matrices)[0];
  times->add(product_key(p, matrices), {{{"tile", "32x32x16", 1}, {"coop", variant, 2}}});
  measured.tuned = times;
  expect_why(reason(measured, Precision::Auto), "coop was measured, and is slower");
  expect(reason(measured, Precision::Auto).find("; option precision=auto has") != std::string::npos, "which option");
  for (const std::string& told : {reason(matrices, Precision::F16F32Acc), reason(adapter("gpu"), Precision::F32), reason(without, Precision::F32)})
    expect(told.find("no effect") == std::string::npos, told);
}

void test_vendors() {
  for (const uint32_t vendor : {0x10DEu, 0x1002u, 0x8086u, 0x106Bu, 0x5143u, 0x13B5u, 0x10005u, 0x1234u}) {
    Capabilities caps = adapter("gpu");
    caps.vendor = vendor;
    const VendorRow& row = vendor_row(caps);
    expect(row.vendor == vendor || (vendor == 0x1234 && row.vendor == 0), std::string(row.name));
    const Product p = product(64, 4096, 4096, caps, true);
    const std::vector<std::string> variants = kTileKernel.variants(p, caps);
    for (const TileSize& tile : row.tiles)
      expect(std::ranges::find(variants, std::format("{}x{}x{}", tile.rows, tile.columns, tile.depth)) != variants.end(), std::format("{} has no tile {}", row.name, tile.rows));
    const std::string gemv = std::format("{}x{}", row.gemv_rows.across, row.gemv_rows.along);
    expect_equal(gemv, kGemvKernel.variants(p, caps)[0]);
  }
  for (const VendorRow& row : vendor_rows())
    for (const std::string_view source : {row.busy_source, row.tile_source, row.gemv_source, row.coop_source}) expect(!source.empty(), std::string(row.name));
  Capabilities matrices = adapter("matrices of 16");
  ByteProduct bytes;
  bytes.form = {DBK_U8, DBK_I8};
  matrices.vendor = 0x10DE;
  expect_equal("128x128 of matrices 16x16x32, i8 to i32", byte_coop_tile(bytes, matrices));
  matrices.vendor = 0x5143;
  expect_equal("32x32 of matrices 16x16x32, i8 to i32", byte_coop_tile(bytes, matrices));
  Capabilities caps = adapter("gpu");
  caps.vendor = 0x8086;
  expect_equal("Intel", std::string(vendor_row(caps).name));
  caps.architecture = "xe-2lpg";
  expect_equal("Intel Xe2", std::string(vendor_row(caps).name));
}

Attributes plain_attention() {
  Attributes attrs;
  attrs.set("is_causal", int64_t{0}), attrs.set("softcap", 0.0), attrs.set("qk_matmul_output_mode", int64_t{0});
  return attrs;
}

// Attention of one sequence of `length` at most, or of any length.
size_t line_programs(int64_t length, bool unbounded, bool fixed) {
  const TensorType x{DBK_F32, {1, 4, length, 32}};
  wgsl::ExampleNode node{find_op("", "Attention"), plain_attention(), {x, x, x}, {x}, 24};
  TypedNode view = node.view();
  view.fixed_extents = fixed, view.unbounded = unbounded;
  std::vector<Program> programs;
  find_family("attention")->programs(view, adapter("cpu"), programs);
  return static_cast<size_t>(std::ranges::count_if(programs, [](const Program& p) { return p.label.find("/line/") != std::string::npos; }));
}

void test_attention_gets_lines_where_a_run_may_be_worth_them() {
  expect(line_programs(512, false, true) > 0, "2^20 scores");
  expect(line_programs(64, false, true) == 0, "2^14 scores");
  expect(line_programs(512, false, false) > 0, "up to 2^20 scores");
  expect(line_programs(64, false, false) == 0, "up to 2^14 scores");
  expect(line_programs(1, true, false) > 0, "any number of scores");
}

// Of two heads; what is launched must be what is told.
Choice attention_choice_of(int64_t queries, int64_t keys, int64_t size, const Capabilities& caps, bool scores = false) {
  const auto type = [](int64_t rows, int64_t columns) { return TensorType{DBK_F32, {1, 2, rows, columns}}; };
  std::vector<TensorType> results{type(queries, size)};
  if (scores) results.insert(results.end(), {{}, {}, type(queries, keys)});
  wgsl::ExampleNode node{find_op("", "Attention"), plain_attention(), {type(queries, size), type(keys, size), type(keys, size)}, results, 24};
  const Choice choice = find_family("attention")->choice(node.view(), caps);
  std::vector<Program> programs;
  std::vector<Dispatch> dispatches;
  find_family("attention")->programs(node.view(), caps, programs);
  find_family("attention")->launch(node.view(), caps, dispatches);
  const std::string& label = programs.at(dispatches.at(0).program).label;
  expect(label.find("/" + choice.family.substr(0, 4)) != std::string::npos, std::format("{} was told, {} is launched", choice.family, label));
  return choice;
}

void test_ways_of_attention() {
  Capabilities gpu = adapter("gpu");
  const Capabilities cpu = adapter("cpu");
  const auto why_not = [](const Choice& choice, std::string_view way) {
    const auto other = std::ranges::find(choice.others, way, &Choice::Other::family);
    return other == choice.others.end() ? std::string() : other->why_not;
  };
  expect_equal("tile", attention_choice_of(8, 40, 64, gpu).family);
  expect_equal("keys", attention_choice_of(8, 4096, 64, gpu).family);
  expect_equal("tile", attention_choice_of(9, 4096, 64, gpu).family);
  expect_equal("more than 8 queries", why_not(attention_choice_of(9, 4096, 64, gpu), "keys"));
  expect_equal("32 queries by 16 keys, 2x4 each", attention_choice_of(9, 40, 64, gpu).tile);
  const Choice few = attention_choice_of(7, 40, 64, gpu);
  expect_equal("rows", few.family);
  expect_equal("less than 512 keys", why_not(few, "keys"));
  expect_equal("less than 8 queries leave most of a tile idle", why_not(few, "tile"));
  expect_equal("scores are kept", why_not(attention_choice_of(100, 100, 64, gpu, true), "tile"));
  expect_equal("heads of 128 and 128 columns leave no room for a tile in 16384 bytes of workgroup memory", why_not(attention_choice_of(100, 100, 128, gpu), "tile"));
  gpu.max_group_memory = 32 << 10;
  expect_equal("32 queries by 16 keys, 2x4 each", attention_choice_of(100, 100, 128, gpu).tile);
  gpu.max_group_size = 32;
  expect_equal("rows", attention_choice_of(100, 100, 128, gpu).family);
  expect_equal("lines", attention_choice_of(512, 512, 64, cpu).family);
  expect_equal("rows", attention_choice_of(20, 20, 64, cpu).family);
}

// Wide heads take smaller tiles; none takes more of an adapter than there is.
void test_tiles_of_attention() {
  Capabilities caps = adapter("gpu");
  caps.max_group_memory = 48 << 10;
  const auto name = [&](int64_t q_size, int64_t v_size, DType dtype) {
    const auto t = flash_tile(q_size, v_size, 4, dtype, caps);
    return t ? std::format("{}x{}x{}", t->rows, t->keys, t->rows_each) : "none";
  };
  expect_equal("64x32x4", name(32, 32, DBK_F32));
  expect_equal("64x16x2", name(64, 64, DBK_F32));
  expect_equal("32x32x2", name(96, 92, DBK_F32));
  expect_equal("32x16x2", name(128, 128, DBK_F32));
  expect_equal("32x16x1", name(64, 160, DBK_F32));
  expect_equal("16x16x1", name(160, 41, DBK_F32));
  expect_equal("none", name(300, 8, DBK_F32));
  expect_equal("64x32x4", name(64, 64, DBK_F16));
  expect_equal("64x16x2", name(128, 128, DBK_F16));
  expect_equal("32x16x1", name(256, 256, DBK_F16));
  for (const uint32_t memory : {1u << 10, 16384u, 20000u, 32768u, 1u << 20})
    for (const uint32_t threads : {32u, 64u, 128u, 1024u})
      for (const int64_t size : {1, 4, 7, 40, 64, 80, 128, 200, 256, 1 << 20}) {
        caps.max_group_memory = memory, caps.max_group_size = threads;
        const auto t = flash_tile(size, size, 1, DBK_F32, caps);
        expect(!t || (t->memory() <= memory && t->threads() <= threads), std::format("{} columns in {} bytes and {} invocations", size, memory, threads));
        expect(t || size > 4 || memory < 16384 || threads < 64, "no tile for small heads");
      }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rules_without_measurements);
  RUN_TEST(test_forms_of_line);
  RUN_TEST(test_tiles_of_lane);
  RUN_TEST(test_measurements_come_before_rules);
  RUN_TEST(test_what_cannot_be_taken_is_passed_over);
  RUN_TEST(test_forced_comes_first);
  RUN_TEST(test_long_sums_of_few_tiles);
  RUN_TEST(test_parts_of_k);
  RUN_TEST(test_rows_that_change);
  RUN_TEST(test_few_rows_of_a_weight_stored_for_matrices);
  RUN_TEST(test_operands_of_wider_tiles);
  RUN_TEST(test_times_of_weights_stored_for_matrices);
  RUN_TEST(test_storage_for_all_rows);
  RUN_TEST(test_reasons_around_a_stored_weight);
  RUN_TEST(test_trials);
  RUN_TEST(test_texts);
  RUN_TEST(test_how_much_was_tried);
  RUN_TEST(test_kinds_of_products);
  RUN_TEST(test_precision_is_kept);
  RUN_TEST(test_precision_where_it_cannot_be_kept);
  RUN_TEST(test_why_precision_has_no_effect);
  RUN_TEST(test_vendors);
  RUN_TEST(test_attention_gets_lines_where_a_run_may_be_worth_them);
  RUN_TEST(test_ways_of_attention);
  RUN_TEST(test_tiles_of_attention);
  return UNITY_END();
}

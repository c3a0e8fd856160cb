// The generators (products, attention, element-wise expressions) write what they wrote when somebody last looked: their text
// against the files in golden/.
#include <unity.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plugin/gpu/families/attention_line_text.h"
#include "plugin/gpu/families/attention_tile_text.h"
#include "plugin/gpu/families/coop_text.h"
#include "plugin/gpu/families/elementwise_text.h"
#include "plugin/gpu/families/gemv_text.h"
#include "plugin/gpu/families/lane_text.h"
#include "plugin/gpu/families/line_text.h"
#include "plugin/gpu/families/sum_parts_text.h"
#include "plugin/gpu/families/tile_text.h"
#include "tests/wgsl/example_nodes.h"

using namespace dbk;
using namespace dbk::gpu;
namespace fs = std::filesystem;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

size_t first_line_that_differs(const std::string& a, const std::string& b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return 1 + static_cast<size_t>(std::count(a.begin(), end, '\n'));
}

void check(std::string label, const std::string& text) {
  std::ranges::replace(label, '/', '_');
  const fs::path file = fs::path(DAYBREAK_GOLDEN_WGSL) / (label + ".wgsl");
  if (std::getenv("DAYBREAK_REGENERATE")) std::ofstream(file) << text;
  const std::string golden = read(file);
  const std::string message =
      std::format("{} differs from line {} on; if that is meant, run with DAYBREAK_REGENERATE=1", file.string(),
                  first_line_that_differs(golden, text));
  TEST_ASSERT_TRUE_MESSAGE(golden == text, message.c_str());
}

void check_lane(const Lane& lane, const ProductForm& form) { check(lane_label(lane, form), lane_text(lane, form)); }

void check_tile(const Tile& tile, const ProductForm& form) { check(tile_label(tile, form), tile_text(tile, form)); }
void check_coop(const Coop& coop, const ProductForm& form) { check(coop_label(coop, form), coop_text(coop, form)); }
void check_line(const Line& line, const ProductForm& form) { check(line_label(line, form), line_text(line, form)); }
void check_gemv(const Gemv& gemv, const ProductForm& form) { check(gemv_label(gemv, form), gemv_text(gemv, form)); }

// Small tiles show every part of the text as well as large ones.
void test_lane() {
  check_lane({Lane::Access::RowsRows, 8, 2, 2}, {DBK_F32});
  check_lane({Lane::Access::RowsColumns, 8, 2, 2}, {DBK_F32, false, true});
  check_lane({Lane::Access::Elements, 32, 1, 2}, {DBK_F16, true, true});
}

void test_tile() {
  check_tile({8, 8, 4, 2, 4, true, true}, {DBK_F32});
  check_tile({8, 16, 8, 4, 8, false, false}, {DBK_F16, true, true});
}

void test_coop() {
  check_coop({16, 8, 32, OperandForm::F16, 2, 1, 1, 2, 32}, {DBK_F32, true, true});
  check_coop({8, 8, 8, OperandForm::F32, 1, 1, 1, 1, 32}, {DBK_F32});
  check_coop({8, 16, 16, OperandForm::F16Sums, 1, 2, 2, 1, 16}, {DBK_F16});
  for (const auto& [coop, form] : {std::pair{Coop{16, 16, 32, OperandForm::I8, 1, 2, 1, 1, 32}, ByteForm{DBK_U8, DBK_I8, true, false}},
                                   {Coop{8, 16, 32, OperandForm::U8, 1, 1, 2, 1, 32}, ByteForm{DBK_U8, DBK_I8, false, true}}})
    check(coop_label(coop, form), byte_coop_text(coop, form));
}

void test_gemv() {
  check_gemv({1, 8, 4, false}, {DBK_F32});
  check_gemv({2, 4, 8, true}, {DBK_F16, true, true});
  check_gemv({1, 4, 8, true, OperandForm::F16, true}, {DBK_F32});
  check_gemv({2, 4, 8, true, OperandForm::F32, false}, {DBK_F32, true, true});
}

// Adapters with matrices of f32 get what others are tested with, but for the type of what is stored.
void test_gemv_of_either_storage() {
  for (const bool vectors : {false, true}) {
    const ProductForm form{DBK_F32, true, true};
    std::string f16 = gemv_text({8, 4, 8, true, OperandForm::F16, vectors}, form);
    for (const auto& [part, other] : {std::pair<std::string, std::string>{"enable f16;\n", ""}, {"alias stored = f16;", "alias stored = f32;"}}) {
      const size_t at = f16.find(part);
      TEST_ASSERT_TRUE_MESSAGE(at != std::string::npos, part.c_str());
      f16.replace(at, part.size(), other);
    }
    TEST_ASSERT_TRUE(f16 == gemv_text({8, 4, 8, true, OperandForm::F32, vectors}, form));
  }
}

constexpr Line::B kRows = Line::B::Rows, kBlocks = Line::B::Blocks;

void test_line() {
  for (const Line& line : {Line{2, 4, 16, kRows, false}, Line{1, 4, 8, kBlocks, true}})
    for (bool has_d : {false, true}) check_line(line, {DBK_F32, false, has_d});
  check_line({2, 20, 6, kBlocks, false, 3}, {DBK_F32, false, true});
}

// A as columns, B turned into blocks, alpha; sums in f32 of operands in f16.
void test_line_forms() {
  check_line({4, 4, 16, kRows, false, 0, true}, {DBK_F32, true, true});
  check_line({4, 4, 6, kBlocks, false, 3, true}, {DBK_F32, true, true});
  check_line({1, 4, 16, Line::B::Turned, false}, {DBK_F32, true});
  check_line({2, 4, 16, kRows, false}, {.dtype = DBK_F16, .has_d = true, .partial = true});
  check_line({2, 4, 16, kRows, false}, {DBK_F16, false, true});
  check_line({8, 12, 8, kBlocks, true, 0, true}, {DBK_F16});
  check_line({2, 20, 6, kBlocks, false, 3}, {DBK_F16, true, true});
  for (const DType dtype : {DBK_F32, DBK_F16}) check(line_turn_label(dtype), line_turn_text(dtype));
}

void test_epilogues() {
  using Place = EpilogueOperand::Place;
  const auto e = wgsl::expression(3, {wgsl::step("Add", {0, 1}), wgsl::step("Relu", {3}), wgsl::step("Add", {4, 2})});
  const Epilogue f32{e.get(), {{Place::Column, DBK_F32, 2}, {Place::Whole, DBK_F32, 3}}, DBK_F32};
  const Epilogue f16{e.get(), {{Place::Single, DBK_F16, 2}, {Place::Whole, DBK_F16, 3}}, DBK_F16};
  for (const Line& line : {Line{2, 4, 16, kRows, false}, Line{1, 4, 8, kBlocks, true}, Line{2, 20, 6, kBlocks, false, 3}}) {
    check_line(line, {DBK_F32, false, false, f32});
    check_line(line, {DBK_F16, false, false, f16});
  }
  const Lane lane{Lane::Access::Elements, 32, 1, 2};
  check_lane(lane, {DBK_F16, false, false, f16});
  check_tile({4, 8, 4, 2, 4, true, true}, {DBK_F32, false, false, f32});
  check_gemv({1, 8, 4, false}, {DBK_F16, false, false, f16});
  check_coop({16, 16, 16, OperandForm::F16, 1, 1, 1, 1, 32}, {DBK_F32, false, false, f32});
}

// What is stored has the other type; behind a cast to f32 operands have it, too.
void test_casts() {
  using Place = EpilogueOperand::Place;
  const auto to = [](int64_t type) {
    Attributes attrs;
    attrs.set("to", type);
    return attrs;
  };
  const auto narrow = wgsl::expression(2, {wgsl::step("Add", {0, 1}), wgsl::step("Cast", {2}, to(10))});
  const auto wide = wgsl::expression(3, {wgsl::step("Add", {0, 1}), wgsl::step("Cast", {3}, to(1)), wgsl::step("Add", {4, 2})});
  const ProductForm narrows{.dtype = DBK_F32, .epilogue = {narrow.get(), {{Place::Column, DBK_F32, 2}}, DBK_F16}};
  const ProductForm widens{.dtype = DBK_F16, .epilogue = {wide.get(), {{Place::Column, DBK_F16, 2}, {Place::Whole, DBK_F32, 3}}, DBK_F32}};
  check_line({1, 4, 8, kRows, false}, narrows);
  check_line({1, 4, 8, kRows, false}, widens);
  check_line({2, 12, 6, kBlocks, false, 3}, narrows);
  check(sum_parts_label(widens), sum_parts_text(widens));
  ProductForm parts = narrows;
  parts.results = 2;
  check_lane({Lane::Access::Elements, 32, 1, 2}, parts);
}

// Sums over parts of k, and what adds them up.
void test_parts_of_k() {
  const ProductForm f32{.dtype = DBK_F32, .partial = true}, f16{.dtype = DBK_F16, .partial = true};
  check_lane({Lane::Access::RowsRows, 8, 2, 2}, f32);
  check_lane({Lane::Access::Elements, 32, 1, 2}, f16);
  check_tile({8, 8, 4, 2, 4, true, true}, f16);
  check_gemv({1, 8, 4, false}, f32);
  check_gemv({1, 4, 8, true, OperandForm::F16Sums, true}, f16);
  check_coop({8, 8, 8, OperandForm::F16, 1, 1, 1, 1, 32}, f32);
  const auto e = wgsl::expression(2, {wgsl::step("Add", {0, 1}), wgsl::step("Relu", {2})});
  const Epilogue residual{e.get(), {{EpilogueOperand::Place::Whole, DBK_F16, 2}}, DBK_F16};
  for (const ProductForm& form : {ProductForm{DBK_F32, true, true}, ProductForm{DBK_F16, false, false, residual}, ProductForm{DBK_F32, false, false, {}, 3}})
    check(sum_parts_label(form), sum_parts_text(form));
}

// Columns that go to several results.
void test_parts() {
  check_lane({Lane::Access::Elements, 32, 1, 2}, {DBK_F16, false, false, {}, 2});
  check_tile({4, 8, 4, 2, 4, true, true}, {DBK_F32, false, false, {}, 3});
  check_gemv({1, 8, 4, false}, {DBK_F32, false, false, {}, 3});
  check_coop({8, 8, 8, OperandForm::F32, 1, 1, 1, 1, 32}, {DBK_F32, false, false, {}, 2});
  for (const Line& line : {Line{1, 4, 16, kRows, false}, Line{1, 4, 8, kBlocks, true}, Line{2, 20, 6, kBlocks, false, 3}})
    check_line(line, {DBK_F32, false, false, {}, 3});
  check_line({1, 4, 16, kRows, false}, {DBK_F16, false, false, {}, 2});
}

void test_elementwise() {
  using Kind = ElementwiseFrame::Kind;
  const auto e = wgsl::expression(3, {wgsl::step("Where", {0, 1, 2}), wgsl::step("Relu", {3})});
  const DType mixed[] = {DBK_BOOL, DBK_F16, DBK_F16};
  for (const ElementwiseFrame& frame : {ElementwiseFrame{Kind::Vectors, 3}, ElementwiseFrame{Kind::Strided, 4}})
    check(elementwise_label(frame, *e, mixed, DBK_F16), elementwise_text(frame, *e, mixed, DBK_F16));
  const auto sum = wgsl::expression(3, {wgsl::step("Add", {0, 1}), wgsl::step("Mul", {3, 2})});
  const DType reals[] = {DBK_F32, DBK_F32, DBK_F32};
  const ElementwiseFrame line{Kind::Line, 2, 0b100};
  check(elementwise_label(line, *sum, reals, DBK_F32), elementwise_text(line, *sum, reals, DBK_F32));
}

void test_attention() {
  const auto check_rows = [](const AttentionTile& tile, const AttentionForm& form) {
    check(attention_label(tile, form), attention_text(tile, form));
  };
  check_rows({8, 4, 8, 4, 4}, {.elements = DBK_F32, .masks = {DBK_F32, DBK_DTYPE_NONE}});
  check_rows({32, 1, 129, 3, 2}, {.elements = DBK_F16, .masks = {DBK_BOOL, DBK_DTYPE_NONE}, .softcap = true});
  check_rows({8, 4, 4, 4, 4}, {.elements = DBK_F32, .masks = {DBK_I32, DBK_F16}, .masks_may_end = true, .softcap = true,
                               .cap_follows_mask = true, .past = true, .lengths = DBK_I64, .scores = true, .stage = ScoreStage::Masked});
  check_rows({32, 4, 8, 12, 8, AttentionTile::Owns::Keys}, {.elements = DBK_F16, .past = true, .window = true, .zero_key = true});
}

void test_attention_lines() {
  AttentionLine line{8, 4, false};
  const AttentionForm form{.elements = DBK_F32, .masks = {DBK_F32, DBK_DTYPE_NONE}, .lines = true};
  check("attention/f32/line/turn/8+4", attention_turn_text(line));
  check("attention/f32/line/gather/8+4", attention_gather_text(line));
  check("attention/f32/line/levels9", attention_levels_text(9));
  check("attention/f32/line/rows", attention_rows_text());
  check("attention/f32/line/values8/8+4", attention_values_text(line, 8));
  for (const bool shared : {false, true}) {
    line.shared_masks = shared;
    check(attention_scores_label(line, form), attention_scores_text(line, form));
  }
}

void test_attention_tiles() {
  const auto check_tile = [](const FlashTile& tile, const AttentionForm& form) { check(flash_label(tile, form), flash_text(tile, form)); };
  check_tile({8, 8, 2, 4, 12, 8, 4}, {.elements = DBK_F32, .masks = {DBK_F32, DBK_DTYPE_NONE}});
  check_tile({4, 8, 1, 1, 5, 11, 2}, {.elements = DBK_F16, .masks = {DBK_BOOL, DBK_F32}, .masks_may_end = true, .softcap = true, .cap_follows_mask = true,
                                      .past = true, .lengths = DBK_I64});
  check_tile({4, 8, 2, 4, 4, 12, 4}, {.elements = DBK_F32, .softcap = true, .lengths = DBK_I32, .lengths_are_last = true, .keys_written = true,
                                      .window = true, .zero_key = true});
}

void test_tiles_fit_their_adapters() {
  Capabilities cpu;
  cpu.cpu_adapter = true;
  cpu.subgroup_max = 8;
  TEST_ASSERT_EQUAL_UINT32(8, lane_sizes(Lane::Access::RowsRows, cpu)[0].lanes);
  TEST_ASSERT_EQUAL_UINT32(32, lane_sizes(Lane::Access::RowsRows, Capabilities{})[0].lanes);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_lane);
  RUN_TEST(test_line);
  RUN_TEST(test_line_forms);
  RUN_TEST(test_tile);
  RUN_TEST(test_gemv);
  RUN_TEST(test_gemv_of_either_storage);
  RUN_TEST(test_coop);
  RUN_TEST(test_epilogues);
  RUN_TEST(test_casts);
  RUN_TEST(test_parts);
  RUN_TEST(test_parts_of_k);
  RUN_TEST(test_elementwise);
  RUN_TEST(test_attention);
  RUN_TEST(test_attention_lines);
  RUN_TEST(test_attention_tiles);
  RUN_TEST(test_tiles_fit_their_adapters);
  return UNITY_END();
}

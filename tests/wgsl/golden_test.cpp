// The matmul generators write what they wrote when somebody last looked: their text against the files in golden/.
#include <unity.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "plugin/gpu/families/lane_text.h"
#include "plugin/gpu/families/line_text.h"

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

void check_lane(const Lane& lane, DType dtype, bool scaled, bool has_d) {
  check(lane_label(lane, dtype, scaled, has_d), lane_text(lane, dtype, scaled, has_d));
}

// Small tiles show every part of the text as well as large ones.
void test_lane() {
  check_lane({Lane::Access::RowsRows, 8, 2, 2}, DBK_F32, false, false);
  check_lane({Lane::Access::RowsColumns, 8, 2, 2}, DBK_F32, false, true);
  check_lane({Lane::Access::Elements, 32, 1, 2}, DBK_F16, true, true);
}

void test_line() {
  for (const Line& line : {Line{2, 4, 16, false, false}, Line{1, 4, 8, true, true}})
    for (bool has_d : {false, true}) check(line_label(line, has_d), line_text(line, has_d));
}

void test_tiles_fit_their_adapters() {
  Capabilities cpu;
  cpu.cpu_adapter = true;
  cpu.subgroup_max = 8;
  TEST_ASSERT_EQUAL_UINT32(8, lane_for(Lane::Access::RowsRows, cpu).lanes);
  TEST_ASSERT_EQUAL_UINT32(32, lane_for(Lane::Access::RowsRows, Capabilities{}).lanes);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_lane);
  RUN_TEST(test_line);
  RUN_TEST(test_tiles_fit_their_adapters);
  return UNITY_END();
}

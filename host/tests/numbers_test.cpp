// Summaries of tensors, which are made block by block.
#include "tensors/numbers.h"

#include <unity.h>

#include <cmath>
#include <cstring>
#include <limits>

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

using host::NumberSummary;

template <class T>
host::Tensor tensor_of(uint32_t dtype, const std::vector<T>& elements) {
  host::Tensor tensor{dtype, {static_cast<int64_t>(elements.size())}, std::vector<std::byte>(elements.size() * sizeof(T)), {}};
  std::memcpy(tensor.bytes.data(), elements.data(), tensor.bytes.size());
  return tensor;
}

void test_blocks_are_one_summary() {
  std::vector<float> elements(200'001, 1.0f);
  elements[70'000] = -3, elements[200'000] = 9;
  elements[1] = elements[199'999] = std::numeric_limits<float>::quiet_NaN();
  elements[140'000] = -INFINITY;
  const NumberSummary s = host::summarize(tensor_of(DBK_F32, elements));
  TEST_ASSERT_EQUAL_DOUBLE(-3, s.min);
  TEST_ASSERT_EQUAL_DOUBLE(9, s.max);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, (199'996.0 - 3 + 9) / 199'998, s.mean);
  TEST_ASSERT_EQUAL_size_t(199'998, s.finite);
  TEST_ASSERT_EQUAL_size_t(2, s.nan);
  TEST_ASSERT_EQUAL_size_t(1, s.infinite);
}

// Elements that share bytes: 0x21 are 1 and 2.
void test_blocks_of_packed_elements() {
  host::Tensor tensor{DBK_U4, {131'075}, std::vector<std::byte>(65'538, std::byte{0x21}), {}};
  const NumberSummary s = host::summarize(tensor);
  TEST_ASSERT_EQUAL_size_t(131'075, s.finite);
  TEST_ASSERT_EQUAL_DOUBLE(1, s.min);
  TEST_ASSERT_EQUAL_DOUBLE(2, s.max);
  TEST_ASSERT_DOUBLE_WITHIN(1e-12, (65'538.0 + 2 * 65'537.0) / 131'075, s.mean);
}

void test_a_sum_that_overflows() {
  constexpr double kLarge = std::numeric_limits<double>::max();
  const NumberSummary s = host::summarize(tensor_of(DBK_F64, std::vector<double>{kLarge, kLarge, kLarge}));
  TEST_ASSERT_EQUAL_DOUBLE(kLarge, s.mean);
}

void test_nothing() {
  const NumberSummary s = host::summarize(tensor_of(DBK_F32, std::vector<float>{}));
  TEST_ASSERT_EQUAL_size_t(0, s.finite + s.nan + s.infinite);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_blocks_are_one_summary);
  RUN_TEST(test_blocks_of_packed_elements);
  RUN_TEST(test_a_sum_that_overflows);
  RUN_TEST(test_nothing);
  return UNITY_END();
}

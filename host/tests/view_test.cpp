// Views and tiles of the C++ header: offsets survive every step, nothing leaves its memory, illegal steps are refused.
#include <numeric>
#include <vector>

#include "daybreak_view.hpp"
#include "expect_error.h"

using daybreak::Dims;
using daybreak::MutableView;
using daybreak::View;
using daybreak::view_of;

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

std::vector<int32_t> counting(int32_t count) {
  std::vector<int32_t> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

void expect_elements(const std::vector<int32_t>& want, const View& view) {
  const std::vector<int32_t> got = view.packed<int32_t>();
  TEST_ASSERT_TRUE(want == got);
}

void test_slice_and_reshape_keep_the_offset() {
  const std::vector<int32_t> data = counting(24);
  const View rows = view_of(data, Dims{4, 6}).slice(0, 2, 2);
  TEST_ASSERT_EQUAL_UINT64(48, rows.byte_off());
  const View again = rows.reshape({3, 4});
  TEST_ASSERT_EQUAL_UINT64(48, again.byte_off());
  expect_elements({12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}, again);
  const dbk_tensor tensor = again.tensor(DBK_COPY);
  TEST_ASSERT_EQUAL_PTR(data.data() + 12, tensor.data);
  TEST_ASSERT_EQUAL_UINT64(48, tensor.byte_len);
  TEST_ASSERT_NULL(tensor.byte_strides);
  TEST_ASSERT_EQUAL_UINT32(2, tensor.rank);
}

void test_reshape_of_strided_views() {
  const std::vector<int32_t> data = counting(24);
  const View columns = view_of(data, Dims{2, 3, 4}).slice(2, 1, 2);  // [2, 3, 2], a gap after every pair
  expect_elements({1, 2, 5, 6, 9, 10, 13, 14, 17, 18, 21, 22}, columns.reshape({6, 1, 2}));
  TEST_ASSERT_FALSE(columns.try_reshape({12}).has_value());
  TEST_ASSERT_FALSE(columns.try_reshape({2, 6}).has_value());
  expect_error(DBK_FAILED_PRECONDITION, [&] { columns.reshape({4, 3}); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { columns.reshape({5}); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { columns.reshape({-3, -4}); });
  expect_elements({3, 2, 1, 0}, view_of(data).slice(0, 3, 4, -1).reshape({2, 2}));
  expect_elements({7, 7}, view_of(data).slice(0, 7, 2, 0).reshape({2, 1}));
}

void test_transpose_and_select() {
  const std::vector<int32_t> data = counting(6);
  const View view = view_of(data, Dims{2, 3});
  expect_elements({0, 3, 1, 4, 2, 5}, view.transpose());
  expect_elements({1, 4}, view.select(1, 1));
  expect_elements({4}, view.select(1, 1).select(0, 1));
  TEST_ASSERT_FALSE(view.transpose().is_dense());
  const View turned = view.transpose();
  TEST_ASSERT_EQUAL_PTR(turned.strides().data(), turned.tensor(DBK_COPY).byte_strides);
  expect_error(DBK_INVALID_ARGUMENT, [&] { view.transpose({0, 0}); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { view.transpose({0}); });
}

void test_bounds() {
  std::vector<int32_t> data = counting(6);
  const auto bytes = std::as_writable_bytes(std::span(data));
  expect_error(DBK_OUT_OF_RANGE, [&] { view_of(data, Dims{7}); });
  expect_error(DBK_OUT_OF_RANGE, [&] { MutableView(bytes, DBK_I32, {2}, {-4}, 0); });
  expect_error(DBK_OUT_OF_RANGE, [&] { MutableView(bytes, DBK_I32, {2}, {INT64_MIN}, 8); });
  expect_error(DBK_OUT_OF_RANGE, [&] { MutableView(bytes, DBK_I32, {3}, {INT64_MAX}, 0); });
  expect_error(DBK_OUT_OF_RANGE, [&] { MutableView(bytes, DBK_I32, {1}, {4}, 25); });
  expect_error(DBK_OUT_OF_RANGE, [&] { view_of(data).slice(0, 4, 3); });
  expect_error(DBK_OUT_OF_RANGE, [&] { view_of(data).slice(0, 4, 3, -3); });
  expect_error(DBK_OUT_OF_RANGE, [&] { view_of(data).slice(0, 0, 2, INT64_MIN); });
  expect_error(DBK_OUT_OF_RANGE, [&] { view_of(data).slice(1, 0, 1); });
  expect_error(DBK_OUT_OF_RANGE, [&] { view_of(data).at<int32_t>({6}); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { view_of(data).at<float>({0}); });
  expect_elements({}, view_of(data).slice(0, 6, 0));
  expect_elements({5}, MutableView(bytes, DBK_I32, {1, 1}, {-400, 1 << 20}, 20));
}

void test_packed_types_are_dense() {
  const std::vector<std::byte> data(3);
  const View nibbles(data, DBK_I4, {5});
  TEST_ASSERT_EQUAL_UINT64(3, nibbles.tensor(DBK_COPY).byte_len);
  expect_error(DBK_OUT_OF_RANGE, [&] { View(data, DBK_I4, {7}); });
  expect_error(DBK_INVALID_ARGUMENT, [&] { nibbles.slice(0, 1, 2); });
}

void test_partition_clips_edges_in_row_major_order() {
  const daybreak::Partition tiles({5, 4}, {2, 3});
  TEST_ASSERT_EQUAL_INT64(6, tiles.count());
  const Dims origins[] = {{0, 0}, {0, 3}, {2, 0}, {2, 3}, {4, 0}, {4, 3}};
  const Dims extents[] = {{2, 3}, {2, 1}, {2, 3}, {2, 1}, {1, 3}, {1, 1}};
  int64_t next = 0;
  for (const daybreak::Tile& tile : tiles) {
    TEST_ASSERT_EQUAL_INT64(next, tile.index);
    TEST_ASSERT_TRUE(tile.origin == origins[next] && tile.extent == extents[next]);
    ++next;
  }
  TEST_ASSERT_EQUAL_INT64(6, next);
  TEST_ASSERT_EQUAL_INT64(1, daybreak::Partition({}, {}).count());
  TEST_ASSERT_EQUAL_INT64(0, daybreak::Partition({3, 0}, {2, 2}).count());
  expect_error(DBK_INVALID_ARGUMENT, [] { daybreak::Partition({3}, {0}); });
}

void test_tiles_of_a_view_cover_it_once() {
  std::vector<int32_t> data(7 * 5, 0);
  const MutableView view = view_of(data, Dims{7, 5}).transpose();
  for (const daybreak::Tile& tile : daybreak::Partition(view.dims(), {2, 4})) {
    const MutableView part = view.tile(tile);
    for (const daybreak::Tile& one : daybreak::Partition(part.dims(), {1, 1})) {
      part.set(one.origin, part.at<int32_t>(one.origin) + 1);
    }
  }
  TEST_ASSERT_EACH_EQUAL_INT32(1, data.data(), data.size());
}

void test_every_half_survives_and_rounding_is_to_even() {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto value = daybreak::half::from_bits(static_cast<uint16_t>(bits));
    const float wide = value;
    const auto back = daybreak::half(wide);
    if (wide == wide)
      TEST_ASSERT_EQUAL_HEX16(bits, back.bits);
    else
      TEST_ASSERT_TRUE(static_cast<float>(back) != static_cast<float>(back));  // NaN
  }
  TEST_ASSERT_EQUAL_HEX16(0x3C00, daybreak::half(1.0f + 0x1p-11f).bits);  // half way: to even
  TEST_ASSERT_EQUAL_HEX16(0x3C02, daybreak::half(1.0f + 0x3p-11f).bits);
  TEST_ASSERT_EQUAL_HEX16(0x7BFF, daybreak::half(65519.99f).bits);
  TEST_ASSERT_EQUAL_HEX16(0x7C00, daybreak::half(65520.0f).bits);
  TEST_ASSERT_EQUAL_HEX16(0x0000, daybreak::half(0x1p-25f).bits);
  TEST_ASSERT_EQUAL_HEX16(0x0001, daybreak::half(0x1.8p-25f).bits);
  TEST_ASSERT_EQUAL_HEX16(0x3F80, daybreak::bfloat16(1.0f + 0x1p-8f).bits);
  TEST_ASSERT_EQUAL_HEX16(0x3F82, daybreak::bfloat16(1.0f + 0x3p-8f).bits);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_slice_and_reshape_keep_the_offset);
  RUN_TEST(test_reshape_of_strided_views);
  RUN_TEST(test_transpose_and_select);
  RUN_TEST(test_bounds);
  RUN_TEST(test_packed_types_are_dense);
  RUN_TEST(test_partition_clips_edges_in_row_major_order);
  RUN_TEST(test_tiles_of_a_view_cover_it_once);
  RUN_TEST(test_every_half_survives_and_rounding_is_to_even);
  return UNITY_END();
}

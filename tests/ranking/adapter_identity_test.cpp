// Which device of the Vulkan loader an adapter of Dawn's is, and whether an adapter that is found again is the one that was listed: with
// invented lists.
#include "plugin/gpu/adapter_identity.h"

#include <vector>

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

using dbk::gpu::AdapterIdentity, dbk::gpu::AdapterModel;

constexpr uint32_t kVulkan = 1, kOpenGl = 2;
constexpr AdapterModel kLarge{kVulkan, 0x10de, 0x2684}, kSmall{kVulkan, 0x1002, 0x744c}, kSoftware{kVulkan, 0x10005, 0}, kLargeByGl{kOpenGl, 0x10de, 0x2684};

void check(const std::vector<AdapterModel>& adapters, const std::vector<AdapterModel>& devices, const std::vector<int>& places) {
  for (size_t i = 0; i < adapters.size(); ++i) {
    const auto found = device_of_adapter(adapters, i, devices);
    TEST_ASSERT_EQUAL_INT(places[i], found ? static_cast<int>(*found) : -1);
  }
}

void test_different_models() { check({kSmall, kLarge, kSoftware}, {kLarge, kSoftware, kSmall}, {2, 0, 1}); }
void test_two_of_one_model() { check({kLarge, kLarge}, {kLarge, kLarge}, {0, 1}); }
void test_two_of_one_model_between_others() {
  check({kSoftware, kLarge, kSmall, kLarge, kSmall}, {kLarge, kSmall, kLarge, kSoftware, kSmall}, {3, 0, 1, 2, 4});
}
void test_the_same_by_another_interface() { check({kLargeByGl, kLarge, kLarge}, {kLarge, kLarge}, {-1, 0, 1}); }
void test_fewer_devices_than_adapters() { check({kLarge, kLarge, kSmall}, {kLarge}, {0, -1, -1}); }
void test_no_devices() { check({kLarge}, {}, {-1}); }

void test_found_again() {
  const AdapterIdentity listed{kLarge, "driver: 575.64"};
  TEST_ASSERT_EQUAL_STRING("", refuse_identity(listed, listed).c_str());
  for (const AdapterIdentity& other : {AdapterIdentity{kSmall, listed.driver}, AdapterIdentity{{kVulkan, kLarge.vendor, 0x2704}, listed.driver},
                                       AdapterIdentity{kLargeByGl, listed.driver}, AdapterIdentity{kLarge, "driver: 580.1"}})
    TEST_ASSERT_FALSE(refuse_identity(listed, other).empty());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_different_models);
  RUN_TEST(test_two_of_one_model);
  RUN_TEST(test_two_of_one_model_between_others);
  RUN_TEST(test_the_same_by_another_interface);
  RUN_TEST(test_fewer_devices_than_adapters);
  RUN_TEST(test_no_devices);
  RUN_TEST(test_found_again);
  return UNITY_END();
}

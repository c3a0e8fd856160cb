// Which device comes first, by figures and without.
#include "plugin/device_ranking.h"

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

namespace {

using dbk::DeviceInfo;
using dbk::DeviceRates;

struct Case {
  const char* name;
  std::vector<std::pair<uint32_t, double>> devices;  // kind; speed relative to 100 GFLOP/s and GB/s, 0: not measured
  std::vector<uint32_t> ranks;
};

DeviceRates rates_of(double speed) { return {50 / speed, 5 / speed, 10 * speed, 10 * speed, 100 * speed, 100 * speed}; }

// Scores as the plugin gives them by kind.
uint32_t score_of(uint32_t kind) {
  return kind == DBK_DEVICE_DISCRETE_GPU ? 300 : kind == DBK_DEVICE_INTEGRATED_GPU ? 200 : kind == DBK_DEVICE_CPU ? 100 : 50;
}

void check(const Case& test) {
  std::vector<DeviceInfo> devices;
  std::vector<std::optional<DeviceRates>> rates;
  for (const auto& [kind, speed] : test.devices) {
    devices.push_back({.kind = kind, .score = score_of(kind)});
    rates.push_back(speed > 0 ? std::optional(rates_of(speed)) : std::nullopt);
  }
  const std::vector<dbk::DeviceRank> ranks = rank_devices(devices, rates);
  for (size_t i = 0; i < ranks.size(); ++i) TEST_ASSERT_EQUAL_UINT32_MESSAGE(test.ranks[i], ranks[i].rank, test.name);
}

constexpr uint32_t kCpu = DBK_DEVICE_CPU, kDiscrete = DBK_DEVICE_DISCRETE_GPU, kIntegrated = DBK_DEVICE_INTEGRATED_GPU,
                   kSoftware = DBK_DEVICE_SOFTWARE_GPU;

void test_order() {
  const Case cases[] = {
      {"without figures the kind decides", {{kSoftware, 0}, {kIntegrated, 0}, {kDiscrete, 0}, {kCpu, 0}}, {4, 2, 1, 3}},
      {"figures of some are no figures", {{kIntegrated, 0}, {kCpu, 50}}, {1, 2}},
      {"the faster first, whatever it is", {{kDiscrete, 1}, {kCpu, 3}}, {2, 1}},
      {"the faster first", {{kIntegrated, 4}, {kDiscrete, 9}, {kCpu, 1}}, {2, 1, 3}},
      {"of equals the first", {{kDiscrete, 2}, {kDiscrete, 2}, {kCpu, 1}}, {1, 2, 3}},
      {"software that is faster in everything", {{kSoftware, 1.5}, {kCpu, 1}}, {1, 2}},
      {"software that is slower", {{kSoftware, 0.5}, {kCpu, 1}}, {2, 1}},
  };
  for (const Case& test : cases) check(test);
}

// However fast its products are: one figure in which it is slower leaves a doubt.
void test_software_adapters_are_held_back() {
  const std::vector<DeviceInfo> devices{{.kind = kSoftware, .score = 50}, {.kind = kCpu, .score = 100}};
  for (const dbk::RateField& field : dbk::kRateFields) {
    std::vector<std::optional<DeviceRates>> rates{rates_of(20), rates_of(1)};
    (*rates[0]).*field.value = (*rates[1]).*field.value;
    const auto ranks = rank_devices(devices, rates);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(2, ranks[0].rank, field.name);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(1, ranks[1].rank, field.name);
  }
}

void test_unusable_devices_have_no_rank() {
  const std::vector<DeviceInfo> devices{{.kind = kDiscrete, .score = 0, .unusable = "no storage buffers"}, {.kind = kCpu, .score = 100}};
  const std::vector<std::optional<DeviceRates>> rates{std::nullopt, rates_of(1)};
  const auto ranks = rank_devices(devices, rates);
  TEST_ASSERT_EQUAL_UINT32(0, ranks[0].rank);
  TEST_ASSERT_EQUAL_STRING("unusable: no storage buffers", ranks[0].why.c_str());
  TEST_ASSERT_EQUAL_UINT32(1, ranks[1].rank);
}

// Arithmetic and memory overlap; kernels, round trips and transfers add up.
void test_time_of_work() {
  const DeviceRates rates{10, 2, 1, 4, 8, 100};
  const auto time = [&](const dbk::Work& work) { return static_cast<float>(microseconds_of(work, rates)); };
  TEST_ASSERT_EQUAL_FLOAT(10, time({.flops = 1e6, .bytes = 1e3}));
  TEST_ASSERT_EQUAL_FLOAT(125, time({.flops = 1e6, .bytes = 1e6}));
  TEST_ASSERT_EQUAL_FLOAT(26, time({.kernels = 3, .round_trips = 2}));
  TEST_ASSERT_EQUAL_FLOAT(5, time({.upload_bytes = 4e3, .readback_bytes = 4e3}));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_order);
  RUN_TEST(test_software_adapters_are_held_back);
  RUN_TEST(test_unusable_devices_have_no_rank);
  RUN_TEST(test_time_of_work);
  return UNITY_END();
}

// Which device comes first, by figures and without.
#include "plugin/device_ranking.h"

#include <cstring>

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

DeviceRates rates_of(double speed) {
  return {50 / speed, 5 / speed, 10 * speed, 10 * speed, 100 * speed, 100 * speed, 80 * speed, 90 * speed};
}

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

// What neither has leaves no doubt; what the CPU alone has does.
void test_software_adapters_without_f16() {
  const std::vector<DeviceInfo> devices{{.kind = kSoftware, .score = 50}, {.kind = kCpu, .score = 100}};
  std::vector<std::optional<DeviceRates>> rates{rates_of(20), rates_of(1)};
  rates[0]->matmul_f16_f32acc_gigaflops = rates[1]->matmul_f16_f32acc_gigaflops = 0;
  TEST_ASSERT_EQUAL_UINT32(1, rank_devices(devices, rates)[0].rank);
  rates[0]->matmul_f16_gigaflops = 0;
  TEST_ASSERT_EQUAL_UINT32(2, rank_devices(devices, rates)[0].rank);
}

// A GPU with a long round trip and a CPU that has none, and what graphs take on them.
struct TwoDevices {
  std::vector<DeviceInfo> devices{{.kind = kDiscrete, .score = 300, .name = "card"}, {.kind = kCpu, .score = 100, .name = "processor"}};
  std::vector<std::optional<DeviceRates>> rates{DeviceRates{200, 5, 10, 10, 500, 10000, 40000, 0}, DeviceRates{1, 0.5, 20, 20, 20, 200, 100, 0}};

  std::optional<dbk::GraphRank> best(const dbk::Work& graph) const {
    const dbk::RunEstimate estimates[] = {{microseconds_of(graph, *rates[0]), ""}, {microseconds_of(graph, *rates[1]), ""}};
    return best_for_graph(devices, rates, estimates);
  }
};

constexpr dbk::Work kTiny{.flops = 1e5, .bytes = 1e4, .kernels = 3, .round_trips = 1, .upload_bytes = 1e3, .readback_bytes = 1e3};
constexpr dbk::Work kLarge{.flops = 1e11, .bytes = 1e9, .kernels = 300, .round_trips = 1, .upload_bytes = 1e6, .readback_bytes = 1e6};

void test_each_graph_goes_where_it_is_fastest() {
  const TwoDevices two;
  TEST_ASSERT_EQUAL_UINT32(1, rank_devices(two.devices, two.rates)[0].rank);
  TEST_ASSERT_EQUAL_UINT32(1, two.best(kTiny)->device);
  TEST_ASSERT_EQUAL_UINT32(0, two.best(kLarge)->device);
  TEST_ASSERT_EQUAL_STRING("a run of this graph is estimated at 0.0031 ms on 1 'processor'; 0.215 ms on 0 'card'", two.best(kTiny)->why.c_str());
}

// One that is not faster in everything does not come before the CPU, whatever this graph should take on it.
void test_software_adapters_are_held_back_from_graphs() {
  TwoDevices two;
  two.devices[0].kind = kSoftware;
  TEST_ASSERT_EQUAL_UINT32(1, two.best(kLarge)->device);
  TEST_ASSERT_NOT_NULL(strstr(two.best(kLarge)->why.c_str(), "behind the CPU"));
  two.rates[0] = rates_of(1000), two.rates[1] = rates_of(1);
  TEST_ASSERT_EQUAL_UINT32(0, two.best(kLarge)->device);
  two.rates[0] = rates_of(0.5);
  TEST_ASSERT_EQUAL_UINT32(1, two.best(kLarge)->device);
}

void test_devices_without_an_estimate() {
  const TwoDevices two;
  const dbk::RunEstimate refused[] = {{std::nullopt, "no memory for it"}, {5e6, ""}};
  const auto best = best_for_graph(two.devices, two.rates, refused);
  TEST_ASSERT_EQUAL_UINT32(1, best->device);
  TEST_ASSERT_NOT_NULL(strstr(best->why.c_str(), "'card': no memory for it"));
  const dbk::RunEstimate gpus_only[] = {{5e6, ""}, {}};
  TEST_ASSERT_EQUAL_UINT32(0, best_for_graph(two.devices, two.rates, gpus_only)->device);
  TEST_ASSERT_NULL(strstr(best_for_graph(two.devices, two.rates, gpus_only)->why.c_str(), "processor"));
  const dbk::RunEstimate nothing[] = {{std::nullopt, "a"}, {std::nullopt, "b"}};
  TEST_ASSERT_FALSE(best_for_graph(two.devices, two.rates, nothing).has_value());
  const dbk::RunEstimate equal[] = {{7, ""}, {7, ""}};
  TEST_ASSERT_EQUAL_UINT32(0, best_for_graph(two.devices, two.rates, equal)->device);
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
  const DeviceRates rates{10, 2, 1, 4, 8, 100, 400, 0};
  const auto time = [&](const dbk::Work& work) { return static_cast<float>(microseconds_of(work, rates)); };
  TEST_ASSERT_EQUAL_FLOAT(10, time({.flops = 1e6, .bytes = 1e3}));
  TEST_ASSERT_EQUAL_FLOAT(125, time({.flops = 1e6, .bytes = 1e6}));
  TEST_ASSERT_EQUAL_FLOAT(26, time({.kernels = 3, .round_trips = 2}));
  TEST_ASSERT_EQUAL_FLOAT(5, time({.upload_bytes = 4e3, .readback_bytes = 4e3}));
  TEST_ASSERT_EQUAL_FLOAT(2.5, time({.flops = 1e6, .arithmetic = dbk::Arithmetic::F16}));
  TEST_ASSERT_EQUAL_FLOAT(10, time({.flops = 1e6, .arithmetic = dbk::Arithmetic::F16F32acc}));  // has none: f32
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_order);
  RUN_TEST(test_software_adapters_are_held_back);
  RUN_TEST(test_software_adapters_without_f16);
  RUN_TEST(test_each_graph_goes_where_it_is_fastest);
  RUN_TEST(test_software_adapters_are_held_back_from_graphs);
  RUN_TEST(test_devices_without_an_estimate);
  RUN_TEST(test_unusable_devices_have_no_rank);
  RUN_TEST(test_time_of_work);
  return UNITY_END();
}

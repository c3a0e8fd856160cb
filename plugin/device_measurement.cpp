#include "plugin/device_measurement.h"

#include <algorithm>

#include "daybreak_graph.hpp"
#include "plugin/given_graph.h"
#include "plugin/probe.h"
#include "plugin/struct_copy.h"

namespace dbk {

namespace {

using daybreak::Dims;
using daybreak::GraphBuilder;

constexpr uint64_t kEnoughNanoseconds = 2'000'000;  // a duration that the clock and the round trip do not blur
constexpr uint64_t kTransferBytes = 16 << 20;

// The fastest of some: whatever else the machine does makes things slower, never faster.
template <class F>
double fastest_microseconds(F&& f) {
  constexpr int kLeast = 5, kMost = 50;
  constexpr uint64_t kPatience = 50'000'000;
  uint64_t best = UINT64_MAX;
  const Stopwatch all;
  for (int i = 0; i < kMost && (i < kLeast || all.nanoseconds() < kPatience); ++i) {
    const Stopwatch one;
    f();
    best = std::min(best, one.nanoseconds());
  }
  return static_cast<double>(best) / 1e3;
}

class Measurement {
 public:
  Measurement(Context& context, uint32_t device, const std::function<void()>& go_on) : context_(context), device_(device), go_on_(go_on) {}

  DeviceRates run() {
    rates_.round_trip_microseconds = chain(1);
    constexpr int64_t kKernels = 33;
    rates_.dispatch_microseconds = std::max(0.0, chain(kKernels) - rates_.round_trip_microseconds) / (kKernels - 1);
    transfers();
    rates_.memory_gigabytes_per_second = grown(1 << 22, 1 << 24, 2, [&](int64_t n) { return elementwise(n); });
    rates_.matmul_f32_gigaflops = grown(512, 4096, 2, [&](int64_t n) { return matmul<float>(n, "f32"); });
    const uint64_t features = context_.device(device_).info().features;
    if (features & DBK_FEATURE_F16)  // software adapters take long for it
      rates_.matmul_f16_gigaflops = grown(256, 4096, 2, [&](int64_t n) { return matmul<daybreak::half>(n, "f32"); });
    if (context_.device(device_).rounds_products())
      rates_.matmul_f16_f32acc_gigaflops = grown(512, 4096, 2, [&](int64_t n) { return matmul<float>(n, "f16_f32acc"); });
    return rates_;
  }

 private:
  struct Sample {
    double amount, microseconds;
  };

  double chain(int64_t kernels) {
    const Dims dims{1, 16};
    GraphBuilder g(20);
    auto value = g.input<float>("x", dims);
    for (int64_t i = 0; i < kernels; ++i) value = g.node("Softmax", {value});
    g.output(value, "y");
    return probed(g);
  }

  double probed(GraphBuilder& graph, const char* precision = "f32") {
    go_on_();
    const Options options = Options(nullptr, "compile").with("precision", precision);
    Probe probe(context_, device_, given_graph(copy_in(graph.graph(), "graph"), options), options);
    probe.run();
    return fastest_microseconds([&] { probe.run(); });
  }

  // Writing may only hand over to the driver: a word that is read afterwards waits for it.
  void transfers() {
    const std::vector<float> data(kTransferBytes / sizeof(float), 0.5f);
    std::vector<float> back(data.size());
    Device& device = context_.device(device_);
    Stats discarded;
    double word = 0, upload = 0, readback = 0;
    device.worker().call([&] {
      const std::unique_ptr<DeviceBuffer> buffer = device.create_buffer(kTransferBytes, nullptr, discarded);
      const auto read_word = [&] { buffer->read(0, back.data(), 4); };
      read_word();
      word = fastest_microseconds(read_word);
      upload = fastest_microseconds([&] { buffer->write(0, data.data(), kTransferBytes), read_word(); });
      readback = fastest_microseconds([&] { buffer->read(0, back.data(), kTransferBytes); });
    });
    rates_.upload_gigabytes_per_second = per_nanosecond({kTransferBytes, upload - word});
    rates_.readback_gigabytes_per_second = per_nanosecond({kTransferBytes, readback});
  }

  Sample elementwise(int64_t count) {
    const Dims dims{count};
    GraphBuilder g(20);
    g.output(g.node("Neg", {g.input<float>("x", dims)}), "y");
    return {2.0 * sizeof(float) * static_cast<double>(count), without_round_trip(probed(g))};
  }

  template <class T>
  Sample matmul(int64_t size, const char* precision) {
    const Dims dims{size, size};
    GraphBuilder g(20);
    g.output(g.node("MatMul", {g.input<T>("a", dims), g.param<T>("b", dims)}), "y");
    const auto n = static_cast<double>(size);
    return {2 * n * n * n, without_round_trip(probed(g, precision))};
  }

  // Amounts of bytes or operations per nanosecond of the first size that takes long enough, or the largest.
  template <class F>
  double grown(int64_t size, int64_t largest, int64_t factor, F&& sample) {
    Sample s = sample(size);
    while (s.microseconds * 1e3 < kEnoughNanoseconds && size < largest) s = sample(size *= factor);
    return per_nanosecond(s);
  }

  double without_round_trip(double microseconds) const { return std::max(microseconds - rates_.round_trip_microseconds, microseconds / 10); }
  static double per_nanosecond(Sample s) { return s.amount / (std::max(s.microseconds, 0.001) * 1e3); }

  Context& context_;
  uint32_t device_;
  const std::function<void()>& go_on_;
  DeviceRates rates_;
};

}  // namespace

DeviceRates measure_device(Context& context, uint32_t device, const std::function<void()>& go_on) {
  return Measurement(context, device, go_on).run();
}

}  // namespace dbk

#include "cases.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <format>

#include "onednn_yardstick.h"
#ifdef DAYBREAK_GPU
#include "naive_matmul.h"
#endif

namespace bench {

namespace {

// What one run does: operations where they are what it costs, else bytes of kernels or of transfers.
struct Work {
  double flops = 0, bytes = 0, transferred = 0;

  double seconds_at(const Peak& peak) const {
    return flops > 0 ? flops / peak.flops_per_second : bytes / peak.bytes_per_second;
  }
};

void count(benchmark::State& state, const Work& work, const Peak& peak, double seconds) {
  using benchmark::Counter;
  const auto rate = [](double amount) { return Counter(amount * 1e-9, Counter::kIsIterationInvariantRate); };
  if (work.flops > 0) state.counters["GFLOP/s"] = rate(work.flops);
  if (work.bytes + work.transferred > 0) state.counters["GB/s"] = rate(work.bytes + work.transferred);
  const double part = work.seconds_at(peak) * static_cast<double>(state.iterations()) / seconds;
  if (part > 0 && std::isfinite(part)) state.counters["of_peak"] = part;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// `make` builds and warms what is run, outside of the measured time.
template <class Make>
auto* measure(const std::string& name, const Work& work, const Peak& peak, Make make) {
  return benchmark::RegisterBenchmark(name,
                                      [=](benchmark::State& state) {
                                        try {
                                          auto job = make();
                                          job->run();
                                          const auto start = std::chrono::steady_clock::now();
                                          for (auto _ : state) job->run();
                                          count(state, work, peak, seconds_since(start));
                                        } catch (const std::exception& error) {
                                          state.SkipWithError(error.what());
                                        }
                                      })
      ->UseRealTime()
      ->MeasureProcessCPUTime()
      ->Unit(benchmark::kMillisecond);
}

// On every device; `make` gets the context and the index of one.
template <class Make>
void on_devices(const Subject& subject, const std::string& name, const Work& work, Make make) {
  for (const auto& device : subject.devices)
    measure(name + "/" + short_name(device), work, subject.peaks[device.index],
            [&context = subject.context, i = device.index, make] { return make(context, i); });
}

double product_flops(const MatmulSize& s) {
  return 2.0 * static_cast<double>(s.rows) * static_cast<double>(s.inner) * static_cast<double>(s.columns);
}

constexpr int64_t kSquares[] = {128, 256, 512, 1024, 2048};
constexpr int64_t kLargestNaive = 1024;  // half a second for one run on a software adapter
// BERT-base and MiniLM with 128 tokens, Llama 3.2 1B with 64, and primes, which fit no tile.
constexpr MatmulSize kProducts[] = {{128, 384, 384},  {128, 384, 1536}, {128, 1536, 384}, {128, 768, 768},
                                    {128, 768, 3072}, {128, 3072, 768}, {64, 2048, 2048}, {64, 2048, 8192},
                                    {64, 8192, 2048}, {127, 131, 137},  {509, 521, 523},  {1021, 61, 1019}};
constexpr MatmulSize kSmallRows{0, 2048, 2048};  // rows 1 to 8: a step of a decoder

struct RowOp {
  const char *op, *name;
  int64_t rows, columns;
  double passes;  // tensors of that shape read and written
};
constexpr RowOp kRowOps[] = {{"Add", "add", 4096, 768, 3},
                             {"Gelu", "gelu", 4096, 768, 2},
                             {"Softmax", "softmax", 2048, 1024, 2},
                             {"Softmax", "softmax", 1, 32000, 2},
                             {"LayerNormalization", "layer_normalization", 2048, 768, 2},
                             {"LayerNormalization", "layer_normalization", 2048, 1024, 2},
                             {"RMSNormalization", "rms_normalization", 2048, 2048, 2},
                             {"Transpose", "transpose", 2048, 1024, 2}};

struct NamedConv {
  const char* name;
  ConvSize size;
};
constexpr NamedConv kConvs[] = {{"3x3_64", {64, 64, 56, 3, 1, 1}},
                                {"1x1_256to64", {256, 64, 56, 1, 1, 1}},
                                {"depthwise_3x3_96", {96, 96, 112, 3, 1, 96}},
                                {"7x7_stride2", {3, 64, 224, 7, 2, 1}}};

constexpr AttentionSize kAttentions[] = {{12, 128, 128, 64}, {12, 512, 512, 64}, {32, 1, 1024, 64}};

}  // namespace

std::string short_name(const daybreak::DeviceInfo& device) {
  return device.kind == DBK_DEVICE_CPU ? "cpu" : std::format("gpu{}", device.index);
}

void register_matmul(const Subject& subject) {
  const auto add = [&](const std::string& shape, const MatmulSize& size) {
    on_devices(subject, "matmul/" + shape, {.flops = product_flops(size)},
               [size](const auto& context, uint32_t device) { return matmul_job(context, device, size); });
  };
  for (int64_t n : kSquares) {
    const Work work{.flops = product_flops({n, n, n})};
    const std::string name = std::format("matmul/{}/", n);
#ifdef DAYBREAK_GPU
    if (n <= kLargestNaive)
      measure(name + "naive", work, {}, [n] {
        return std::make_unique<NaiveMatmul>(static_cast<uint32_t>(n));
      })->MinTime(0.1);
#endif
    measure(name + "onednn", work, {}, [n] { return std::make_unique<OnednnMatmul>(n); });
    add(std::to_string(n), {n, n, n});
  }
  for (const MatmulSize& s : kProducts) add(std::format("{}x{}x{}", s.rows, s.inner, s.columns), s);
  for (int64_t rows = 1; rows <= 8; ++rows)
    add(std::format("{}x{}x{}", rows, kSmallRows.inner, kSmallRows.columns),
        {rows, kSmallRows.inner, kSmallRows.columns});
}

void register_rows(const Subject& subject) {
  for (const RowOp& row : kRowOps)
    on_devices(
        subject, std::format("{}/{}x{}", row.name, row.rows, row.columns),
        {.bytes = row.passes * sizeof(float) * static_cast<double>(row.rows * row.columns)},
        [row](const auto& context, uint32_t device) { return op_job(context, device, row.op, row.rows, row.columns); });
}

void register_conv(const Subject& subject) {
  for (const NamedConv& conv : kConvs) {
    const ConvSize& s = conv.size;
    const int64_t out = s.extent / s.stride;
    const double flops = 2.0 * static_cast<double>(s.outputs * out * out * (s.inputs / s.groups) * s.kernel * s.kernel);
    on_devices(subject, std::string("conv/") + conv.name, {.flops = flops},
               [s](const auto& context, uint32_t device) { return conv_job(context, device, s); });
  }
}

void register_attention(const Subject& subject) {
  for (const AttentionSize& s : kAttentions)
    on_devices(subject, std::format("attention/{}x{}x{}x{}", s.heads, s.queries, s.keys, s.width),
               {.flops = 4.0 * static_cast<double>(s.heads * s.queries * s.keys * s.width)},
               [s](const auto& context, uint32_t device) { return attention_job(context, device, s); });
}

void register_overheads(const Subject& subject) {
  // The difference of the two, by 99, is what a kernel costs that has nothing to do.
  for (int64_t kernels : {1, 100})
    on_devices(subject, std::format("dispatch/{}", kernels), {},
               [kernels](const auto& context, uint32_t device) { return chain_job(context, device, kernels); });
  for (int64_t bytes : {4 << 10, 1 << 20, 16 << 20}) {
    on_devices(subject, std::format("readback/{}", bytes), {.transferred = static_cast<double>(bytes)},
               [bytes](const auto& context, uint32_t device) { return readback_job(context, device, bytes); });
    on_devices(subject, std::format("upload/{}", bytes), {.transferred = static_cast<double>(bytes)},
               [bytes](const auto& context, uint32_t device) { return upload_job(context, device, bytes); });
  }
}

}  // namespace bench

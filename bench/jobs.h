// Small graphs on a device of the plugin, compiled, ready and bound: what a benchmark runs again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daybreak.hpp"

namespace bench {

class Job {
 public:
  // Fills parameters and inputs; nothing has run yet.
  Job(const daybreak::Context& context, uint32_t device, daybreak::GraphBuilder& graph);
  void run() { run_.run(); }

 private:
  daybreak::Executable exec_;
  std::vector<std::vector<float>> data_;
  daybreak::Run run_;
};

// C = A B, B a parameter.
struct MatmulSize {
  int64_t rows, inner, columns;
};
std::unique_ptr<Job> matmul_job(const daybreak::Context& context, uint32_t device, MatmulSize size);
// Element-wise and row ops over [rows, columns].
std::unique_ptr<Job> op_job(const daybreak::Context& context, uint32_t device, const char* op, int64_t rows,
                            int64_t columns);
// The feed-forward part of a small transformer: x + down(gelu(up(x))), normalised.
struct MlpSize {
  int64_t rows, width, hidden;
};
inline constexpr MlpSize kMlp{128, 384, 1536}, kSmallMlp{16, 128, 512};
std::unique_ptr<Job> mlp_job(const daybreak::Context& context, uint32_t device, MlpSize size = kMlp);
// y = gelu(x W + b) of a dozen elements: nothing but what a run costs by itself.
std::unique_ptr<Job> gelu_job(const daybreak::Context& context, uint32_t device);

// One square image; the result has its extent divided by the stride.
struct ConvSize {
  int64_t inputs, outputs, extent, kernel, stride, groups;
};
std::unique_ptr<Job> conv_job(const daybreak::Context& context, uint32_t device, ConvSize size);
struct AttentionSize {
  int64_t heads, queries, keys, width;
};
std::unique_ptr<Job> attention_job(const daybreak::Context& context, uint32_t device, AttentionSize size);
// So many kernels, one after the other, on a dozen elements.
std::unique_ptr<Job> chain_job(const daybreak::Context& context, uint32_t device, int64_t kernels);

// Memory of a device, read or written as a whole. What was written is waited for.
class Transfer {
 public:
  Transfer(const daybreak::Context& context, uint32_t device, int64_t bytes, bool upload);
  void run();

 private:
  daybreak::Buffer buffer_;
  std::vector<std::byte> data_;
  bool upload_;
};
std::unique_ptr<Transfer> readback_job(const daybreak::Context& context, uint32_t device, int64_t bytes);
std::unique_ptr<Transfer> upload_job(const daybreak::Context& context, uint32_t device, int64_t bytes);

double seconds_of(Job& job);  // of one run

// The same numbers for everybody: f32 in [-1, 1).
std::vector<float> values(size_t count);

}  // namespace bench

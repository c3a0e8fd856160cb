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

// C = A B with square f32 matrices, B a parameter.
std::unique_ptr<Job> matmul_job(const daybreak::Context& context, uint32_t device, int64_t size);
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

double seconds_of(Job& job);  // of one run

// The same numbers for everybody: f32 in [-1, 1).
std::vector<float> values(size_t count);

}  // namespace bench

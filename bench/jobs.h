// What benchmarks run again and again: small graphs on a device of the plugin, compiled, ready and bound, and
// transfers.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "daybreak.hpp"
#include "work.h"

namespace bench {

// Why something cannot be measured here, where that is no failure.
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Job {
 public:
  virtual ~Job() = default;
  virtual void run() = 0;
  virtual Work work() const { return {}; }  // of one run
};
// On a device of a context.
using MakeJob = std::function<std::unique_ptr<Job>(const daybreak::Context& context, uint32_t device)>;

// A graph whose parameters and inputs are filled with numbers; nothing has run yet. Runs upload nothing, as the inputs
// stay the same, and read nothing back: they cost kernels and what a run costs by itself.
class GraphJob : public Job {
 public:
  GraphJob(const daybreak::Context& context, uint32_t device, daybreak::GraphBuilder& graph, const daybreak::Options& options = {});
  void run() override { run_.run({.mode = DBK_RUN_NO_READBACK}); }
  Work work() const override { return work_of(exec_); }
  const daybreak::Executable& exec() const { return exec_; }

 private:
  daybreak::Executable exec_;
  std::vector<std::vector<std::byte>> data_;  // of inputs
  daybreak::Run run_;
};

inline constexpr uint32_t kOpset = 23;
// Compiled, its parameters filled with numbers.
daybreak::Executable ready_executable(const daybreak::Context& context, uint32_t device, daybreak::GraphBuilder& graph,
                                      const daybreak::Options& options = {});

// C = A B, B a parameter.
struct MatmulSize {
  int64_t rows, inner, columns;
};
enum class Numbers { F32, F16, F16F32acc, I8 };  // F16F32acc: f32 with precision=f16_f32acc; I8: with sums of 32 bits
Work product_work(MatmulSize size);  // its arithmetic alone
std::unique_ptr<GraphJob> matmul_job(const daybreak::Context& context, uint32_t device, MatmulSize size, Numbers numbers);
// Element-wise and row ops over [rows, columns].
std::unique_ptr<Job> op_job(const daybreak::Context& context, uint32_t device, std::string_view op, int64_t rows,
                            int64_t columns);
// The feed-forward part of a small transformer: x + down(gelu(up(x))), normalised.
struct MlpSize {
  int64_t rows, width, hidden;
};
std::unique_ptr<Job> mlp_job(const daybreak::Context& context, uint32_t device, MlpSize size);
// y = gelu(x W + b) of a dozen elements: nothing but what a run costs by itself.
std::unique_ptr<Job> gelu_job(const daybreak::Context& context, uint32_t device);

// One square image; the result has its extent divided by the stride.
struct ConvSize {
  int64_t inputs, outputs, extent, kernel, stride, groups;
};
std::unique_ptr<Job> conv_job(const daybreak::Context& context, uint32_t device, ConvSize size);
// So many kernels, one after the other, on a dozen elements.
std::unique_ptr<Job> chain_job(const daybreak::Context& context, uint32_t device, int64_t kernels);

// Memory of a device, read or written as a whole. What was written is waited for.
enum class Direction { Upload, Readback };
std::unique_ptr<Job> transfer_job(const daybreak::Context& context, uint32_t device, Direction direction,
                                  int64_t bytes);

double seconds_of(Job& job);  // of one run

// The same numbers for everybody: in [-1, 1), integers over all of their range.
std::vector<float> values(size_t count);
std::vector<std::byte> values(uint32_t dtype, size_t count);

}  // namespace bench

// One-op graphs on a device of the plugin, compiled, warm and bound: what a benchmark runs again and again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "daybreak.hpp"

namespace bench {

class Job {
 public:
  // Declares inputs, the node and its output "y"; `params` names the parameters among them.
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

// The same numbers for everybody: f32 in [-1, 1).
std::vector<float> values(size_t count);

}  // namespace bench

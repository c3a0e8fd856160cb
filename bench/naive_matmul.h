// The matmul everybody writes first, one invocation per element of C, straight on Dawn: the floor that kernels are
// measured against.
#pragma once

#include <cstdint>
#include <memory>

#include "jobs.h"

namespace bench {

class NaiveMatmul : public Job {
 public:
  // Throws std::runtime_error where there is no adapter.
  explicit NaiveMatmul(uint32_t size);
  ~NaiveMatmul() override;
  void run() override;
  Work work() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench

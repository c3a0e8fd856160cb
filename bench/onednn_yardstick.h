// oneDNN's f32 matmul, called as its own documentation does: what the CPU device has to match.
#pragma once

#include <cstdint>
#include <memory>

#include "jobs.h"

namespace bench {

class OnednnMatmul : public Job {
 public:
  explicit OnednnMatmul(int64_t size);
  ~OnednnMatmul() override;
  void run() override;
  Work work() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench

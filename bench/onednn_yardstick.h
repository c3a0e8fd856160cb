// oneDNN's f32 matmul, called as its own documentation does: what the CPU device has to match.
#pragma once

#include <memory>

#include "jobs.h"

namespace bench {

class OnednnMatmul : public Job {
 public:
  explicit OnednnMatmul(MatmulSize size);
  ~OnednnMatmul() override;
  void run() override;
  Work work() const override;
  // Of the first element of the last run, as a part of what its terms add up to without their signs.
  double error() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench

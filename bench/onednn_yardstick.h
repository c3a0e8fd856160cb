// oneDNN's f32 matmul, called as its own documentation does: what the CPU device has to match.
#pragma once

#include <cstdint>
#include <memory>

namespace bench {

class OnednnMatmul {
 public:
  explicit OnednnMatmul(int64_t size);
  ~OnednnMatmul();
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench

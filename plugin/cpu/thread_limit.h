// Limits the threads of the OpenMP loops that the calling thread starts, for as long as it lives. A team of another size would end and
// start threads each time, so it is one or all.
#pragma once

#include <omp.h>

namespace dbk {

// Makes the threads that loops of the calling thread will share; otherwise the first such loop does. They spin for a while afterwards.
inline void start_threads() {
#pragma omp parallel
  {
  }
}

class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) : before_(threads ? omp_get_max_threads() : 0) {  // 0: no limit
    if (threads) omp_set_num_threads(threads);
  }
  ~ThreadLimit() {
    if (before_) omp_set_num_threads(before_);
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int before_;
};

}  // namespace dbk

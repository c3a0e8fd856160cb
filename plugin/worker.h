// The thread of one device. It executes jobs in the order they were posted; all calls of the device's API happen on it, which keeps
// driver state off the host's threads and gives runs their order. It is started by the first job.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace dbk {

// A job lives in the object it works for (a run), so posting allocates nothing. It must stay alive until executed.
struct Job {
  virtual void execute() noexcept = 0;
  Job* next = nullptr;

 protected:
  ~Job() = default;
};

class Worker {
 public:
  Worker() = default;
  ~Worker() { stop(); }

  void post(Job& job);  // FAILED_PRECONDITION after stop
  // Runs f on the worker and waits; exceptions come back to the caller. On the worker itself f runs at once.
  void call(const std::function<void()>& f);
  // Finishes what was posted, then joins.
  void stop();

 private:
  void start();  // with the lock held
  void loop();
  std::mutex mutex_;
  std::condition_variable wake_;
  Job* first_ = nullptr;
  Job* last_ = nullptr;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace dbk

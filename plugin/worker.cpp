#include "plugin/worker.h"

#include <exception>
#include <system_error>

#include "host_fallback/error.h"

namespace dbk {

namespace {

thread_local const Worker* current_worker = nullptr;  // whose thread this is

struct Call final : Job {
  const std::function<void()>& f;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::exception_ptr failure;

  explicit Call(const std::function<void()>& body) : f(body) {}

  void execute() noexcept override {
    try {
      f();
    } catch (...) {
      failure = std::current_exception();
    }
    std::lock_guard lock(mutex);  // notify under the lock: the waiter owns this object and may free it right after
    done = true;
    changed.notify_one();
  }

  void wait() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return done; });
  }
};

}  // namespace

void Worker::post(Job& job) {
  std::lock_guard lock(mutex_);
  if (stopping_) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
  start();  // first: where it fails, the job is not in the queue
  job.next = nullptr;
  (last_ ? last_->next : first_) = &job;
  last_ = &job;
  wake_.notify_one();
}

void Worker::start() {
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (const std::system_error& e) {
    fail(DBK_OUT_OF_MEMORY, "the system gives the device no thread: {}", e.what());
  }
}

void Worker::call(const std::function<void()>& f) {
  if (current_worker == this) return f();
  Call job(f);
  post(job);
  job.wait();
  if (job.failure) std::rethrow_exception(job.failure);
}

void Worker::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void Worker::loop() {
  current_worker = this;
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [&] { return first_ || stopping_; });
    if (!first_) return;
    Job* job = first_;
    first_ = job->next;
    if (!first_) last_ = nullptr;
    lock.unlock();
    job->execute();  // may free the job
    lock.lock();
  }
}

}  // namespace dbk

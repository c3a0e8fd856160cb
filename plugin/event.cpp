#include "plugin/event.h"

#include <chrono>
#include <utility>

#include "plugin/fork_guard.h"

bool dbk_event::wait(uint64_t timeout_ns) {
  std::unique_lock lock(mutex_);
  const auto is_done = [&] { return done_; };
  // A timeout of centuries overflows the clock: it is no timeout.
  constexpr uint64_t kYear = 365ull * 24 * 3600 * 1'000'000'000ull;
  if (timeout_ns >= kYear) {
    changed_.wait(lock, is_done);
    return true;
  }
  return changed_.wait_for(lock, std::chrono::nanoseconds(timeout_ns), is_done);
}

void dbk_event::rethrow() {
  std::exception_ptr failure;
  {
    std::lock_guard lock(mutex_);
    failure = failure_;
  }
  if (failure) std::rethrow_exception(failure);
}

void dbk_event::await(dbk_event& other) noexcept {
  {
    std::lock_guard lock(mutex_);
    awaited_ = &other;
  }
  {
    std::unique_lock lock(other.mutex_);
    other.changed_.wait(lock, [&] { return other.done_ || cancelled_; });
  }
  std::lock_guard lock(mutex_);
  awaited_ = nullptr;
}

// Never with two events locked: they are used again and again, so that no order among them would last.
void dbk_event::cancel() noexcept {
  dbk_event* awaited = nullptr;
  {
    std::lock_guard lock(mutex_);
    cancelled_ = true;
    awaited = awaited_;
    if (awaited) awaited->retain();
  }
  if (!awaited) return;
  { std::lock_guard lock(awaited->mutex_); }  // who waits there has yet to look at cancelled_, or sleeps
  awaited->changed_.notify_all();
  awaited->release();
}

void dbk_event::complete(std::exception_ptr failure) noexcept {
  {
    std::lock_guard lock(mutex_);
    done_ = true;
    failure_ = std::move(failure);
  }
  changed_.notify_all();
}

bool dbk_event::orphaned() const { return pool_->closed_; }

void dbk_event::release() noexcept {
  if (refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    std::shared_ptr<dbk::EventPool> pool = std::move(pool_);
    pool->give_back(this);
  }
}

namespace dbk {

namespace {

constexpr size_t kOfRun = 2;

}  // namespace

EventReserve::EventReserve(EventPool& pool) : pool_(pool) {
  for (size_t i = 0; i < kOfRun; ++i) pool_.give_back(new dbk_event);
  std::lock_guard lock(pool_.mutex_);
  pool_.reserved_ += kOfRun;
}

EventReserve::~EventReserve() {
  std::lock_guard lock(pool_.mutex_);
  pool_.reserved_ -= kOfRun;
  pool_.drop_all_but(pool_.reserved_);
}

void EventPool::drop_all_but(size_t idle) noexcept {
  for (; idle_count_ > idle; --idle_count_) delete std::exchange(idle_, idle_->next_);
}

dbk_event* EventPool::acquire() {
  dbk_event* event = nullptr;
  {
    std::lock_guard lock(mutex_);
    event = idle_;
    if (event) idle_ = event->next_, --idle_count_;
  }
  if (!event) event = new dbk_event;
  event->done_ = false;
  event->failure_ = nullptr;
  event->cancelled_ = false;
  event->generation_ = process_generation();
  event->refs_.store(1, std::memory_order_relaxed);
  event->pool_ = shared_from_this();
  return event;
}

void EventPool::give_back(dbk_event* event) noexcept {
  std::lock_guard lock(mutex_);
  event->next_ = idle_;
  idle_ = event;
  ++idle_count_;
}

}  // namespace dbk

// Completion of work. An event is shared by its handle and by the work it stands for; when both are gone it returns to its context's
// pool, so that handing one out during run allocates nothing. What is idle there is bounded by the runs alive: each reserves its share.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>

#include "daybreak.h"

namespace dbk {
class EventPool;
}

struct dbk_event {
 public:
  // True when done within the timeout (nanoseconds, DBK_WAIT_FOREVER).
  bool wait(uint64_t timeout_ns);
  // Throws the failure of finished work, if it failed.
  void rethrow();
  // For the work of this event: waits until another is done, or this one cancelled.
  void await(dbk_event& other) noexcept;
  void complete(std::exception_ptr failure) noexcept;
  // Asks the work to stop, from any thread at any time. What that means is up to the work, which looks at cancelled().
  void cancel() noexcept;
  const std::atomic<bool>& cancelled() const { return cancelled_; }
  void retain() { refs_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept;
  uint64_t generation() const { return generation_; }  // of the process that made it
  bool belongs_to(const dbk::EventPool& pool) const { return pool_.get() == &pool; }
  bool orphaned() const;  // its context is destroyed

 private:
  friend class dbk::EventPool;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::exception_ptr failure_;
  std::atomic<bool> cancelled_{false};
  dbk_event* awaited_ = nullptr;
  std::atomic<int> refs_{0};
  uint64_t generation_ = 0;
  std::shared_ptr<dbk::EventPool> pool_;  // null while idle
  dbk_event* next_ = nullptr;             // idle list
};

namespace dbk {

class EventPool : public std::enable_shared_from_this<EventPool> {
 public:
  ~EventPool() { drop_all_but(0); }
  dbk_event* acquire();  // one reference, not done; allocates only where none is idle
  void close() { closed_ = true; }

 private:
  friend struct ::dbk_event;
  friend class EventReserve;
  void give_back(dbk_event* event) noexcept;
  void drop_all_but(size_t idle) noexcept;
  std::mutex mutex_;
  dbk_event* idle_ = nullptr;
  size_t idle_count_ = 0, reserved_ = 0;
  std::atomic<bool> closed_{false};
};

// Idle events for a run: for its last work, whose event it keeps, and for the next. With it goes what is idle and nobody's share.
class EventReserve {
 public:
  explicit EventReserve(EventPool& pool);
  EventReserve(const EventReserve&) = delete;
  EventReserve& operator=(const EventReserve&) = delete;
  ~EventReserve();

 private:
  EventPool& pool_;
};

}  // namespace dbk

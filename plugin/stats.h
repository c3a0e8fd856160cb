// Counters of one object. Written by several threads, read any time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "daybreak.h"

namespace dbk {

struct Stats {
  std::atomic<uint64_t> weight_bytes{0}, activation_bytes{0}, staging_bytes{0};
  std::atomic<uint64_t> pipelines_built{0}, pipeline_cache_hits{0}, buffers_created{0}, device_objects{0};
  std::atomic<uint64_t> runs{0}, dispatches{0}, segments{0}, host_islands{0}, island_bytes{0};
  std::atomic<uint64_t> uploads{0}, upload_bytes{0}, uploads_skipped{0}, readback_bytes{0}, replans{0}, objects{0};
  std::atomic<uint64_t> run_nanoseconds{0}, device_nanoseconds{0};  // of completed runs: all of it, and without the host's parts
  // Of compiling: the graph until its plan is made, all of exec_ready, and of that kernels' text to Dawn, pipelines and the rehearsal; and
  // what the cache directory had of what Dawn asked for.
  std::atomic<uint64_t> graph_nanoseconds{0}, ready_nanoseconds{0}, shader_nanoseconds{0}, pipeline_nanoseconds{0}, warm_up_nanoseconds{0};
  std::atomic<uint64_t> texts_written{0};  // of programs
  std::atomic<uint64_t> blob_cache_hits{0}, blob_cache_misses{0};
  std::atomic<uint64_t> weights_judged{0}, judging_nanoseconds{0};  // by the precision guard
  Stats* parent = nullptr;  // counts along: run -> exec -> ctx

  // Adds to this object and everything above it.
  void add(std::atomic<uint64_t> Stats::*counter, uint64_t amount) {
    for (Stats* s = this; s; s = s->parent) (s->*counter).fetch_add(amount, std::memory_order_relaxed);
  }
  void subtract(std::atomic<uint64_t> Stats::*counter, uint64_t amount) {
    for (Stats* s = this; s; s = s->parent) (s->*counter).fetch_sub(amount, std::memory_order_relaxed);
  }
  void fill(dbk_stats& out) const;
};

class Stopwatch {
 public:
  uint64_t nanoseconds() const {
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start_).count());
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace dbk

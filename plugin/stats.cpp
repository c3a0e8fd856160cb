#include "plugin/stats.h"

#include "plugin/allocation.h"

namespace dbk {

void Stats::fill(dbk_stats& out) const {
#define DBK_COPY_COUNTER(name) out.name = name.load(std::memory_order_relaxed)
  DBK_COPY_COUNTER(weight_bytes);
  DBK_COPY_COUNTER(activation_bytes);
  DBK_COPY_COUNTER(staging_bytes);
  DBK_COPY_COUNTER(pipelines_built);
  DBK_COPY_COUNTER(pipeline_cache_hits);
  DBK_COPY_COUNTER(buffers_created);
  DBK_COPY_COUNTER(device_objects);
  DBK_COPY_COUNTER(runs);
  DBK_COPY_COUNTER(dispatches);
  DBK_COPY_COUNTER(segments);
  DBK_COPY_COUNTER(host_islands);
  DBK_COPY_COUNTER(island_bytes);
  DBK_COPY_COUNTER(uploads);
  DBK_COPY_COUNTER(upload_bytes);
  DBK_COPY_COUNTER(uploads_skipped);
  DBK_COPY_COUNTER(readback_bytes);
  DBK_COPY_COUNTER(replans);
  DBK_COPY_COUNTER(objects);
#undef DBK_COPY_COUNTER
  out.host_allocations = allocation_count();
}

}  // namespace dbk

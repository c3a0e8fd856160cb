// MaxPool: the largest element of each window and, where wanted, its index in the whole input: row-major or, with
// storage_order 1, counted along the first spatial axis first. A NaN wins. A window of padding alone has the lowest
// number and index -1.
#include "host_fallback/pooling.h"

namespace dbk {

namespace {

constexpr DTypeSet kTypes = FLOATS | I8 | U8;

// The offset `at` within a plane, counted column-major.
int64_t column_major(const Windows& w, int64_t at) {
  int64_t place[DBK_MAX_RANK], index = 0;
  for (uint32_t d = w.rank; d-- > 0; at /= w[d].in) place[d] = at % w[d].in;
  for (uint32_t d = w.rank; d-- > 0;) index = index * w[d].in + place[d];
  return index;
}

// Results of one row with their indices, one at a time.
template <class T>
void index_row(const Windows& w, const PoolRow& row, bool columns, const T* in, T* out, int64_t* indices) {
  const WindowAxis& axis = w[w.rank - 1];
  const int64_t start_of_plane = row.plane() * w.in_count();
  const T* plane = in + start_of_plane;
  for (int64_t o = 0; o < axis.out; ++o) {
    Acc<T> best = MaximumPool::identity<T>();
    int64_t at = -1;
    const TapRange taps = taps_within(axis, axis.start(o), 0, axis.in);
    row.for_rows([&](int64_t offset) {
      for (int64_t tap = taps.first; tap < taps.last; ++tap) {
        const int64_t here = offset + axis.start(o) + tap * axis.dilation;
        const Acc<T> x = static_cast<Acc<T>>(plane[here]);
        if (at >= 0 && !(x > best) && !(x != x && best == best)) continue;
        best = x;
        at = here;
      }
    });
    if (out) out[o] = static_cast<T>(best);
    indices[o] = at < 0 ? -1 : start_of_plane + (columns ? column_major(w, at) : at);
  }
}

void compute(Compute& c) {
  if (!c.wants(1)) return compute_pool<kTypes, MaximumPool>(c);
  if (c.out(1).count() == 0) return;
  const Windows w = pooling_windows(c.attrs(), c.in(0).shape());
  const bool columns = c.attrs().integer("storage_order") != 0;
  const int64_t length = w[w.rank - 1].out;
  int64_t* indices = c.out(1).as<int64_t>();
  with_type<kTypes>(c.in(0).type.dtype, [&]<class T>() {
    const T* in = c.in(0).as<T>();
    T* out = c.wants(0) ? c.out(0).as<T>() : nullptr;
    parallel_ranges(c.out(1).count() / length, grain_of(length * w.taps()), [=, &w](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row)
        index_row(w, PoolRow(w, row, false), columns, in, out ? out + row * length : nullptr, indices + row * length);
    });
  });
}

}  // namespace

extern constinit const HostOp host_max_pool{kTypes, 0, infer_pool, compute};

}  // namespace dbk

// Unique: the distinct elements, or with `axis` the distinct slices along it; sorted, or in the order of their first occurrence. Further
// outputs: where each occurs first, which of them every element is, and how often it occurs. All NaNs count as one, after all numbers.
// Complex numbers are sorted by their real parts first.
#include <numeric>

#include "host_fallback/complex_parts.h"
#include "host_fallback/movement.h"
#include "host_fallback/op.h"

namespace dbk {

namespace {

// The input as [outer, extent, inner]: slice i along the axis is what is compared.
struct Extents {
  int64_t outer = 1, extent = 1, inner = 1;
};

Extents extents_of(const Attributes& attrs, const Shape& shape) {
  if (!attrs.has("axis")) return {1, shape.count(), 1};
  const uint32_t axis = normalize_axis(attrs.integer("axis"), shape.rank());
  Extents e;
  for (uint32_t d = 0; d < shape.rank(); ++d) (d < axis ? e.outer : d > axis ? e.inner : e.extent) *= shape[d];
  return e;
}

// -1, 0, 1.
template <class T>
int compare(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    if (a != a || b != b) return (a != a) - (b != b);
  return (b < a) - (a < b);
}

template <class T>
int compare_slices(const T* data, const Extents& e, int64_t a, int64_t b) {
  for (int64_t o = 0; o < e.outer; ++o)
    for (int64_t i = 0; i < e.inner; ++i) {
      const int order = compare<Acc<T>>(data[(o * e.extent + a) * e.inner + i], data[(o * e.extent + b) * e.inner + i]);
      if (order) return order;
    }
  return 0;
}

struct Groups {
  std::vector<int64_t> first, counts;  // of each distinct slice, in the order of the output
  std::vector<int64_t> member;         // by slice: which distinct one it is
};

Groups groups_of(const Attributes& attrs, const Tensor& tensor) {
  Extents e = extents_of(attrs, tensor.shape());
  Groups groups;
  groups.member.resize(static_cast<size_t>(e.extent));
  with_parts(tensor.type.dtype, [&]<class T, int parts>() {
    const T* data = tensor.as<T>();
    e.inner *= parts;
    std::vector<int64_t> order(static_cast<size_t>(e.extent));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](int64_t a, int64_t b) { return compare_slices(data, e, a, b) < 0; });
    for (size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || compare_slices(data, e, order[i - 1], order[i]) != 0) groups.first.push_back(order[i]), groups.counts.push_back(0);
      ++groups.counts.back();
      groups.member[static_cast<size_t>(order[i])] = static_cast<int64_t>(groups.first.size()) - 1;
    }
  });
  if (attrs.integer("sorted") != 0) return groups;
  std::vector<size_t> order(groups.first.size()), place(order.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t g) { return groups.first[g]; });
  Groups by_occurrence{{}, {}, std::move(groups.member)};
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    by_occurrence.first.push_back(groups.first[order[i]]);
    by_occurrence.counts.push_back(groups.counts[order[i]]);
  }
  for (int64_t& m : by_occurrence.member) m = static_cast<int64_t>(place[static_cast<size_t>(m)]);
  return by_occurrence;
}

void infer(Infer& infer) {
  const Shape& shape = infer.shape(0);
  const Groups groups = groups_of(infer.attrs(), infer.value(0));
  const int64_t count = static_cast<int64_t>(groups.first.size());
  Shape out{count};
  if (infer.attrs().has("axis")) {
    out = shape;
    out[normalize_axis(infer.attrs().integer("axis"), shape.rank())] = count;
  }
  infer.out(0, infer.in(0).dtype, out);
  infer.out(1, DBK_I64, {count});
  infer.out(2, DBK_I64, {static_cast<int64_t>(groups.member.size())});
  infer.out(3, DBK_I64, {count});
}

void compute(Compute& c) {
  const Extents e = extents_of(c.attrs(), c.in(0).shape());
  const Groups groups = groups_of(c.attrs(), c.in(0));
  if (c.wants(0)) {
    with_element_size(c.in(0).type.dtype, [&]<class E>() {
      E* out = c.out(0).as<E>();
      for (int64_t o = 0; o < e.outer; ++o)
        for (int64_t slice : groups.first) out = std::copy_n(c.in(0).as<E>() + (o * e.extent + slice) * e.inner, e.inner, out);
    });
  }
  if (c.wants(1)) std::ranges::copy(groups.first, c.out(1).as<int64_t>());
  if (c.wants(2)) std::ranges::copy(groups.member, c.out(2).as<int64_t>());
  if (c.wants(3)) std::ranges::copy(groups.counts, c.out(3).as<int64_t>());
}

}  // namespace

extern constinit const HostOp host_unique{PLAIN | C64 | C128, 0, infer, compute};

}  // namespace dbk

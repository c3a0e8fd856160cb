// TopK: the k largest elements of each line along an axis (the smallest with largest = 0) and where they are, in order. Of
// equal ones those with a lower index come first; a NaN counts as the largest. The number is an attribute before version 10.
#include <utility>

#include "host_fallback/lines.h"
#include "host_fallback/op.h"
#include "host_fallback/parallel.h"

namespace dbk {

namespace {

void infer(Infer& infer) {
  Shape shape = infer.shape(0);
  const uint32_t axis = normalize_axis(infer.attrs().integer("axis"), shape.rank());
  if (infer.has(1) && infer.value(1).count() != 1) fail(DBK_INVALID_ARGUMENT, "K has shape {}, not one element", to_string(infer.shape(1)));
  const int64_t k = infer.has(1) ? integer_at(infer.value(1), 0) : infer.attrs().integer("k");
  if (k < 0 || k > shape[axis]) fail(DBK_INVALID_ARGUMENT, "K is {}, and axis {} of the input has extent {}", k, axis, shape[axis]);
  shape[axis] = k;
  infer.out(0, infer.in(0).dtype, shape);
  infer.out(1, DBK_I64, shape);
}

// Keeps the k items that come first, in a heap whose root comes last, then puts them in order. Nothing is allocated: the
// heap is the output's own line.
template <class Item, class Before>
class Selection {
 public:
  Selection(Item* items, int64_t step, int64_t k, Before before) : items_(items), step_(step), k_(k), before_(before) {}

  void offer(Item item) {
    if (size_ < k_) {
      int64_t at = size_++;
      for (; at > 0 && before_(this->at((at - 1) / 2), item); at = (at - 1) / 2) this->at(at) = this->at((at - 1) / 2);
      this->at(at) = item;
    } else if (k_ > 0 && before_(item, at(0))) {
      sift(item);
    }
  }

  void sort() {
    while (size_ > 1) {
      const Item last = at(0), item = at(--size_);
      sift(item);
      at(size_) = last;
    }
  }

 private:
  Item& at(int64_t i) { return items_[i * step_]; }

  // Puts an item in at the root.
  void sift(Item item) {
    int64_t hole = 0;
    for (int64_t child = 1; child < size_; child = 2 * hole + 1) {
      if (child + 1 < size_ && before_(at(child), at(child + 1))) ++child;
      if (!before_(item, at(child))) break;
      at(hole) = at(child);
      hole = child;
    }
    at(hole) = item;
  }

  Item* items_;
  int64_t step_, k_, size_ = 0;
  Before before_;
};

// Whether a comes before b; equal ones compare as such.
template <class A>
bool precedes(A a, A b, bool largest) {
  const bool more = a > b || (a != a && b == b), less = a < b || (b != b && a == a);
  return largest ? more : less;
}

// The indices, by what they point at.
template <class T>
void select_indices(const T* in, int64_t* indices, const Lines& lines, int64_t k, bool largest) {
  const auto before = [=](int64_t i, int64_t j) {
    const Acc<T> a = static_cast<Acc<T>>(in[i * lines.inner]), b = static_cast<Acc<T>>(in[j * lines.inner]);
    return precedes(a, b, largest) || (!precedes(b, a, largest) && i < j);
  };
  Selection<int64_t, decltype(before)> selection(indices, lines.inner, k, before);
  for (int64_t i = 0; i < lines.n; ++i) selection.offer(i);
  selection.sort();
}

// The values alone, where nobody wants the indices.
template <class T>
void select_values(const T* in, T* values, const Lines& lines, int64_t k, bool largest) {
  const auto before = [=](T a, T b) { return precedes(static_cast<Acc<T>>(a), static_cast<Acc<T>>(b), largest); };
  Selection<T, decltype(before)> selection(values, lines.inner, k, before);
  for (int64_t i = 0; i < lines.n; ++i) selection.offer(in[i * lines.inner]);
  selection.sort();
}

template <class T>
void select(Compute& c, const Lines& lines, int64_t k, bool largest) {
  const T* in = c.in(0).as<T>();
  T* values = c.wants(0) ? c.out(0).as<T>() : nullptr;
  int64_t* indices = c.wants(1) ? c.out(1).as<int64_t>() : nullptr;
  parallel_ranges(lines.count(), grain_of(lines.n * 8), [=](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      const T* from = in + lines.first(line);
      const int64_t to = line / lines.inner * k * lines.inner + line % lines.inner;
      if (!indices) {
        select_values(from, values + to, lines, k, largest);
        continue;
      }
      select_indices(from, indices + to, lines, k, largest);
      for (int64_t i = 0; values && i < k; ++i) values[to + i * lines.inner] = from[indices[to + i * lines.inner] * lines.inner];
    }
  });
}

void compute(Compute& c) {
  const Shape& shape = c.in(0).shape();
  const Lines lines = lines_of(shape, normalize_axis(c.attrs().integer("axis"), shape.rank()));
  const int64_t k = c.has(1) ? integer_at(c.in(1), 0) : c.attrs().integer("k");
  if (k == 0 || c.in(0).count() == 0) return;
  const bool largest = c.attrs().integer_or("largest", 1) != 0;
  with_type<NUMBERS>(c.in(0).type.dtype, [&]<class T>() { select<T>(c, lines, k, largest); });
}

}  // namespace

extern constinit const HostOp host_top_k{NUMBERS, 1u << 1, infer, compute};

}  // namespace dbk

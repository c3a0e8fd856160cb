#include "tests/ops/guarded_tensor.h"

#include <algorithm>
#include <format>

namespace ops {

namespace {

constexpr size_t kGuard = 64;

struct Arrangement {
  daybreak::Dims strides;  // bytes
  int64_t start = 0;       // of element 0, in bytes behind the guard
  int64_t room = 0;
};

Arrangement arrange(const Shape& shape, int64_t element, Layout layout) {
  const auto rank = static_cast<int64_t>(shape.rank());
  Arrangement a{daybreak::Dims::filled(shape.rank(), 0), layout == Layout::Unaligned ? 1 : 0, 0};
  int64_t step = element;
  for (int64_t i = 0; i < rank; ++i) {
    const auto axis = static_cast<size_t>(layout == Layout::Transposed ? i : rank - 1 - i);
    const int64_t extent = std::max<int64_t>(shape[axis], 1);
    switch (layout) {
      case Layout::Sliced:  // elements 1, 3, 5 ... of an axis of 2 extent + 1
        a.strides[axis] = 2 * step;
        a.start += step;
        step *= 2 * extent + 1;
        break;
      case Layout::Reversed:
        a.strides[axis] = -step;
        a.start += (extent - 1) * step;
        step *= extent;
        break;
      case Layout::Repeated:
        a.strides[axis] = axis == 0 ? 0 : step;
        step *= axis == 0 ? 1 : extent;
        break;
      default:
        a.strides[axis] = step;
        step *= extent;
    }
  }
  a.room = step + (layout == Layout::Unaligned ? 1 : 0);
  return a;
}

}  // namespace

GuardedTensor::GuardedTensor(const dbk::TensorType& type, Layout layout)
    : type_(type), element_(dbk::bits_of(type.dtype) / 8), dims_(std::span<const int64_t>(type.shape)) {
  const Arrangement a = arrange(type.shape, static_cast<int64_t>(element_), layout);
  const bool packed = daybreak::is_sub_byte(type.dtype);  // the ABI has them dense alone
  strides_ = packed ? daybreak::dense_strides(type.dtype, dims_) : a.strides;
  start_ = kGuard + static_cast<size_t>(a.start);
  storage_.assign(2 * kGuard + static_cast<size_t>(packed ? type.bytes() : a.room), kSentinel);
  original_ = storage_;
  dense_ = layout == Layout::Dense || layout == Layout::Unaligned;
}

GuardedTensor::GuardedTensor(const dbk::HostTensor& content, Layout layout) : GuardedTensor(content.type, layout) {
  each_run([&](size_t at, size_t from, size_t bytes) {
    std::copy_n(content.bytes.data() + from, bytes, storage_.data() + at);
  });
  original_ = storage_;
}

template <class F>
void GuardedTensor::each_run(F&& f) const {
  const int64_t count = type_.count();
  if (dense_) return f(start_, size_t{0}, static_cast<size_t>(type_.bytes()));
  daybreak::Dims index = daybreak::Dims::filled(dims_.size(), 0);
  auto at = static_cast<int64_t>(start_);
  for (int64_t i = 0; i < count; ++i) {
    f(static_cast<size_t>(at), static_cast<size_t>(i) * element_, element_);
    for (size_t d = dims_.size(); d-- > 0;) {
      at += strides_[d];
      if (++index[d] < dims_[d]) break;
      at -= strides_[d] * dims_[d];
      index[d] = 0;
    }
  }
}

daybreak::View GuardedTensor::view() const { return {std::span(storage_), type_.dtype, dims_, strides_, start_}; }
daybreak::MutableView GuardedTensor::writable() { return {std::span(storage_), type_.dtype, dims_, strides_, start_}; }

dbk::HostTensor GuardedTensor::content() const {
  dbk::HostTensor result{type_, std::vector<std::byte>(static_cast<size_t>(type_.bytes()))};
  each_run(
      [&](size_t at, size_t to, size_t bytes) { std::copy_n(storage_.data() + at, bytes, result.bytes.data() + to); });
  return result;
}

void GuardedTensor::wipe() { std::ranges::fill(storage_, kSentinel); }

std::string GuardedTensor::damage_when_read() const {
  const auto [at, other] = std::ranges::mismatch(storage_, original_);
  return at == storage_.end()
             ? ""
             : std::format("byte {} of an input changed", at - storage_.begin() - static_cast<ptrdiff_t>(start_));
}

std::string GuardedTensor::damage_when_written() const {
  std::vector<std::byte> rest = storage_;
  each_run([&](size_t at, size_t, size_t bytes) {
    std::fill_n(rest.begin() + static_cast<ptrdiff_t>(at), bytes, kSentinel);
  });
  const auto at = std::ranges::find_if(rest, [](std::byte b) { return b != kSentinel; });
  return at == rest.end()
             ? ""
             : std::format("byte {} beside an output changed", at - rest.begin() - static_cast<ptrdiff_t>(start_));
}

}  // namespace ops

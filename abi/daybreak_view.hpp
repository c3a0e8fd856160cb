// daybreak_view.hpp - strided views over host memory.
// A view is dtype, extents, byte strides and the offset of element 0 inside one allocation; it owns no memory. Every
// view made here lies inside its allocation (checked when made), so what reaches the ABI is never out of bounds.
// Slicing, transposing and reshaping copy nothing, and each keeps the offset of the view it starts from.
#ifndef DAYBREAK_VIEW_HPP
#define DAYBREAK_VIEW_HPP

#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "daybreak_dims.hpp"
#include "daybreak_dtype.hpp"

namespace daybreak {

// Byte is std::byte (View over writable memory: MutableView) or const std::byte (View).
template <class Byte>
class BasicView {
 public:
  BasicView() = default;

  // Dense, row-major, at the start of `memory`, which may be larger than the tensor.
  BasicView(std::span<Byte> memory, uint32_t type, const Dims& dims)
      : BasicView(memory, type, dims, dense_strides(type, dims), 0) {}

  // Strides may be zero or negative; `byte_off` is where element 0 is.
  BasicView(std::span<Byte> memory, uint32_t type, const Dims& dims, const Dims& byte_strides, uint64_t byte_off)
      : memory_(memory), byte_off_(byte_off), dtype_(type), dims_(dims), strides_(byte_strides) {
    check_bounds();
  }

  template <class T>
    requires Element<std::remove_const_t<T>> && (std::is_const_v<Byte> || !std::is_const_v<T>)
  BasicView(std::span<T> data, const Dims& dims) : BasicView(bytes_of(data), daybreak::dtype<T>, dims) {}

  // A view for reading from one for writing.
  template <class Other>
    requires std::is_const_v<Byte> && std::same_as<Other, std::byte>
  BasicView(const BasicView<Other>& other)
      : memory_(other.memory()),
        byte_off_(other.byte_off()),
        dtype_(other.dtype()),
        dims_(other.dims()),
        strides_(other.strides()) {}

  std::span<Byte> memory() const noexcept { return memory_; }
  uint64_t byte_off() const noexcept { return byte_off_; }
  uint32_t dtype() const noexcept { return dtype_; }
  const Dims& dims() const noexcept { return dims_; }
  const Dims& strides() const noexcept { return strides_; }
  std::size_t rank() const noexcept { return dims_.size(); }
  int64_t elements() const noexcept { return dims_.product(); }
  Byte* data() const noexcept { return memory_.data() + byte_off_; }
  bool is_dense() const {
    const Dims dense = dense_strides(dtype_, dims_);
    for (std::size_t i = 0; i < rank(); ++i) {
      if (dims_[i] != 1 && strides_[i] != dense[i]) return elements() == 0;
    }
    return true;
  }

  // Elements go by value: memory of any alignment may be viewed.
  template <Element T>
  T at(const Dims& index) const {
    require_dtype(daybreak::dtype<T>);
    T value;
    std::memcpy(&value, address(index), sizeof(T));
    return value;
  }
  template <Element T>
  void set(const Dims& index, const T& value) const
    requires(!std::is_const_v<Byte>)
  {
    require_dtype(daybreak::dtype<T>);
    std::memcpy(address(index), &value, sizeof(T));
  }

  // `count` elements along `axis` from `start`, each `step` further; a negative step runs backwards.
  BasicView slice(std::size_t axis, int64_t start, int64_t count, int64_t step = 1) const {
    require_strides("slice");
    require_axis(axis);
    const int64_t extent = dims_[axis];
    const bool fits = count >= 0 && start >= 0 && start <= extent &&
                      (count == 0 || (start < extent && (count == 1 || reachable(extent, start, count, step))));
    if (!fits)
      throw Error(DBK_OUT_OF_RANGE, "the slice leaves axis " + std::to_string(axis) + " of " + to_string(dims_));
    BasicView result = *this;
    result.dims_[axis] = count;
    result.strides_[axis] = count > 1 ? strides_[axis] * step : strides_[axis];
    if (result.elements() > 0) result.byte_off_ += static_cast<uint64_t>(start * strides_[axis]);
    return result;
  }

  // One element of `axis`; the axis goes.
  BasicView select(std::size_t axis, int64_t index) const {
    BasicView result = slice(axis, index, 1);
    result.dims_.erase(axis);
    result.strides_.erase(axis);
    return result;
  }

  // The part of a tile; see Partition.
  BasicView tile(const Tile& tile) const {
    if (tile.origin.size() != rank()) throw Error(DBK_INVALID_ARGUMENT, "the tile has another rank than the view");
    BasicView result = *this;
    for (std::size_t i = 0; i < rank(); ++i) result = result.slice(i, tile.origin[i], tile.extent[i]);
    return result;
  }

  // Axis i of the result is axis order[i] of this view.
  BasicView transpose(const Dims& order) const {
    if (rank() > 1) require_strides("transpose");
    if (order.size() != rank()) throw Error(DBK_INVALID_ARGUMENT, to_string(order) + " is no order of the axes");
    BasicView result = *this;
    std::array<bool, DBK_MAX_RANK> used{};
    for (std::size_t i = 0; i < rank(); ++i) {
      const auto axis = static_cast<std::size_t>(order[i]);
      if (order[i] < 0 || axis >= rank() || used[axis]) {
        throw Error(DBK_INVALID_ARGUMENT, to_string(order) + " is no order of the axes");
      }
      used[axis] = true;
      result.dims_[i] = dims_[axis];
      result.strides_[i] = strides_[axis];
    }
    return result;
  }
  BasicView transpose() const {
    Dims order;
    for (std::size_t i = rank(); i-- > 0;) order.push_back(static_cast<int64_t>(i));
    return transpose(order);
  }

  // The same elements in another shape; nothing where this view's strides do not allow it without a copy.
  std::optional<BasicView> try_reshape(const Dims& dims) const {
    if (dense_bytes(dtype_, dims) != dense_bytes(dtype_, dims_) || dims.product() != elements()) {
      throw Error(DBK_INVALID_ARGUMENT, to_string(dims_) + " has not as many elements as " + to_string(dims));
    }
    std::optional<Dims> strides = is_dense() ? dense_strides(dtype_, dims) : reshaped_strides(dims_, strides_, dims);
    if (!strides) return std::nullopt;
    BasicView result = *this;
    result.dims_ = dims;
    result.strides_ = *strides;
    return result;
  }
  BasicView reshape(const Dims& dims) const {
    if (auto result = try_reshape(dims)) return *result;
    throw Error(DBK_FAILED_PRECONDITION, "a view of shape " + to_string(dims_) + " with byte strides " +
                                             to_string(strides_) + " cannot be seen as " + to_string(dims) +
                                             ": copy it first (packed)");
  }

  // The elements in row-major order, without gaps.
  template <Element T>
  std::vector<T> packed() const {
    require_dtype(daybreak::dtype<T>);
    std::vector<T> result(static_cast<std::size_t>(elements()));
    std::size_t next = 0;
    if (is_dense() && !result.empty())
      std::memcpy(result.data(), data(), result.size() * sizeof(T));
    else
      for (const Tile& one : Partition(dims_, Dims::filled(rank(), 1))) result[next++] = at<T>(one.origin);
    return result;
  }

  // The C form. It points into this view, which must live until the call that takes it returns.
  dbk_tensor tensor(uint32_t ownership) const {
    auto result = detail::sized<dbk_tensor>();
    result.dtype = dtype_;
    result.rank = static_cast<uint32_t>(rank());
    result.dims = dims_.data();
    result.byte_strides = is_dense() ? nullptr : strides_.data();
    result.data = const_cast<std::byte*>(data());  // the plugin writes only to outputs, which take a MutableView
    result.byte_len = memory_.size() - byte_off_;
    result.ownership = ownership;
    return result;
  }

 private:
  template <class T>
  static std::span<Byte> bytes_of(std::span<T> data) {
    if constexpr (std::is_const_v<Byte>)
      return std::as_bytes(data);
    else
      return std::as_writable_bytes(data);
  }

  static bool reachable(int64_t extent, int64_t start, int64_t count, int64_t step) {
    if (step == 0) return true;
    const auto room = static_cast<uint64_t>(step > 0 ? extent - 1 - start : start);
    const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : 0 - static_cast<uint64_t>(step);
    return static_cast<uint64_t>(count - 1) <= room / stride;
  }

  void require_axis(std::size_t axis) const {
    if (axis >= rank()) throw Error(DBK_OUT_OF_RANGE, "axis " + std::to_string(axis) + " of " + to_string(dims_));
  }
  void require_dtype(uint32_t wanted) const {
    if (dtype_ == wanted) return;
    throw Error(DBK_INVALID_ARGUMENT, "the view holds " + dtype_name(dtype_) + ", not " + dtype_name(wanted));
  }
  void require_strides(const char* what) const {
    if (is_sub_byte(dtype_)) {
      throw Error(DBK_INVALID_ARGUMENT, std::string("cannot ") + what + " " + dtype_name(dtype_) + ": it is packed");
    }
  }

  void check_bounds() const {
    if (strides_.size() != rank()) throw Error(DBK_INVALID_ARGUMENT, "as many byte strides as extents are needed");
    const uint64_t dense = dense_bytes(dtype_, dims_);
    if (is_sub_byte(dtype_) && !is_dense()) throw Error(DBK_INVALID_ARGUMENT, dtype_name(dtype_) + " must be dense");
    uint64_t below = 0, above = is_sub_byte(dtype_) ? dense : DBK_DTYPE_BITS(dtype_) / 8;
    bool fits = byte_off_ <= memory_.size();
    for (std::size_t i = 0; i < rank() && dense != 0 && !is_sub_byte(dtype_); ++i) {
      const auto steps = static_cast<uint64_t>(dims_[i] - 1);
      const uint64_t stride =
          strides_[i] < 0 ? 0 - static_cast<uint64_t>(strides_[i]) : static_cast<uint64_t>(strides_[i]);
      if (dims_[i] < 2 || stride == 0) continue;
      fits = fits && stride <= memory_.size() / steps;
      (strides_[i] < 0 ? below : above) += fits ? stride * steps : 0;
    }
    fits = fits && (dense == 0 || (below <= byte_off_ && above <= memory_.size() - byte_off_));
    if (!fits) {
      throw Error(DBK_OUT_OF_RANGE, "a view of shape " + to_string(dims_) + " of " + dtype_name(dtype_) +
                                        " leaves its " + std::to_string(memory_.size()) + " bytes");
    }
  }

  Byte* address(const Dims& index) const {
    require_strides("address elements of");
    int64_t offset = 0;
    bool inside = index.size() == rank();
    for (std::size_t i = 0; inside && i < rank(); ++i) {
      inside = index[i] >= 0 && index[i] < dims_[i];
      offset += inside ? index[i] * strides_[i] : 0;
    }
    if (!inside) throw Error(DBK_OUT_OF_RANGE, to_string(index) + " is outside " + to_string(dims_));
    return data() + offset;
  }

  std::span<Byte> memory_;
  uint64_t byte_off_ = 0;
  uint32_t dtype_ = DBK_DTYPE_NONE;
  Dims dims_, strides_;
};

using View = BasicView<const std::byte>;
using MutableView = BasicView<std::byte>;

// A dense view of any contiguous range of elements, one-dimensional unless extents are given.
template <class Range>
auto view_of(Range& range, std::optional<Dims> dims = std::nullopt) {
  const std::span elements(range);
  using T = typename decltype(elements)::element_type;
  using Result = std::conditional_t<std::is_const_v<T>, View, MutableView>;
  return Result(elements, dims.value_or(Dims{static_cast<int64_t>(elements.size())}));
}

}  // namespace daybreak

#endif

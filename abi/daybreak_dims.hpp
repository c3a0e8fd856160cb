// daybreak_dims.hpp - extents, strides and tiles.
// Dims is a list of at most DBK_MAX_RANK numbers that never allocates. Partition cuts a shape into tiles, clipped at
// the far edges, and iterates over them in row-major order: work for threads or for several runs.
#ifndef DAYBREAK_DIMS_HPP
#define DAYBREAK_DIMS_HPP

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>

#include "daybreak_dtype.hpp"

namespace daybreak {

class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> values) : Dims(std::span<const int64_t>(values.begin(), values.size())) {}
  Dims(std::span<const int64_t> values) {
    for (const int64_t value : values) push_back(value);
  }
  static Dims filled(std::size_t count, int64_t value) {
    Dims result;
    while (result.size() < count) result.push_back(value);
    return result;
  }

  void push_back(int64_t value) {
    if (size_ == values_.size()) throw Error(DBK_UNIMPLEMENTED, "more than " + std::to_string(DBK_MAX_RANK) + " axes");
    values_[size_++] = value;
  }
  void erase(std::size_t axis) {
    std::copy(values_.begin() + axis + 1, values_.begin() + size_, values_.begin() + axis);
    --size_;
  }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  const int64_t* data() const noexcept { return values_.data(); }
  int64_t* data() noexcept { return values_.data(); }
  const int64_t* begin() const noexcept { return data(); }
  const int64_t* end() const noexcept { return data() + size_; }
  int64_t& operator[](std::size_t axis) noexcept { return values_[axis]; }
  int64_t operator[](std::size_t axis) const noexcept { return values_[axis]; }
  friend bool operator==(const Dims& a, const Dims& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

  // Number of elements. Not checked for overflow: dense_bytes does that where sizes come from outside.
  int64_t product() const noexcept {
    uint64_t result = 1;
    for (const int64_t value : *this) result *= static_cast<uint64_t>(value);
    return static_cast<int64_t>(result);
  }

 private:
  std::array<int64_t, DBK_MAX_RANK> values_{};
  std::size_t size_ = 0;
};

inline std::string to_string(const Dims& dims) {
  std::string text = "[";
  for (const int64_t value : dims) text += (text.size() > 1 ? ", " : "") + std::to_string(value);
  return text + "]";
}

// Byte strides of a dense row-major tensor. Meaningless but harmless for sub-byte dtypes, which are always dense.
inline Dims dense_strides(uint32_t type, const Dims& dims) {
  Dims strides = Dims::filled(dims.size(), 0);
  uint64_t step = DBK_DTYPE_BITS(type) / 8;
  for (std::size_t i = dims.size(); i-- > 0;) {
    strides[i] = static_cast<int64_t>(step);
    step *= static_cast<uint64_t>(std::max<int64_t>(dims[i], 1));
  }
  return strides;
}

// Strides that show a strided tensor in another shape of as many elements, where there are such: runs of old axes and
// runs of new axes with equal products are paired, and the old run must step evenly.
inline std::optional<Dims> reshaped_strides(const Dims& old_dims, const Dims& old_strides, const Dims& new_dims) {
  Dims dims, strides;  // the old axes that matter
  for (std::size_t i = 0; i < old_dims.size(); ++i) {
    if (old_dims[i] == 1) continue;
    dims.push_back(old_dims[i]);
    strides.push_back(old_strides[i]);
  }
  Dims result = Dims::filled(new_dims.size(), 0);
  std::size_t old_at = 0, new_at = 0;
  while (old_at < dims.size() && new_at < new_dims.size()) {
    std::size_t old_end = old_at + 1, new_end = new_at + 1;
    int64_t old_product = dims[old_at], new_product = new_dims[new_at];
    while (old_product != new_product) {
      if (old_product < new_product)
        old_product *= dims[old_end++];
      else
        new_product *= new_dims[new_end++];
    }
    for (std::size_t i = old_at; i + 1 < old_end; ++i) {
      if (strides[i] != strides[i + 1] * dims[i + 1]) return std::nullopt;
    }
    int64_t step = strides[old_end - 1];
    for (std::size_t i = new_end; i-- > new_at; step *= new_dims[i]) result[i] = step;
    old_at = old_end;
    new_at = new_end;
  }
  return result;  // what is left of the new axes has extent 1, where the stride does not matter
}

struct Tile {
  int64_t index = 0;    // 0, 1, 2 ... in row-major order of the tiles
  Dims origin, extent;  // extent is smaller than the tile size at a clipped edge
};

class Partition {
 public:
  // `size` has an extent >= 1 for each axis. A shape without elements has no tiles; one of rank 0 has one.
  Partition(const Dims& dims, const Dims& size) : dims_(dims), size_(size) {
    if (size.size() != dims.size()) throw Error(DBK_INVALID_ARGUMENT, "tile and shape differ in rank");
    for (std::size_t i = 0; i < dims.size(); ++i) {
      if (dims[i] < 0 || size[i] < 1)
        throw Error(DBK_INVALID_ARGUMENT, "tile " + to_string(size) + " of " + to_string(dims));
      grid_.push_back(dims[i] / size[i] + (dims[i] % size[i] != 0));
    }
  }

  int64_t count() const noexcept { return grid_.product(); }
  const Dims& grid() const noexcept { return grid_; }  // tiles along each axis

  Tile operator[](int64_t index) const {
    if (index < 0 || index >= count())
      throw Error(DBK_OUT_OF_RANGE, "tile " + std::to_string(index) + " of " + std::to_string(count()));
    Tile tile{index, Dims::filled(dims_.size(), 0), Dims::filled(dims_.size(), 0)};
    for (std::size_t i = dims_.size(); i-- > 0; index /= grid_[i]) {
      tile.origin[i] = index % grid_[i] * size_[i];
      tile.extent[i] = std::min(size_[i], dims_[i] - tile.origin[i]);
    }
    return tile;
  }

  class Iterator {
   public:
    using value_type = Tile;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;
    Iterator() = default;
    Iterator(const Partition* partition, int64_t index) : partition_(partition), index_(index) {}
    Tile operator*() const { return (*partition_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    Iterator operator++(int) { return {partition_, index_++}; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    const Partition* partition_ = nullptr;
    int64_t index_ = 0;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, count()}; }

 private:
  Dims dims_, size_, grid_;
};

}  // namespace daybreak

#endif

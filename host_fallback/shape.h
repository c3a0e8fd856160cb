// Concrete extents of a tensor. Storage is inline, so shapes can be copied and changed during a run without allocating.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

#include "host_fallback/error.h"

namespace dbk {

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> dims) : Shape(std::span<const int64_t>(dims.begin(), dims.size())) {}
  explicit Shape(std::span<const int64_t> dims) {
    for (int64_t d : dims) push_back(d);
  }
  static Shape filled(uint32_t rank, int64_t extent) {
    Shape s;
    for (uint32_t i = 0; i < rank; ++i) s.push_back(extent);
    return s;
  }

  uint32_t rank() const { return rank_; }
  int64_t operator[](size_t i) const { return dims_[i]; }
  int64_t& operator[](size_t i) { return dims_[i]; }
  const int64_t* begin() const { return dims_.data(); }
  const int64_t* end() const { return dims_.data() + rank_; }
  int64_t* begin() { return dims_.data(); }
  int64_t* end() { return dims_.data() + rank_; }
  const int64_t* data() const { return dims_.data(); }
  operator std::span<const int64_t>() const { return {dims_.data(), rank_}; }

  void push_back(int64_t extent) {
    if (rank_ == DBK_MAX_RANK) fail(DBK_UNIMPLEMENTED, "rank over {}", DBK_MAX_RANK);
    dims_[rank_++] = extent;
  }

  void resize(uint32_t rank, int64_t extent = 1) {
    while (rank_ < rank) push_back(extent);
    rank_ = rank;
  }

  // Number of elements; throws INVALID_ARGUMENT when it exceeds 63 bits.
  int64_t count() const;

  friend bool operator==(const Shape& a, const Shape& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

 private:
  std::array<int64_t, DBK_MAX_RANK> dims_{};
  uint32_t rank_ = 0;
};

std::string to_string(const Shape& shape);  // "[2, 3]"

// ONNX multidirectional broadcasting; throws INVALID_ARGUMENT naming both shapes.
Shape broadcast(const Shape& a, const Shape& b);

// Element strides of a dense row-major tensor.
Shape dense_strides(const Shape& shape);
// Element strides with which a tensor of shape `from` is read as `to`: 0 along broadcast dimensions. Ranks are aligned at the end.
Shape broadcast_strides(const Shape& from, const Shape& to);

// An axis in [-rank, rank) as [0, rank); throws INVALID_ARGUMENT naming `what` and the value otherwise.
uint32_t normalize_axis(int64_t axis, uint32_t rank, const char* what = "axis");

}  // namespace dbk

// daybreak_attr.hpp - the words a graph is described with: values, symbols, shapes, operators and attributes.
// All are small value types; GraphBuilder (daybreak_graph.hpp) gives the ids and turns them into the tables of the ABI.
#ifndef DAYBREAK_ATTR_HPP
#define DAYBREAK_ATTR_HPP

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "daybreak_dims.hpp"

namespace daybreak {

struct Value {
  uint32_t id = DBK_NONE;
  explicit operator bool() const noexcept { return id != DBK_NONE; }
};
inline constexpr Value absent{};  // an optional input that is not given

struct Symbol {
  uint32_t index = DBK_NONE;
};

struct Block {
  uint32_t index = DBK_NONE;
};

struct Dim {
  int64_t extent;
  template <std::integral T>
  constexpr Dim(T fixed) : extent(static_cast<int64_t>(fixed)) {}
  constexpr Dim(Symbol symbol) : extent(DBK_DIM_SYMBOL(symbol.index)) {}
};
inline constexpr Dim unknown_dim{DBK_DIM_UNKNOWN};

struct UnknownRank {};
inline constexpr UnknownRank unknown_rank{};

// {batch, 64, unknown_dim}, a Dims, or unknown_rank.
class Shape {
 public:
  Shape() = default;  // rank 0
  Shape(std::initializer_list<Dim> dims) {
    for (const Dim dim : dims) dims_.push_back(dim.extent);
  }
  Shape(const Dims& dims) : dims_(dims) {}
  Shape(UnknownRank) : ranked_(false) {}
  bool ranked() const noexcept { return ranked_; }
  const Dims& dims() const noexcept { return dims_; }

 private:
  Dims dims_;
  bool ranked_ = true;
};

// An operator: "MatMul", or Op("FusedMatMul").in("com.microsoft", 1).named("encoder/fc1").
struct Op {
  std::string_view type, domain, name;
  uint32_t version = 0;  // 0: the graph's opset of the domain

  Op(const char* op_type) : type(op_type) {}
  Op(std::string_view op_type) : type(op_type) {}
  Op in(std::string_view op_domain, uint32_t op_version = 0) const {
    Op result = *this;
    result.domain = op_domain;
    result.version = op_version;
    return result;
  }
  Op named(std::string_view node_name) const {
    Op result = *this;
    result.name = node_name;
    return result;
  }
};

// A value that only declares a type, for the type attributes of Optional and the like.
struct TypeOf {
  Value value;
};

// {"axis", -1}, {"epsilon", 1e-5}, {"approximate", "tanh"}, {"perm", {1, 0}}, {"value", constant}, {"body", block}.
class Attr {
 public:
  using Data = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>,
                            std::vector<std::string>, Value, std::vector<Value>, Block, std::vector<Block>, TypeOf>;

  template <std::integral T>
  Attr(std::string_view name, T value) : name_(name), data_(static_cast<int64_t>(value)) {}
  template <std::floating_point T>
  Attr(std::string_view name, T value) : name_(name), data_(static_cast<double>(value)) {}
  Attr(std::string_view name, const char* value) : name_(name), data_(std::string(value)) {}
  Attr(std::string_view name, std::string_view value) : name_(name), data_(std::string(value)) {}
  Attr(std::string_view name, const std::string& value) : name_(name), data_(value) {}
  Attr(std::string_view name, Value value) : name_(name), data_(value) {}
  Attr(std::string_view name, Block value) : name_(name), data_(value) {}
  Attr(std::string_view name, TypeOf value) : name_(name), data_(value) {}
  template <class T>
  Attr(std::string_view name, std::initializer_list<T> list)
      : name_(name), data_(to_list(std::span(list.begin(), list.size()))) {}
  template <class T>
  Attr(std::string_view name, const std::vector<T>& list) : name_(name), data_(to_list(std::span<const T>(list))) {}
  template <class T, std::size_t N>
  Attr(std::string_view name, std::span<T, N> list) : name_(name), data_(to_list(std::span<const T>(list))) {}
  Attr(std::string_view name, const Dims& list) : name_(name), data_(to_list(std::span(list.begin(), list.size()))) {}

  const std::string& name() const noexcept { return name_; }
  const Data& data() const noexcept { return data_; }

 private:
  template <class T>
  static Data to_list(std::span<const T> list) {
    if constexpr (std::integral<T>)
      return std::vector<int64_t>(list.begin(), list.end());
    else if constexpr (std::floating_point<T>)
      return std::vector<double>(list.begin(), list.end());
    else if constexpr (std::convertible_to<T, std::string_view>)
      return std::vector<std::string>(list.begin(), list.end());
    else
      return std::vector<T>(list.begin(), list.end());
  }

  std::string name_;
  Data data_;
};

}  // namespace daybreak

#endif

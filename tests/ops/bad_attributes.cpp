#include "tests/ops/bad_attributes.h"

#include <cstdint>
#include <format>
#include <limits>

#include "plugin/graph/schema.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;
using Texts = std::vector<std::string>;

constexpr int64_t kFar = 987654321;

OpCase with_attribute(const OpCase& test, std::string_view name, dbk::AttributeValue value) {
  OpCase other = test;
  other.attrs = {};
  for (const dbk::Attribute& a : test.attrs.items())
    if (a.name != name) other.attrs.set(a.name, a.value);
  other.attrs.set(std::string(name), std::move(value));
  return other;
}

// The list of the case, or one number where it has none, with `value` in front.
template <class T>
std::vector<T> list_with(const OpCase& test, std::string_view name, T value) {
  const dbk::AttributeValue* given = test.attrs.find(name);
  std::vector<T> list = given ? std::get<std::vector<T>>(*given) : std::vector<T>{};
  if (list.empty()) list.resize(1);
  list.front() = std::move(value);
  return list;
}

class Maker {
 public:
  Maker(const OpCase& test, const dbk::SchemaAttribute& attribute) : test_(test), name_(attribute.name) {}

  std::vector<BadAttribute> make(uint32_t type) {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInf = std::numeric_limits<double>::infinity();
    const std::string mode = "no such thing";
    if (type == DBK_ATTR_INT)
      for (int64_t value : {INT64_MIN, -kFar, kFar, INT64_MAX}) add(std::to_string(value), value);
    if (type == DBK_ATTR_FLOAT)
      for (double value : {kNaN, kInf, -kInf}) add(std::format("{}", value), value);
    if (type == DBK_ATTR_STRING) add(mode, mode);
    if (type == DBK_ATTR_INTS) {
      for (int64_t value : {INT64_MIN, -kFar, kFar, INT64_MAX}) add(std::to_string(value), list_with(test_, name_, value));
      Ints longer = list_with(test_, name_, int64_t{1});
      longer.resize(longer.size() + 7, 1);
      add(std::to_string(longer.size()), longer);
    }
    if (type == DBK_ATTR_STRINGS) add(mode, list_with(test_, name_, mode));
    return std::move(made_);
  }

 private:
  void add(std::string shown, dbk::AttributeValue value) {
    const auto* ints = std::get_if<Ints>(&value);
    const auto* texts = std::get_if<Texts>(&value);
    const size_t length = ints ? ints->size() : texts ? texts->size() : 0;
    const bool real = std::holds_alternative<double>(value);
    made_.push_back({std::string(name_), std::move(shown), with_attribute(test_, name_, std::move(value)), length, real});
  }

  const OpCase& test_;
  std::string_view name_;
  std::vector<BadAttribute> made_;
};

}  // namespace

std::vector<BadAttribute> bad_attributes(const dbk::OpRow& row, const OpCase& test) {
  std::vector<BadAttribute> all;
  for (const dbk::SchemaAttribute& attribute : dbk::find_schema(row.domain, row.name, test.opset)->attributes()) {
    std::vector<BadAttribute> made = Maker(test, attribute).make(attribute.type);
    all.insert(all.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  }
  return all;
}

}  // namespace ops

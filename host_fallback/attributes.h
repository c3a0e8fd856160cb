// Attributes of one node, as the graph stores them and as ops read them. Names, types and defaults come from the schema table:
// after graph checking, every attribute that has a default in the schema is present, so ops ask for it without repeating it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "host_fallback/tensor.h"

namespace dbk {

struct BlockRef {
  uint32_t index;
};
struct Expression;  // host_fallback/expression.h; only on nodes that passes make

using AttributeValue = std::variant<int64_t, double, std::string, std::vector<int64_t>, std::vector<double>,
                                    std::vector<std::string>, std::shared_ptr<const HostTensor>, BlockRef,
                                    std::vector<BlockRef>, std::shared_ptr<const Expression>>;

struct Attribute {
  std::string name;
  AttributeValue value;
};

class Attributes {
 public:
  void set(std::string name, AttributeValue value) { items_.push_back({std::move(name), std::move(value)}); }
  const std::vector<Attribute>& items() const { return items_; }
  const AttributeValue* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }

  // The attribute, which must be there with that type (INTERNAL otherwise: the checker let it through).
  int64_t integer(std::string_view name) const { return get<int64_t>(name); }
  double real(std::string_view name) const { return get<double>(name); }
  const std::string& text(std::string_view name) const { return get<std::string>(name); }
  const std::vector<int64_t>& integers(std::string_view name) const { return get<std::vector<int64_t>>(name); }
  const std::vector<double>& reals(std::string_view name) const { return get<std::vector<double>>(name); }
  const std::vector<std::string>& texts(std::string_view name) const { return get<std::vector<std::string>>(name); }
  const HostTensor& tensor(std::string_view name) const { return *get<std::shared_ptr<const HostTensor>>(name); }

  const Expression& expression(std::string_view name) const { return *get<std::shared_ptr<const Expression>>(name); }

  // The attribute, or `otherwise` where the schema declares it without a default and the node leaves it out.
  int64_t integer_or(std::string_view name, int64_t otherwise) const { return has(name) ? integer(name) : otherwise; }

 private:
  template <class T>
  const T& get(std::string_view name) const {
    const AttributeValue* value = find(name);
    const T* typed = value ? std::get_if<T>(value) : nullptr;
    if (!typed) fail(DBK_INTERNAL, "attribute {} is missing or of another type", name);
    return *typed;
  }
  std::vector<Attribute> items_;
};

}  // namespace dbk

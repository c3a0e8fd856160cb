#include "plugin/graph/schema.h"

#include <algorithm>
#include <tuple>

namespace dbk {

namespace {

struct SchemaDomain {
  const char* name;
  uint32_t newest;
};

// kTypes, kFormals, kAttributes, kInts, kFloats, kStrings, kSchemas (sorted by domain, name, since) and kDomains.
#include "schemas.inc"

std::string_view plain(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

using Key = std::tuple<std::string_view, std::string_view, uint32_t>;
Key key_of(const Schema& s) { return {s.domain, s.name, s.since}; }

}  // namespace

std::span<const SchemaFormal> Schema::inputs() const { return {kFormals + inputs_first, inputs_count}; }
std::span<const SchemaFormal> Schema::outputs() const { return {kFormals + outputs_first, outputs_count}; }
std::span<const SchemaAttribute> Schema::attributes() const {
  return {kAttributes + attributes_first, attributes_count};
}
const SchemaType& type_of(const SchemaFormal& formal) { return kTypes[formal.type]; }

const Schema* find_schema(std::string_view domain, std::string_view name, uint32_t opset_version) {
  const Key wanted{plain(domain), name, opset_version};
  const auto after = std::upper_bound(std::begin(kSchemas), std::end(kSchemas), wanted,
                                      [](const Key& key, const Schema& s) { return key < key_of(s); });
  if (after == std::begin(kSchemas)) return nullptr;
  const Schema& s = *(after - 1);
  return s.name == name && s.domain == std::get<0>(wanted) ? &s : nullptr;
}

bool known_op(std::string_view domain, std::string_view name) {
  return find_schema(domain, name, UINT32_MAX) != nullptr;
}

uint32_t newest_opset(std::string_view domain) {
  for (const SchemaDomain& d : kDomains)
    if (d.name == plain(domain)) return d.newest;
  return 0;
}

// ---- attributes ----

namespace {

uint8_t attribute_type(const AttributeValue& value) {
  constexpr uint8_t kByIndex[] = {DBK_ATTR_INT,     DBK_ATTR_FLOAT,  DBK_ATTR_STRING, DBK_ATTR_INTS,  DBK_ATTR_FLOATS,
                                  DBK_ATTR_STRINGS, DBK_ATTR_TENSOR, DBK_ATTR_BLOCK,  DBK_ATTR_BLOCKS,
                                  0 /* an expression: no schema has one */};
  static_assert(std::size(kByIndex) == std::variant_size_v<AttributeValue>);
  return kByIndex[value.index()];
}

const char* attribute_type_name(uint8_t type) {
  constexpr const char* kNames[] = {"sparse tensor", "int",    "float",   "string", "ints",   "floats",
                                    "strings",       "tensor", "tensors", "block",  "blocks", "type"};
  return type < std::size(kNames) ? kNames[type] : "unknown";
}

AttributeValue default_of(const SchemaAttribute& a) {
  switch (a.type) {
    case DBK_ATTR_INT:
      return kInts[a.first];
    case DBK_ATTR_FLOAT:
      return kFloats[a.first];
    case DBK_ATTR_STRING:
      return std::string(kStrings[a.first]);
    case DBK_ATTR_INTS:
      return std::vector<int64_t>(kInts + a.first, kInts + a.first + a.count);
    case DBK_ATTR_FLOATS:
      return std::vector<double>(kFloats + a.first, kFloats + a.first + a.count);
    case DBK_ATTR_STRINGS:
      return std::vector<std::string>(kStrings + a.first, kStrings + a.first + a.count);
  }
  fail(DBK_INTERNAL, "attribute {} has a default of type {}", a.name, attribute_type_name(a.type));
}

std::string attribute_fault(const Schema& schema, const Attribute& given) {
  const auto all = schema.attributes();
  const auto known = std::ranges::find_if(all, [&](const SchemaAttribute& a) { return a.name == given.name; });
  if (known == all.end())
    return std::format("unknown attribute '{}': {} version {} has none of that name", given.name, schema.name,
                       schema.since);
  const uint8_t type = attribute_type(given.value);
  if (type != known->type)
    return std::format("attribute '{}' is of type {}, not {}", given.name, attribute_type_name(type),
                       attribute_type_name(known->type));
  return {};
}

void throw_if_any(std::vector<Cause>& causes) {
  if (!causes.empty()) throw Error(std::move(causes));
}

}  // namespace

void check_attributes_and_fill_defaults(const Schema& schema, Attributes& attrs) {
  std::vector<Cause> causes;
  for (const Attribute& given : attrs.items()) {
    std::string fault = attribute_fault(schema, given);
    if (fault.empty() && attrs.find(given.name) != &given.value)
      fault = std::format("attribute '{}' is given twice", given.name);
    if (!fault.empty()) causes.push_back({DBK_INVALID_ARGUMENT, std::move(fault)});
  }
  for (const SchemaAttribute& a : schema.attributes()) {
    if (attrs.has(a.name)) continue;
    if (a.required)
      causes.push_back({DBK_INVALID_ARGUMENT,
                        std::format("required attribute '{}' ({}) is missing", a.name, attribute_type_name(a.type))});
    else if (a.has_default)
      attrs.set(a.name, default_of(a));
  }
  throw_if_any(causes);
}

// ---- operands ----

namespace {

// The formal that operand i belongs to, or null beyond the last: a variadic one takes all that follow.
const SchemaFormal* formal_of(std::span<const SchemaFormal> formals, size_t i) {
  if (i < formals.size()) return &formals[i];
  return !formals.empty() && formals.back().option == SchemaFormal::Variadic ? &formals.back() : nullptr;
}

void check_operands(std::span<const SchemaFormal> formals, std::span<const uint32_t> ids, uint32_t min, uint32_t max,
                    const char* what, std::vector<Cause>& causes) {
  if (ids.size() < min || ids.size() > max) {
    const std::string limit = min == max          ? std::to_string(min)
                              : max == UINT32_MAX ? std::format("at least {}", min)
                                                  : std::format("{} to {}", min, max);
    causes.push_back(
        {DBK_INVALID_ARGUMENT, std::format("{} {}s are given, the schema has {}", ids.size(), what, limit)});
    return;
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    const SchemaFormal* formal = formal_of(formals, i);
    if (ids[i] == DBK_NONE && formal && formal->option != SchemaFormal::Optional)
      causes.push_back({DBK_INVALID_ARGUMENT, std::format("{} {} '{}' is required but absent", what, i, formal->name)});
  }
}

}  // namespace

void check_arity(const Schema& schema, std::span<const uint32_t> inputs, std::span<const uint32_t> outputs) {
  std::vector<Cause> causes;
  check_operands(schema.inputs(), inputs, schema.min_inputs, schema.max_inputs, "input", causes);
  if (outputs.size() < schema.min_outputs || outputs.size() > schema.max_outputs)
    check_operands({}, outputs, schema.min_outputs, schema.max_outputs, "output",
                   causes);  // any single output may be unwanted
  throw_if_any(causes);
}

void check_types(const Schema& schema, std::span<const TensorType> inputs) {
  std::vector<Cause> causes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const SchemaFormal* formal = formal_of(schema.inputs(), i);
    if (!formal || inputs[i].dtype == DBK_DTYPE_NONE) continue;
    const SchemaType& type = type_of(*formal);
    const char* dtype = to_string(inputs[i].dtype);
    if (!contains(type.tensors, inputs[i].dtype)) {
      causes.push_back(
          {DBK_INVALID_ARGUMENT, std::format("input {} '{}' is {}; {} version {} allows {}", i, formal->name, dtype,
                                             schema.name, schema.since, to_string_set(type.tensors))});
      continue;
    }
    if (formal->option == SchemaFormal::Variadic && !formal->homogeneous) continue;
    for (size_t j = 0; j < i; ++j) {
      const SchemaFormal* other = formal_of(schema.inputs(), j);
      if (inputs[j].dtype == DBK_DTYPE_NONE || other->type != formal->type || inputs[j].dtype == inputs[i].dtype)
        continue;
      if (std::string_view(type.name).find('(') != std::string_view::npos) continue;
      causes.push_back({DBK_INVALID_ARGUMENT,
                        std::format("input {} '{}' is {}, but input {} '{}' of the same type {} is {}", i, formal->name,
                                    dtype, j, other->name, type.name, to_string(inputs[j].dtype))});
      break;
    }
  }
  throw_if_any(causes);
}

}  // namespace dbk

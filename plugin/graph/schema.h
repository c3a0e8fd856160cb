// What ONNX says about each op in each version: arities, type constraints, attributes with defaults. The tables are
// generated at build time (kernels/schema_generator.cpp) from the system's libonnx and, for domains that it does not have,
// kernels/own_schemas.cpp; they are constant data and nothing runs at load. The checks here throw Error(INVALID_ARGUMENT) with every cause they find; the caller adds the node's name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "host_fallback/attributes.h"

namespace dbk {

// A type constraint. Formals of one schema with the same `name` have the same type, unless the name is itself a type
// ("tensor(int64)").
struct SchemaType {
  enum Flag : uint32_t { Sequence = 1, Optional = 2, Map = 4, Sparse = 8 };
  const char* name;
  DTypeSet tensors;  // dtypes of the tensors it allows
  uint32_t flags;    // kinds it allows besides tensors
};

struct SchemaFormal {
  enum Option : uint8_t { Single, Optional, Variadic };
  const char* name;
  uint16_t type;  // index into the table of SchemaType
  Option option;
  bool homogeneous;  // of a variadic one: all its values have one type
};

struct SchemaAttribute {
  const char* name;
  uint8_t type;  // DBK_ATTR_INT ...; 0 for kinds the ABI cannot express
  bool required, has_default;
  uint16_t first, count;  // of a default list, in the table of its type; a single default is a list of one
};

struct Schema {
  const char* domain;  // "" is ONNX's default domain
  const char* name;
  uint32_t since;  // the version this schema came with
  bool deprecated;
  bool internal;  // made by passes of the compiler; from hosts it is an unknown op
  uint32_t min_inputs, max_inputs, min_outputs, max_outputs;  // max: UINT32_MAX where variadic
  uint16_t inputs_first, inputs_count, outputs_first, outputs_count, attributes_first, attributes_count;

  std::span<const SchemaFormal> inputs() const;
  std::span<const SchemaFormal> outputs() const;
  std::span<const SchemaAttribute> attributes() const;
};

const SchemaType& type_of(const SchemaFormal& formal);

// The newest schema with since <= opset_version; null where the op is unknown or younger. "ai.onnx" equals "".
const Schema* find_schema(std::string_view domain, std::string_view name, uint32_t opset_version);
// The oldest opset of ONNX's default domain that ops are written for: before it Add and the like broadcast by attributes.
inline constexpr uint32_t kOldestOpset = 7;
// Whether any version of the op exists: tells an op that is not implemented here from one that nobody knows.
bool known_op(std::string_view domain, std::string_view name);
// The newest opset of a domain that the tables cover; 0 for an unknown domain.
uint32_t newest_opset(std::string_view domain);

// Counts, and required operands that are absent (DBK_NONE). The lists hold value ids.
void check_arity(const Schema& schema, std::span<const uint32_t> inputs, std::span<const uint32_t> outputs);
// Names unknown attributes, wrong types, duplicates and missing required ones; then adds what is left out and has a
// default.
void check_attributes_and_fill_defaults(const Schema& schema, Attributes& attrs);
// Each dtype against its constraint, and equal dtypes where the schema has one constraint for several inputs. Absent
// inputs have DBK_DTYPE_NONE.
void check_types(const Schema& schema, std::span<const TensorType> inputs);

}  // namespace dbk

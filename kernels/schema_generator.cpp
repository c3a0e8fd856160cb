// Build tool: writes every op schema of the system's libonnx, in every version, and our own (own_schemas.h) as constant
// tables for plugin/graph/schema.cpp. Usage: schema_generator OUTPUT. Fails on anything the tables cannot express, so that
// nothing is lost silently.
#include <onnx/defs/schema.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "own_schemas.h"

namespace {

using onnx::AttributeProto;
using onnx::OpSchema;

// Names of dtype sets in host_fallback/dtype.h, by ONNX's names.
const std::map<std::string, std::string> kDTypes = {{"float", "F32"},
                                                    {"float16", "F16"},
                                                    {"double", "F64"},
                                                    {"bfloat16", "BF16"},
                                                    {"int8", "I8"},
                                                    {"int16", "I16"},
                                                    {"int32", "I32"},
                                                    {"int64", "I64"},
                                                    {"uint8", "U8"},
                                                    {"uint16", "U16"},
                                                    {"uint32", "U32"},
                                                    {"uint64", "U64"},
                                                    {"bool", "BOOL"},
                                                    {"complex64", "C64"},
                                                    {"complex128", "C128"},
                                                    {"string", "STRING"},
                                                    {"int4", "I4"},
                                                    {"uint4", "U4"},
                                                    {"int2", "I2"},
                                                    {"uint2", "U2"},
                                                    {"float8e4m3fn", "F8_E4M3FN"},
                                                    {"float8e4m3fnuz", "F8_E4M3FNUZ"},
                                                    {"float8e5m2", "F8_E5M2"},
                                                    {"float8e5m2fnuz", "F8_E5M2FNUZ"},
                                                    {"float8e8m0", "F8_E8M0FNU"},
                                                    {"float4e2m1", "F4_E2M1FN"}};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

// Rows of one table; equal runs of rows are stored once.
class Table {
 public:
  // Index of the first of `rows`, which stand one after another.
  size_t add(const std::vector<std::string>& rows) {
    if (rows.empty()) return 0;
    const auto at = std::search(rows_.begin(), rows_.end(), rows.begin(), rows.end());
    const size_t first = static_cast<size_t>(at - rows_.begin());
    if (at == rows_.end()) rows_.insert(rows_.end(), rows.begin(), rows.end());
    if (rows_.size() > UINT16_MAX) throw std::runtime_error("a schema table has more than 65535 rows");
    return first;
  }
  void write(std::ostream& out, const char* declaration) const {
    out << "constexpr " << declaration << "[] = {\n";
    for (const std::string& row : rows_) out << row << ",\n";
    out << "};\n";
  }

 private:
  std::vector<std::string> rows_;
};

struct Tables {
  Table types, formals, attributes, ints, floats, strings;
  std::vector<std::string> schemas;
};

// "tensor(float)" is a dtype; the rest ("seq(...)", "optional(...)", "map(...)", "sparse_tensor(...)") become flags.
std::string type_row(const OpSchema::FormalParameter& formal) {
  std::vector<std::string> dtypes, flags;
  for (const std::string* type : formal.GetTypes()) {
    const std::string kind = type->substr(0, type->find('('));
    if (kind == "tensor")
      dtypes.push_back(kDTypes.at(type->substr(7, type->size() - 8)));
    else
      flags.push_back(kind == "seq"             ? "SchemaType::Sequence"
                      : kind == "optional"      ? "SchemaType::Optional"
                      : kind == "map"           ? "SchemaType::Map"
                      : kind == "sparse_tensor" ? "SchemaType::Sparse"
                                                : throw std::runtime_error("unknown kind of type " + *type));
  }
  const auto joined = [](std::vector<std::string>& words) {
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::string text = words.empty() ? "0" : words[0];
    for (size_t i = 1; i < words.size(); ++i) text += " | " + words[i];
    return text;
  };
  return "{" + quoted(formal.GetTypeStr()) + ", " + joined(dtypes) + ", " + joined(flags) + "}";
}

std::vector<std::string> formal_rows(Tables& tables, const std::vector<OpSchema::FormalParameter>& formals) {
  std::vector<std::string> rows;
  for (const auto& formal : formals) {
    const size_t type = tables.types.add({type_row(formal)});
    const char* option = formal.GetOption() == OpSchema::Single     ? "Single"
                         : formal.GetOption() == OpSchema::Optional ? "Optional"
                                                                    : "Variadic";
    rows.push_back("{" + quoted(formal.GetName()) + ", " + std::to_string(type) + ", SchemaFormal::" + option + ", " +
                   (formal.GetIsHomogeneous() ? "true" : "false") + "}");
  }
  return rows;
}

const char* attribute_type(AttributeProto::AttributeType type) {
  switch (type) {
    case AttributeProto::INT:
      return "DBK_ATTR_INT";
    case AttributeProto::FLOAT:
      return "DBK_ATTR_FLOAT";
    case AttributeProto::STRING:
      return "DBK_ATTR_STRING";
    case AttributeProto::INTS:
      return "DBK_ATTR_INTS";
    case AttributeProto::FLOATS:
      return "DBK_ATTR_FLOATS";
    case AttributeProto::STRINGS:
      return "DBK_ATTR_STRINGS";
    case AttributeProto::TENSOR:
      return "DBK_ATTR_TENSOR";
    case AttributeProto::TENSORS:
      return "DBK_ATTR_TENSORS";
    case AttributeProto::GRAPH:
      return "DBK_ATTR_BLOCK";
    case AttributeProto::GRAPHS:
      return "DBK_ATTR_BLOCKS";
    case AttributeProto::TYPE_PROTO:
      return "DBK_ATTR_TYPE";
    default:
      return "0";
  }
}

// A literal that is exactly this float.
std::string float_text(float value) {
  std::ostringstream text;
  text.precision(9);
  text << std::showpoint << value << 'f';
  return text.str();
}

// Stores a default value; gives its place as "first, count".
std::string default_place(Tables& tables, const AttributeProto& value) {
  std::vector<std::string> rows;
  Table* table = &tables.ints;
  switch (value.type()) {
    case AttributeProto::INT:
      rows = {std::to_string(value.i())};
      break;
    case AttributeProto::INTS:
      for (int64_t i : value.ints()) rows.push_back(std::to_string(i));
      break;
    case AttributeProto::FLOAT:
      table = &tables.floats, rows = {float_text(value.f())};
      break;
    case AttributeProto::FLOATS:
      table = &tables.floats;
      for (float f : value.floats()) rows.push_back(float_text(f));
      break;
    case AttributeProto::STRING:
      table = &tables.strings, rows = {quoted(value.s())};
      break;
    case AttributeProto::STRINGS:
      table = &tables.strings;
      for (const std::string& s : value.strings()) rows.push_back(quoted(s));
      break;
    default:
      throw std::runtime_error("attribute " + value.name() + " has a default that is no number, text or list of them");
  }
  return std::to_string(table->add(rows)) + ", " + std::to_string(rows.size());
}

std::vector<std::string> attribute_rows(Tables& tables, const OpSchema& schema) {
  std::map<std::string, const OpSchema::Attribute*> sorted;
  for (const auto& [name, attribute] : schema.attributes()) sorted[name] = &attribute;
  std::vector<std::string> rows;
  for (const auto& [name, a] : sorted) {
    const bool has_default = a->default_value.type() != AttributeProto::UNDEFINED;
    rows.push_back("{" + quoted(name) + ", " + attribute_type(a->type) + ", " + (a->required ? "true" : "false") +
                   ", " + (has_default ? "true, " + default_place(tables, a->default_value) : "false, 0, 0") + "}");
  }
  return rows;
}

std::string limit(int count) { return count == INT32_MAX ? "UINT32_MAX" : std::to_string(count); }
std::string place(Table& table, const std::vector<std::string>& rows) {
  return std::to_string(table.add(rows)) + ", " + std::to_string(rows.size());
}

void add_schema(Tables& tables, const OwnSchema& own) {
  const OpSchema& s = own.schema;
  std::string row = "{" + quoted(s.domain()) + ", " + quoted(s.Name()) + ", " + std::to_string(s.since_version()) +
                    ", " + (s.deprecated() ? "true" : "false") + ", " + (own.internal ? "true" : "false") + ", " + limit(s.min_input()) + ", " +
                    limit(s.max_input()) + ", " + limit(s.min_output()) + ", " + limit(s.max_output()) + ", ";
  row += place(tables.formals, formal_rows(tables, s.inputs())) + ", ";
  row += place(tables.formals, formal_rows(tables, s.outputs())) + ", ";
  row += place(tables.attributes, attribute_rows(tables, s)) + "}";
  tables.schemas.push_back(row);
}

void write(std::ostream& out, const Tables& tables) {
  out << "// Generated by kernels/schema_generator.cpp from libonnx and kernels/own_schemas.cpp; do not edit.\n";
  tables.types.write(out, "SchemaType kTypes");
  tables.formals.write(out, "SchemaFormal kFormals");
  tables.attributes.write(out, "SchemaAttribute kAttributes");
  tables.ints.write(out, "int64_t kInts");
  tables.floats.write(out, "double kFloats");
  tables.strings.write(out, "const char* kStrings");
  Table schemas;
  schemas.add(tables.schemas);
  schemas.write(out, "Schema kSchemas");
  Table domains;
  std::map<std::string, int> newest = own_domains();
  for (const auto& [name, range] : onnx::OpSchemaRegistry::DomainToVersionRange::Instance().Map())
    newest[name] = range.second;
  for (const auto& [name, version] : newest) domains.add({"{" + quoted(name) + ", " + std::to_string(version) + "}"});
  domains.write(out, "SchemaDomain kDomains");
}

int generate(const char* path) {
  std::vector<OwnSchema> all = own_schemas();
  for (const OpSchema& schema : onnx::OpSchemaRegistry::get_all_schemas_with_history()) all.push_back({schema});
  const auto key = [](const OwnSchema& s) {
    return std::tuple(s.schema.domain(), s.schema.Name(), s.schema.since_version());
  };
  std::sort(all.begin(), all.end(), [&](const OwnSchema& a, const OwnSchema& b) { return key(a) < key(b); });
  Tables tables;
  for (const OwnSchema& schema : all) add_schema(tables, schema);
  std::ofstream out(path);
  write(out, tables);
  out.flush();
  if (!out) throw std::runtime_error(std::string("cannot write ") + path);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: schema_generator OUTPUT");
    return generate(argv[1]);
  } catch (const std::exception& e) {
    std::cerr << "schema_generator: " << e.what() << '\n';
    return 1;
  }
}

// Rows of kernels/own_schemas.cpp of com.microsoft against what ONNX Runtime says (onnxruntime_schemas.txt): operands
// and attributes in name, order, option and default, and at least its types.
#include <unity.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "host_fallback/registry.h"
#include "plugin/graph/schema.h"
#include "tests/expect.h"

using namespace dbk;

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

struct Theirs {
  std::vector<std::vector<std::string>> inputs, outputs, attributes;  // the words of a line
};

std::map<std::string, Theirs> read_table() {
  std::ifstream file(DAYBREAK_RUNTIME_SCHEMAS);
  std::map<std::string, Theirs> table;
  Theirs* op = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line[0] == '#') continue;
    std::istringstream stream(line);
    std::string kind;
    std::vector<std::string> words;
    stream >> kind;
    for (std::string word; stream >> word;) words.push_back(word);
    if (kind == "op")
      op = &table[words.at(0)];
    else
      (kind == "in" ? op->inputs : kind == "out" ? op->outputs : op->attributes).push_back(words);
  }
  return table;
}

DTypeSet set_named(const std::string& list) {
  DTypeSet set = 0;
  std::istringstream names(list);
  for (std::string name; std::getline(names, name, ',');)
    for (int64_t code = 1; code <= 26; ++code)
      if (to_string(dtype_of_onnx(code)) == name) set |= set_of(dtype_of_onnx(code));
  return set;
}

void compare_formals(const std::string& op, std::span<const SchemaFormal> ours,
                     const std::vector<std::vector<std::string>>& theirs) {
  constexpr const char* kOptions[] = {"single", "optional", "variadic"};
  expect(ours.size() == theirs.size(), op + ": another number of operands");
  for (size_t i = 0; i < ours.size(); ++i) {
    const std::string what = op + "." + theirs[i][0];
    expect(ours[i].name == theirs[i][0], what + ": another name or order");
    expect(kOptions[ours[i].option] == theirs[i][1], what + ": another option");
    expect((set_named(theirs[i][2]) & ~type_of(ours[i]).tensors) == 0, what + ": a type is missing");
  }
}

// Of required attributes any value will do, to learn the defaults of the others.
Attributes with_defaults(const Schema& schema) {
  Attributes attrs;
  for (const SchemaAttribute& a : schema.attributes()) {
    if (!a.required) continue;
    if (a.type == DBK_ATTR_INTS)
      attrs.set(a.name, std::vector<int64_t>{1});
    else
      attrs.set(a.name, int64_t{1});
  }
  check_attributes_and_fill_defaults(schema, attrs);
  return attrs;
}

bool equals(const AttributeValue& value, const std::string& text) {
  if (const auto* integer = std::get_if<int64_t>(&value)) return std::to_string(*integer) == text;
  if (const auto* real = std::get_if<double>(&value))
    return static_cast<float>(*real) == std::strtof(text.c_str(), nullptr);
  const auto* string = std::get_if<std::string>(&value);
  return string && *string == text;
}

void compare_attributes(const std::string& op, const Schema& ours,
                        const std::vector<std::vector<std::string>>& theirs) {
  const std::map<std::string, uint8_t> kinds{{"int", DBK_ATTR_INT},       {"float", DBK_ATTR_FLOAT},
                                             {"string", DBK_ATTR_STRING}, {"ints", DBK_ATTR_INTS},
                                             {"floats", DBK_ATTR_FLOATS}, {"strings", DBK_ATTR_STRINGS}};
  const Attributes defaults = with_defaults(ours);
  expect(ours.attributes().size() == theirs.size(), op + ": another number of attributes");
  for (const std::vector<std::string>& their : theirs) {
    const std::string what = op + "." + their[0];
    const auto at =
        std::ranges::find_if(ours.attributes(), [&](const SchemaAttribute& a) { return a.name == their[0]; });
    expect(at != ours.attributes().end(), what + " is missing");
    expect(at->type == kinds.at(their[1]), what + ": another type");
    expect(at->required == (their[2] == "required"), what + ": required or not");
    // Of an attribute without a default ONNX Runtime's kernels know one by themselves; ours may have it in the row.
    if (their[2] == "required" || their[2] == "none") continue;
    expect(at->has_default && equals(*defaults.find(their[0]), their[2]), what + ": another default");
  }
}

void test_rows_agree_with_onnx_runtime() {
  const std::map<std::string, Theirs> table = read_table();
  int compared = 0;
  for (const auto& [name, theirs] : table) {
    const Schema* ours = find_schema("com.microsoft", name, 1);
    if (!ours) continue;
    ++compared;
    compare_formals(name, ours->inputs(), theirs.inputs);
    compare_formals(name, ours->outputs(), theirs.outputs);
    compare_attributes(name, *ours, theirs.attributes);
  }
  expect(compared > 15, "the table was not read");
  for (const OpRow& row : all_ops())
    if (row.domain == "com.microsoft")
      expect(table.contains(std::string(row.name)), std::string(row.name) + " is not in the table");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_rows_agree_with_onnx_runtime);
  return UNITY_END();
}

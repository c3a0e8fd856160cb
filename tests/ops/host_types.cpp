#include "tests/ops/host_types.h"

#include <algorithm>
#include <format>

#include "host_fallback/number_block.h"
#include "plugin/graph/schema.h"
#include "tests/ops/in_double.h"
#include "tests/ops/value_maker.h"

namespace ops {

namespace {

struct Refused {
  std::string_view id, type;  // of a row, and a type variable of its schema
  dbk::DTypeSet dtypes;
  std::string_view reason;
};

constexpr std::string_view kShape = "the case has the shape or the attributes of another type";
constexpr dbk::DTypeSet kOtherReals = dbk::F16 | dbk::F64 | dbk::BF16;
constexpr Refused kRefused[] = {
    {"gather_block_quantized", "T1", dbk::I4 | dbk::U4 | dbk::FLOATS8 | dbk::F4_E2M1FN, kShape},
    {"qlinear_concat", "T8", dbk::I8, kShape},
    {"qlinear_concat", "TV", dbk::F32 | dbk::I8 | dbk::U8, kShape},
    {"dequantize_linear", "T2", dbk::F8_E8M0FNU, kShape},
    {"label_encoder", "T1", dbk::F32 | dbk::F64 | dbk::I16 | dbk::I32, kShape},
    {"qattention", "T3", dbk::F16, "sums and scores are f32, and models with an f16 bias are unknown"},
    {"attention", "T1", kOtherReals, "one kernel has one type: values of another type than queries and keys are unknown in models"},
    {"attention", "T2", kOtherReals, "as T1"},
};

const dbk::SchemaFormal* formal_of(const dbk::Schema& schema, size_t i) {
  const auto formals = schema.inputs();
  if (i < formals.size()) return &formals[i];
  return !formals.empty() && formals.back().option == dbk::SchemaFormal::Variadic ? &formals.back() : nullptr;
}

// The case with another type in place of every operand whose type the variable names.
OpCase retyped(const dbk::Schema& schema, const OpCase& test, std::string_view variable, DType dtype) {
  OpCase other = test;
  for (size_t i = 0; i < other.inputs.size(); ++i) {
    const dbk::SchemaFormal* formal = formal_of(schema, i);
    Operand& operand = other.inputs[i];
    if (operand.dtype == DBK_DTYPE_NONE || !formal || dbk::type_of(*formal).name != variable) continue;
    operand.dtype = dtype;
    if (dbk::contains(dbk::C64 | dbk::C128, dtype) && operand.fill != Fill::Bits) operand.fill = Fill::Bits;
  }
  return other;
}

bool runs(const dbk::OpRow& row, const OpCase& test) {
  const Operand& main = test.inputs[row.host->main_input];
  if (!dbk::contains(row.host->dtypes, main.dtype)) return false;
  try {
    run_host(row, test.opset, test.attrs, make_inputs(row, test), test.outputs.size());
  } catch (const dbk::Error&) {
    return false;
  }
  return true;
}

const Refused* find_refused(std::string_view id, std::string_view variable, DType dtype) {
  const auto found = std::ranges::find_if(kRefused, [&](const Refused& r) { return r.id == id && r.type == variable && dbk::contains(r.dtypes, dtype); });
  return found == std::end(kRefused) ? nullptr : found;
}

}  // namespace

std::vector<std::string> type_gaps(const dbk::OpRow& row, const OpCase& test) {
  std::vector<std::string> gaps;
  OpCase newest = test;
  newest.opset = dbk::newest_opset(row.domain);
  if (!runs(row, newest)) newest.opset = test.opset;  // what inputs were then attributes, or the other way round
  const dbk::Schema& schema = *dbk::find_schema(row.domain, row.name, newest.opset);
  std::vector<std::string_view> seen;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    const dbk::SchemaFormal* formal = formal_of(schema, i);
    if (test.inputs[i].dtype == DBK_DTYPE_NONE || !formal) continue;
    const dbk::SchemaType& type = dbk::type_of(*formal);
    if (std::ranges::find(seen, type.name) != seen.end()) continue;
    seen.emplace_back(type.name);
    for (uint32_t bit = 0; bit < 32; ++bit) {
      const DType dtype = dbk::only_dtype(type.tensors & dbk::STORED & 1u << bit);
      if (dtype == DBK_DTYPE_NONE) continue;
      const bool takes = runs(row, retyped(schema, newest, type.name, dtype)), listed = find_refused(row.id, type.name, dtype);
      if (takes != listed) continue;
      gaps.push_back(std::format("{} {} as {}: {}", row.id, type.name, dbk::to_string(dtype), takes ? "runs though it is listed" : "is refused"));
    }
  }
  return gaps;
}

}  // namespace ops

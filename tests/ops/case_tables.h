// The tables of cases, one function and one file per family of kernels/ops.inc: family_cases(row). The build lists the families, so a new
// row is tested by being there, and a new family without a table does not link.
#pragma once

#include <string_view>

#include "tests/ops/op_case.h"

namespace ops {

#define DBK_FAMILY(family) Cases family##_cases(const dbk::OpRow& row);
#include "case_families.inc"
#undef DBK_FAMILY

struct CaseTable {
  std::string_view family;
  Cases (*cases)(const dbk::OpRow& row);
};

inline constexpr CaseTable kCaseTables[] = {
#define DBK_FAMILY(family) {#family, family##_cases},
#include "case_families.inc"
#undef DBK_FAMILY
};

inline const CaseTable* find_table(std::string_view family) {
  for (const CaseTable& table : kCaseTables) {
    if (table.family == family) return &table;
  }
  return nullptr;
}

}  // namespace ops

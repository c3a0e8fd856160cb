// A function per family that has kernels, which adds nodes of an op with main operands of a type; example_<group>.cpp hold them.
#pragma once

#include "tests/wgsl/example_nodes.h"

namespace wgsl::families {

using namespace dbk;
using Nodes = std::deque<ExampleNode>;
using List = std::vector<int64_t>;

inline Attributes attributes(std::vector<Attribute> list) {
  Attributes attrs;
  for (Attribute& a : list) attrs.set(a.name, a.value);
  return attrs;
}

// Of main operands: one of each kind that kernels tell apart, and more.
inline constexpr DType kTypes[] = {DBK_F32, DBK_F16, DBK_BF16, DBK_I8,  DBK_U8,   DBK_I16, DBK_U16,
                                   DBK_I32, DBK_U32, DBK_I64, DBK_U64, DBK_BOOL, DBK_C128, DBK_U4, DBK_F8_E5M2};
inline const TensorType kAxes{DBK_I64, {1}};

#define DBK_FAMILY(family) void family(const OpRow& op, DType t, Nodes& out);
#include "example_families.inc"
#undef DBK_FAMILY

}  // namespace wgsl::families

// ScatterElements and ScatterND: every axis and depth, every reduction, coordinates that repeat where the reduction allows it.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

OpCase scatter(const std::string& name, const Operand& data, const Operand& indices, const Operand& updates, const char* reduction,
               int64_t axis = 0) {
  std::vector<dbk::Attribute> attrs{{"reduction", std::string(reduction)}};
  if (axis != 0) attrs.push_back({"axis", axis});
  const OpCase test(name + " " + reduction, {data, indices, updates}, attrs);
  constexpr dbk::DTypeSet kReduced = dbk::F32 | dbk::F16 | dbk::I32 | dbk::U32 | dbk::I64 | dbk::U64;
  return std::string_view(reduction) == "none" || dbk::contains(kReduced, data.dtype) ? test : test.at(Place::Host);
}

void add_elements(Cases& cases, DType dtype, const char* reduction) {
  cases.push_back(scatter("axis 0", tensor(dtype, {3, 4}), list(DBK_I64, {2, 3}, {0, 2, -2, 1, 0, -1}), tensor(dtype, {2, 3}), reduction));
  cases.push_back(scatter("axis 1", tensor(dtype, {3, 4}), list(DBK_I32, {2, 3}, {0, 2, -1, 1, 0, -2}), tensor(dtype, {2, 3}), reduction, 1));
  cases.push_back(scatter("axis -1", tensor(dtype, {2, 3, 4}), list(DBK_I64, {2, 2, 2}, {0, 3, -2, 1}), tensor(dtype, {2, 2, 2}), reduction, -1));
  cases.push_back(scatter("none", tensor(dtype, {3, 4}), list(DBK_I64, {0, 3}, {0}), tensor(dtype, {0, 3}), reduction));
}

void add_tuples(Cases& cases, DType dtype, const char* reduction) {
  cases.push_back(scatter("depth 1", tensor(dtype, {4, 3}), list(DBK_I64, {2, 1}, {2, -4}), tensor(dtype, {2, 3}), reduction));
  cases.push_back(scatter("depth 2", tensor(dtype, {4, 3}), list(DBK_I64, {2, 2, 2}, {2, 0, -4, 1, 0, -1, 3, 2}), tensor(dtype, {2, 2}), reduction));
  cases.push_back(scatter("none", tensor(dtype, {4, 3}), list(DBK_I64, {0, 2}, {0}), tensor(dtype, {0}), reduction));
}

}  // namespace

Cases scatter_cases(const dbk::OpRow& row) {
  Cases cases;
  const bool elements = row.id == "scatter_elements";
  for (DType dtype : dtypes_of(row, 0))
    for (const char* reduction : {"none", "add", "mul", "max", "min"}) {
      elements ? add_elements(cases, dtype, reduction) : add_tuples(cases, dtype, reduction);
    }
  const Operand few = elements ? list(DBK_I64, {3}, {4, 0, -2}) : list(DBK_I64, {3, 1}, {4, 0, -2});
  for (DType dtype : {DBK_C64, DBK_C128}) cases.push_back(scatter("complex", bits(dtype, {5}), few, bits(dtype, {3}), "none"));
  const Operand again = elements ? list(DBK_I64, {4}, {1, 1, -4, 1}) : list(DBK_I64, {4, 1}, {1, 1, -4, 1});
  for (const char* reduction : {"add", "mul", "max", "min"})
    for (DType dtype : {DBK_I32, DBK_U64}) cases.push_back(scatter("again", tensor(dtype, {5}), again, tensor(dtype, {4}), reduction));
  const Operand far = elements ? tensor(DBK_I64, {70001}).within(0, 999) : tensor(DBK_I64, {70001, 1}).within(0, 999);
  cases.push_back(scatter("too many", tensor(DBK_I32, {1000}), far, tensor(DBK_I32, {70001}), "add").at(Place::Host));
  for (DType dtype : {DBK_F32, DBK_F16, DBK_I64, DBK_U8, DBK_I16})
    for (int64_t size : kSizes) {
      if (size < 2) continue;
      std::vector<int64_t> places;  // every one once, in no order
      for (int64_t i = 0; i < size; ++i) places.push_back((i * 7919 + 3) % size);
      const Shape shape = elements ? Shape{size} : Shape{size, 1};
      cases.push_back(scatter("size", tensor(dtype, {size}), list(DBK_I64, shape, places), tensor(dtype, {size}), "none"));
    }
  for (Layout layout : {Layout::Unaligned, Layout::Sliced, Layout::Reversed})
    cases.push_back(scatter("layout", tensor(DBK_F32, {5, 5}).in(layout), elements ? list(DBK_I64, {1, 5}, {1}) : list(DBK_I64, {1, 1}, {1}),
                            tensor(DBK_F32, {1, 5}), "none"));
  return cases;
}

}  // namespace ops

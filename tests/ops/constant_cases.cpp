// Constant: each attribute that may hold the value, tensors of every type, none, one and many elements. The node
// becomes data of the graph, so no placement report lists it.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

OpCase holding(const std::string& name, std::vector<dbk::Attribute> attrs) { return {name, {}, std::move(attrs)}; }

// Bytes 1, 2, 3 ...; of bool only 0 and 1 are elements.
OpCase tensor_value(DType dtype, const Shape& shape) {
  auto value = std::make_shared<dbk::HostTensor>(dbk::HostTensor{{dtype, shape}, {}});
  value->bytes.resize(static_cast<size_t>(value->type.bytes()));
  for (size_t i = 0; i < value->bytes.size(); ++i)
    value->bytes[i] = static_cast<std::byte>(dtype == DBK_BOOL ? i % 3 % 2 : i % 100 + 1);
  const std::string name = "value " + std::string(dbk::to_string(dtype)) + dbk::to_string(shape);
  return holding(name, {{"value", std::shared_ptr<const dbk::HostTensor>(value)}});
}

}  // namespace

Cases constant_cases(const dbk::OpRow&) {
  Cases cases;
  for (DType dtype : {DBK_F32, DBK_F16, DBK_F64, DBK_BF16, DBK_I8, DBK_I16, DBK_I32, DBK_I64, DBK_U8, DBK_U16, DBK_U32,
                      DBK_U64, DBK_BOOL})
    for (const Shape& shape : {Shape{}, {1}, {3}, {65}, {2, 3, 5}, {0}}) cases.push_back(tensor_value(dtype, shape));
  cases.push_back(holding("int", {{"value_int", -7000000000}}));
  cases.push_back(holding("ints", {{"value_ints", std::vector<int64_t>{1, -2, 3000000000}}}));
  cases.push_back(holding("no ints", {{"value_ints", std::vector<int64_t>{}}}));
  cases.push_back(holding("float", {{"value_float", 0.1}}));
  cases.push_back(holding("floats", {{"value_floats", std::vector<double>{0.1, -2.5, 1e30}}}));
  return cases;
}

}  // namespace ops

// ConstantOfShape: shapes known to the graph and given with a run, every type and none.
#include "tests/ops/awkward.h"
#include "tests/ops/case_tables.h"

namespace ops {

namespace {

using Ints = std::vector<int64_t>;

dbk::AttributeValue value_of(DType dtype) {
  auto tensor = std::make_shared<dbk::HostTensor>();
  tensor->type = {dtype, {1}};
  for (size_t i = 0; i < dbk::bits_of(dtype) / 8; ++i) tensor->bytes.push_back(static_cast<std::byte>(0x11 * (i + 2)));
  if (dtype == DBK_BOOL) tensor->bytes[0] = std::byte{1};
  return std::shared_ptr<const dbk::HostTensor>(std::move(tensor));
}

OpCase fill(const char* name, const Ints& shape, Origin origin = Origin::Const) {
  return {name, {integers(shape).as(origin)}};
}

}  // namespace

Cases fill_cases(const dbk::OpRow&) {
  Cases cases;
  for (int64_t size : kSizes) cases.push_back(fill("size", {size}));
  for (const Ints& shape : {Ints{}, Ints{2, 3, 0}, Ints{2, 3, 5}, Ints{1, 2, 1, 3, 2, 2}}) {
    cases.push_back(fill("known", shape));
    if (!shape.empty()) cases.push_back(fill("given", shape, Origin::Input).at(Place::Open));  // its extents come with the run
  }
  for (DType dtype : {DBK_F32, DBK_F16, DBK_F64, DBK_BF16, DBK_I8, DBK_U8, DBK_I16, DBK_U16, DBK_I32, DBK_U32, DBK_I64,
                      DBK_U64, DBK_BOOL})
    cases.emplace_back(std::string("value ") + dbk::to_string(dtype), std::vector{integers({3, 7})},
                       std::vector<dbk::Attribute>{{"value", value_of(dtype)}});
  cases.emplace_back("grid", std::vector{integers({kOverVectorGrid})},
                     std::vector<dbk::Attribute>{{"value", value_of(DBK_F16)}});
  return cases;
}

}  // namespace ops

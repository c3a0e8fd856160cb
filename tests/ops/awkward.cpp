#include "tests/ops/awkward.h"

#include <algorithm>
#include <limits>

#include "plugin/graph/schema.h"

namespace ops {

namespace {

constexpr DType kAll[] = {DBK_F32, DBK_F16, DBK_I32, DBK_I64, DBK_F64, DBK_BF16, DBK_U32,
                          DBK_U64, DBK_I8,  DBK_U8,  DBK_I16, DBK_U16, DBK_BOOL};

template <class T>
std::vector<int64_t> extremes() {
  using L = std::numeric_limits<T>;
  return {static_cast<int64_t>(L::min()),
          static_cast<int64_t>(L::max()),
          static_cast<int64_t>(L::min() + 1),
          7,
          2,
          1,
          static_cast<int64_t>(L::max() - 1),
          3};
}

}  // namespace

const std::vector<Shape>& ranked_shapes() {
  static const std::vector<Shape> shapes{
      {},        {1},          {7},    {3, 5},          {2, 3, 5},         {1, 3, 1, 5},
      {2, 3, 0}, {0, 3, 1, 2}, {5, 1}, {2, 1, 3, 2, 5}, {2, 3, 1, 2, 2, 3}};
  return shapes;
}

std::vector<double> special_reals() {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  std::vector<double> values{std::numeric_limits<double>::quiet_NaN(),
                             0.0,
                             kInf,
                             -0.0,
                             1.0,
                             -kInf,
                             -1.0,
                             6e4,
                             -6e4,
                             65504.0,
                             3.4e38,
                             -3.4e38,
                             1e-30,
                             -2.5,
                             88.0,
                             -88.0,
                             89.5,
                             -104.5,
                             100.0,
                             -100.0,
                             1e-4,
                             12.5,
                             -12.5,
                             0.625,
                             1e10,
                             20.0,
                             -20.0,
                             1.1754944e-38,
                             // Denormals of f32 and of f16.
                             1e-40,
                             -3e-42,
                             1.4e-45,
                             3e-6,
                             -6e-8};
  return values;
}

std::vector<int64_t> special_integers(DType dtype) {
  std::vector<int64_t> values;
  dbk::with_type<dbk::INTS>(dtype, [&]<class T>() { values = extremes<T>(); });
  return values;
}

uint32_t opset_of(const dbk::OpRow& row) {
  return dbk::find_schema(row.domain, row.name, 20) ? 20 : dbk::newest_opset(row.domain);
}

std::vector<DType> dtypes_of(const dbk::OpRow& row, size_t index, uint32_t opset) {
  const dbk::Schema* schema = dbk::find_schema(row.domain, row.name, std::max(opset, opset_of(row)));
  std::vector<DType> found;
  if (!schema) return found;
  const auto inputs = schema->inputs();
  const dbk::DTypeSet allowed = dbk::type_of(inputs[std::min(index, inputs.size() - 1)]).tensors & row.host->dtypes;
  std::copy_if(std::begin(kAll), std::end(kAll), std::back_inserter(found),
               [allowed](DType dtype) { return dbk::contains(allowed, dtype); });
  return found;
}

std::vector<DType> gpu_dtypes_of(const dbk::OpRow& row, size_t index, uint32_t opset) {
  std::vector<DType> found = dtypes_of(row, index, opset);
  std::erase_if(found, [&row](DType dtype) { return !dbk::contains(row.gpu_dtypes, dtype); });
  return found;
}

bool stands_for_frame(const dbk::OpRow& row, DType dtype) {
  const auto shares = [&](const dbk::OpRow& other) { return other.family == row.family && dbk::contains(other.gpu_dtypes, dtype); };
  return &row == &*std::ranges::find_if(dbk::all_ops(), shares);
}

bool is_float(DType dtype) { return dbk::contains(dbk::FLOATS, dtype); }

}  // namespace ops

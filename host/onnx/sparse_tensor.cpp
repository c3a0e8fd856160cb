// Sparse tensors made dense: the ABI has no others. See tensor_data.h.
#include <algorithm>
#include <cstring>
#include <format>

#include "external_data.h"
#include "tensor_data.h"

namespace host {
namespace {

constexpr uint64_t largest = uint64_t{256} << 20;  // bytes; a short message may claim any size

[[noreturn]] void fail(dbk_status status, const std::string& what) { throw daybreak::Error(status, what); }

// Where element `row` goes: indices are positions in the flattened tensor or one coordinate per axis.
int64_t position(const TensorData& indices, const daybreak::Dims& dims, int64_t row) {
  const std::size_t width = indices.dims.size() == 2 ? dims.size() : 1;
  std::vector<int64_t> numbers(width);
  if (width > 0)
    std::memcpy(numbers.data(), indices.bytes.data() + static_cast<std::size_t>(row) * width * 8, width * 8);
  const daybreak::Dims bounds = indices.dims.size() == 2 ? dims : daybreak::Dims{dims.product()};
  int64_t result = 0;
  for (std::size_t axis = 0; axis < width; ++axis) {
    if (numbers[axis] < 0 || numbers[axis] >= bounds[axis])
      fail(DBK_INVALID_ARGUMENT,
           std::format("index {} of value {} is outside {}", numbers[axis], row, daybreak::to_string(dims)));
    result = result * bounds[axis] + numbers[axis];
  }
  return result;
}

void require_indices(const TensorData& indices, int64_t count, std::size_t rank) {
  const bool flat = indices.dims == daybreak::Dims{count};
  const bool coordinates = indices.dims == daybreak::Dims{count, static_cast<int64_t>(rank)};
  if (indices.dtype == DBK_I64 && (flat || coordinates)) return;
  fail(DBK_INVALID_ARGUMENT,
       std::format("indices are {}{}, not i64[{}] or i64[{}, {}]", daybreak::dtype_name(indices.dtype),
                   daybreak::to_string(indices.dims), count, count, rank));
}

}  // namespace

TensorData read_sparse_tensor(const onnx::SparseTensorProto& tensor, ExternalData* external) {
  const TensorData values = read_tensor(tensor.values(), external);
  const TensorData indices = read_tensor(tensor.indices(), external);
  const std::string type = daybreak::dtype_name(values.dtype);
  if (values.dtype == DBK_STRING || daybreak::is_sub_byte(values.dtype))
    fail(DBK_UNIMPLEMENTED, "sparse tensors of " + type + " are not supported");
  if (values.dims.size() != 1) fail(DBK_INVALID_ARGUMENT, "the values have " + daybreak::to_string(values.dims));
  TensorData dense;
  dense.dtype = values.dtype;
  for (const int64_t extent : tensor.dims()) dense.dims.push_back(extent);
  const uint64_t size = daybreak::dense_bytes(dense.dtype, std::as_const(dense.dims));
  if (size > largest)
    fail(DBK_UNIMPLEMENTED, std::format("a sparse {}{} would take {} bytes as a dense one; {} are allowed", type,
                                        daybreak::to_string(dense.dims), size, largest));
  require_indices(indices, values.dims[0], dense.dims.size());
  auto owned = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(size));
  const std::size_t element = DBK_DTYPE_BITS(dense.dtype) / 8;
  for (int64_t row = 0; row < values.dims[0]; ++row) {
    const auto to = static_cast<std::size_t>(position(indices, dense.dims, row)) * element;
    std::memcpy(owned->data() + to, values.bytes.data() + static_cast<std::size_t>(row) * element, element);
  }
  dense.bytes = *owned;
  dense.owned = std::move(owned);
  return dense;
}

}  // namespace host

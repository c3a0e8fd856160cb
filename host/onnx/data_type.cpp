// The table of element types; see data_type.h.
#include "data_type.h"

#include <onnx/onnx_pb.h>

#include <format>
#include <iterator>

#include "daybreak_dtype.hpp"

namespace host {
namespace {

using Onnx = onnx::TensorProto;

constexpr uint32_t dtypes[] = {DBK_DTYPE_NONE,  DBK_F32,     DBK_U8,          DBK_I8,   DBK_U16,  DBK_I16,
                               DBK_I32,         DBK_I64,     DBK_STRING,      DBK_BOOL, DBK_F16,  DBK_F64,
                               DBK_U32,         DBK_U64,     DBK_C64,         DBK_C128, DBK_BF16, DBK_F8_E4M3FN,
                               DBK_F8_E4M3FNUZ, DBK_F8_E5M2, DBK_F8_E5M2FNUZ, DBK_U4,   DBK_I4,   DBK_F4_E2M1FN,
                               DBK_F8_E8M0FNU,  DBK_U2,      DBK_I2};
static_assert(dtypes[Onnx::FLOAT] == DBK_F32 && dtypes[Onnx::STRING] == DBK_STRING && dtypes[Onnx::BOOL] == DBK_BOOL);
static_assert(dtypes[Onnx::FLOAT16] == DBK_F16 && dtypes[Onnx::COMPLEX128] == DBK_C128);
static_assert(dtypes[Onnx::FLOAT8E5M2FNUZ] == DBK_F8_E5M2FNUZ && dtypes[Onnx::FLOAT8E8M0] == DBK_F8_E8M0FNU);
static_assert(dtypes[Onnx::INT4] == DBK_I4 && dtypes[Onnx::INT2] == DBK_I2);

}  // namespace

uint32_t dtype_of_onnx(int data_type) {
  return data_type >= 0 && data_type < std::ssize(dtypes) ? dtypes[data_type] : DBK_DTYPE_NONE;
}

std::string data_type_text(int data_type) {
  const uint32_t dtype = dtype_of_onnx(data_type);
  return dtype == DBK_DTYPE_NONE ? std::format("data type {}", data_type) : daybreak::dtype_name(dtype);
}

}  // namespace host

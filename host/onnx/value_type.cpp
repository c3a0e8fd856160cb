// Reading of TypeProto; see value_type.h.
#include "value_type.h"

#include "data_type.h"
#include "daybreak_error.hpp"

namespace host {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw daybreak::Error(DBK_UNIMPLEMENTED, std::string(what) + " are not supported");
}

ValueType tensor(const onnx::TypeProto::Tensor& type) {
  ValueType result;
  result.dtype = dtype_of_onnx(type.elem_type());
  if (type.elem_type() != 0 && result.dtype == DBK_DTYPE_NONE)
    throw daybreak::Error(DBK_INVALID_ARGUMENT, data_type_text(type.elem_type()) + " is unknown");
  if (type.has_shape()) result.shape = &type.shape();
  return result;
}

}  // namespace

ValueType read_type(const onnx::TypeProto& type) {
  ValueType result;
  switch (type.value_case()) {
    case onnx::TypeProto::VALUE_NOT_SET:
      return result;
    case onnx::TypeProto::kTensorType:
      return tensor(type.tensor_type());
    case onnx::TypeProto::kSequenceType:
      result = read_type(type.sequence_type().elem_type());
      if (result.kind != DBK_KIND_TENSOR) refuse("sequences of anything but tensors");
      result.kind = DBK_KIND_SEQUENCE;
      return result;
    case onnx::TypeProto::kOptionalType:
      result = read_type(type.optional_type().elem_type());
      if (result.kind > DBK_KIND_SEQUENCE) refuse("optionals of optionals");
      result.kind = result.kind == DBK_KIND_TENSOR ? DBK_KIND_OPTIONAL : DBK_KIND_OPTIONAL_SEQUENCE;
      return result;
    case onnx::TypeProto::kMapType:
      refuse("maps");
    case onnx::TypeProto::kSparseTensorType:
      refuse("sparse tensors as values");
    default:
      refuse("values of an opaque type");
  }
}

}  // namespace host

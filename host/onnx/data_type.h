// ONNX's element types in terms of the ABI's.
#pragma once

#include <cstdint>
#include <string>

namespace host {

// DBK_DTYPE_NONE for UNDEFINED and for numbers that this version of ONNX does not have.
uint32_t dtype_of_onnx(int data_type);

// For messages about numbers that have no dtype: "data type 99".
std::string data_type_text(int data_type);

}  // namespace host

// The header of a .npy file: a Python dictionary with the keys descr, fortran_order and shape.
#pragma once

#include <string>
#include <string_view>

#include "daybreak_dims.hpp"

namespace host {

struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  daybreak::Dims shape;
};

// Throws daybreak::Error that says what is wrong, without the file's name.
NpyHeader parse_npy_header(std::string_view text);

std::string npy_header_text(const NpyHeader& header);

}  // namespace host

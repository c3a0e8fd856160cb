// The frame kernels/_convert.wgsl: Cast of types without a WGSL type of their own, and what quantises and back.
#pragma once

#include "host_fallback/quantization.h"
#include "plugin/gpu/families/operands.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/stored_type.h"

namespace dbk::gpu {

struct Convert {
  std::string_view functor;  // file of kernels/
  DType from, to;
  Conversion conversion;
  DType scale = DBK_DTYPE_NONE, zero = DBK_DTYPE_NONE;  // NONE: there is none
  DType quotient = DBK_F32;                             // the precision of a division
  bool spread = false;                                  // several scales
  bool bounded = false;                                 // results stay within the bounds of their type
};

Program convert_program(const Convert& convert);

// Input 0 to output 0; `scale` and `zero` are not looked at where there are none.
Dispatch convert_launch(const Convert& convert, const TypedNode& node, const Granularity& granularity, Argument scale,
                        Argument zero, const Capabilities& caps);

// The least and the largest number of an integer type of up to 16 bits.
std::pair<float, float> bounds_of(DType dtype);

}  // namespace dbk::gpu

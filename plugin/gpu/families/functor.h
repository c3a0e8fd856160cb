// Functors of element-wise ops. Of attributes they see at most two, as p.alpha and p.beta.
#pragma once

#include "plugin/gpu/families/program_text.h"

namespace dbk::gpu {

struct FunctorAttributes {
  float alpha, beta;  // 0 where the op has none
};
FunctorAttributes functor_attributes(const OpRow& op, const Attributes& attrs);

// kernels/<name>.wgsl of an op of one or two operands: gelu has another one for its tanh approximation, pow for integers.
std::string functor_of(const OpRow& op, const Attributes& attrs, DType dtype = DBK_F32);

// Adds kernels/<functor>.wgsl and the files with the functions it calls.
void add_functor(ProgramText& text, std::string_view functor, DType dtype);
inline bool needs_turns(std::string_view functor) {  // kernels/_turns.wgsl
  return functor == "sin" || functor == "cos" || functor == "tan";
}

}  // namespace dbk::gpu

// The expression that a product's programs apply to each sum before they store it (host_fallback/epilogue.h has the node's form). How an
// operand lies against the result never changes with the extents: passes fuse only what is proven, so it is part of the program.
#pragma once

#include "host_fallback/epilogue.h"
#include "plugin/gpu/families/expression_text.h"

namespace dbk::gpu {

struct EpilogueOperand {
  // Whole: of the result's shape. Column: a weight with one element per column, for convolutions per channel. Single: a weight of one
  // element.
  enum class Place : uint8_t { Whole, Column, Single };
  Place place;
  DType dtype;
  uint32_t input;  // of the node

  bool operator==(const EpilogueOperand&) const = default;
};

struct Epilogue {
  const Expression* expression = nullptr;  // null: none
  std::vector<EpilogueOperand> operands;
  DType result = DBK_DTYPE_NONE;  // of the expression: behind a cast f16 or f32, whichever the product is not

  bool operator==(const Epilogue&) const = default;  // an expression is known by its address: only within a graph
  explicit operator bool() const { return expression != nullptr; }
  // What programs store of a product of that type.
  DType stored(DType product) const { return expression ? result : product; }
};

// The WGSL type of elements in a program where `elem` is the type of the product.
inline std::string_view element_name(DType dtype, DType product) { return dtype == product ? "elem" : to_string(dtype); }

// Inputs of a node that are the product's own.
size_t own_inputs(const TypedNode& node);
Epilogue epilogue_of(const TypedNode& node);
std::string refuse_epilogue(const TypedNode& node, const Epilogue& epilogue, const Capabilities& caps);

// kernels/conv/finish.wgsl with the epilogue, whose operands are bound from `binding` on, and whose result it gives.
void add_finish(ProgramText& text, DType product, const Epilogue& epilogue, uint32_t binding);
// `fn value(x0, x1 ...)`: x0 is the sum.
void add_epilogue(ProgramText& text, DType product, const Epilogue& epilogue);
std::string epilogue_label(const Epilogue& epilogue);  // "/add+gelu"; empty where there is none

}  // namespace dbk::gpu

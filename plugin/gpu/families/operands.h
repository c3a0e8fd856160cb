// Checks that every family makes of its operands, and the numbers every launch needs of them.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

// Empty, or why the adapter cannot hold an operand: no type for its elements, more bytes than one binding sees, or more
// elements than 31 bits count (kernels/_divide.wgsl). `except` is an input whose size the family checks itself.
std::string refuse_operands(const TypedNode& node, const Capabilities& caps, size_t except = SIZE_MAX);
std::string refuse_size(const TensorType& type, const Capabilities& caps);

// Empty, or that the op's row has no kernel for the dtype of input `main`.
std::string refuse_dtype(const TypedNode& node, size_t main);

// Empty, or that no kernel moves elements of that size.
std::string refuse_move(DType dtype);

inline Argument input(uint32_t index) { return {Argument::Kind::Input, index}; }
inline Argument output(uint32_t index) { return {Argument::Kind::Output, index}; }

// Where a kernel reports a bad element of that input (kernels/_fault.wgsl).
inline Argument fault_of(uint32_t input) { return {Argument::Kind::Fault, input}; }

inline Argument scratch(uint32_t index, uint64_t bytes) { return {Argument::Kind::Scratch, index, 0, 0, (bytes + 15) / 16 * 16}; }

// Whether `from` is the last dimensions of `to`, leading ones aside: broadcast, it is read again and again from its
// start.
bool is_suffix(const Shape& from, const Shape& to);

inline bool wants(const TypedNode& node, size_t i) {
  return i < node.outputs.size() && node.outputs[i].dtype != DBK_DTYPE_NONE;
}

inline uint64_t ceil_div(uint64_t n, uint64_t d) { return (n + d - 1) / d; }
inline uint32_t to_u32(int64_t n) { return static_cast<uint32_t>(n); }  // strides wrap by design, counts were checked
// Invocations that a frame of one element (ProgramText::writes) needs for `count` results: one per word, where elements share them.
inline uint64_t invocations(int64_t count, DType dtype) {
  const bool shared = bits_of(dtype) < 32 && dtype != DBK_F16;
  return ceil_div(static_cast<uint64_t>(count), shared ? 32 / bits_of(dtype) : 1);
}
inline float inverse_of(int64_t n) { return n > 0 ? 1.0f / static_cast<float>(n) : 0.0f; }

}  // namespace dbk::gpu

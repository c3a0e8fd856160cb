// The lines that Softmax, LogSoftmax and Hardmax work on. Before version 13 the axes from `axis` on are flattened into one.
#pragma once

#include <utility>

#include "host_fallback/lines.h"
#include "host_fallback/op.h"

namespace dbk {

inline Lines softmax_lines(const Attributes& attrs, uint32_t version, const Shape& shape) {
  Lines lines = lines_of(shape, shape.rank() == 0 ? 0 : normalize_axis(attrs.integer("axis"), shape.rank()));
  if (version < 13) lines.n *= std::exchange(lines.inner, 1);
  return lines;
}

inline void infer_softmax(Infer& infer) {
  softmax_lines(infer.attrs(), infer.version(), infer.shape(0));
  infer.out(0, infer.in(0).dtype, infer.shape(0));
}

}  // namespace dbk

#include "host_fallback/column_parts.h"

namespace dbk {

ColumnParts column_parts(const Attributes& attrs) {
  ColumnParts parts;
  if (!attrs.has("widths")) return parts;
  for (int64_t width : attrs.integers("widths")) {
    if (parts.count == ColumnParts::kMost || width < 0) fail(DBK_INVALID_ARGUMENT, "widths are more than {}, or negative", ColumnParts::kMost);
    parts.width[parts.count++] = width;
  }
  return parts;
}

TensorType meeting_part(TensorType operand, const ColumnParts& parts, size_t i) {
  if (operand.count() != 1) operand.shape[operand.shape.rank() - 1] = parts.width[i];
  return operand;
}

Tensor meeting_part(const Tensor& operand, const ColumnParts& parts, size_t i) {
  if (operand.count() == 1) return operand;
  const int64_t skipped = byte_size(operand.type.dtype, parts.first(i));
  return {meeting_part(operand.type, parts, i), static_cast<std::byte*>(operand.data) + skipped};
}

}  // namespace dbk

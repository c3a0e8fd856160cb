#include "plugin/gpu/families/pack.h"

#include <cmath>

#include "host_fallback/dtype.h"
#include "plugin/gpu/families/coop_operand.h"

namespace dbk::gpu {

namespace {

// Extents of a weight as the matrix of its last axis and all others; each is 0 where the weight is empty.
int64_t last_of(const TensorType& type) { return type.shape.rank() > 0 ? type.shape[type.shape.rank() - 1] : 1; }
int64_t others_of(const TensorType& type) { return last_of(type) > 0 ? type.count() / last_of(type) : 0; }

// Columns that may be cut into panels.
int64_t columns_of(const TensorType& type, const Panel& panel) { return panel.transposed || panel.of_rows ? others_of(type) : last_of(type); }

OperandLayout layout_of(const TensorType& type, const Panel& panel) {
  return {1, panel.count, panel.transposed ? last_of(type) : others_of(type), panel.block};
}

void store_part(OperandForm form, float x, std::byte* at) {
  if (form == OperandForm::F32) {
    std::memcpy(at, &x, sizeof x);
  } else {
    const auto half = static_cast<_Float16>(x);
    std::memcpy(at, &half, sizeof half);
  }
}

std::vector<std::byte> pack_bytes(const TensorType& weight, const std::byte* data, const Panel& panel) {
  const int64_t columns = last_of(weight);
  const OperandLayout layout = layout_of(weight, panel);
  const auto flip = static_cast<std::byte>(flips(weight.dtype, panel.operand) ? 0x80 : 0);
  std::vector<std::byte> packed(layout.bytes(panel.operand));  // zeros
  for (int64_t v = 0; v < panel.count; ++v) {
    int32_t sum = 0;
    for (int64_t k = 0; k < layout.depth; ++k) {
      const std::byte byte = packed[static_cast<size_t>(v * layout.padded_depth + k)] = data[k * columns + panel.first + v] ^ flip;
      sum += panel.operand == OperandForm::I8 ? static_cast<int8_t>(byte) : static_cast<uint8_t>(byte);
    }
    std::memcpy(packed.data() + layout.elements() + v * 4, &sum, sizeof sum);
  }
  return packed;
}

std::vector<std::byte> pack_operand(const TensorType& weight, const std::byte* data, const Panel& panel) {
  const int64_t last = last_of(weight);
  const OperandLayout layout = layout_of(weight, panel);
  const uint32_t bytes = operand_bytes(panel.operand);
  std::vector<std::byte> packed(layout.bytes(panel.operand));  // zeros
  std::vector<float> vector(static_cast<size_t>(layout.depth));
  for (int64_t v = 0; v < panel.count; ++v) {
    for (int64_t k = 0; k < layout.depth; ++k) {
      const int64_t column = panel.first + v, at = panel.transposed ? column * last + k : k * last + column;
      if (weight.dtype == DBK_F16) {
        _Float16 half;
        std::memcpy(&half, data + at * 2, sizeof half);
        vector[static_cast<size_t>(k)] = static_cast<float>(half);
      } else {
        std::memcpy(&vector[static_cast<size_t>(k)], data + at * 4, sizeof(float));
      }
    }
    const int32_t exponent = operand_exponent(vector, panel.operand);
    const float scale = std::ldexp(1.0f, -exponent);
    std::byte* out = packed.data() + v * layout.padded_depth * bytes;
    for (int64_t k = 0; k < layout.depth; ++k) store_part(panel.operand, vector[static_cast<size_t>(k)] * scale, out + k * bytes);
    store_part(panel.operand, static_cast<float>(exponent), packed.data() + (layout.elements() + v) * bytes);
  }
  return packed;
}

}  // namespace

uint64_t panel_bytes(const TensorType& type, const Panel& panel) {
  if (panel.operand != OperandForm::None) return layout_of(type, panel).bytes(panel.operand);
  const int64_t columns = columns_of(type, panel);
  if (columns == 0 || panel.count == columns) return static_cast<uint64_t>(type.bytes());
  return static_cast<uint64_t>(type.bytes()) / static_cast<uint64_t>(columns) * static_cast<uint64_t>(panel.count);
}

Panel whole(const TensorType& type) { return {0, last_of(type)}; }

bool is_whole(const TensorType& type, const Panel& panel) { return panel == whole(type); }

std::vector<std::byte> pack_panel(const TensorType& weight, const std::byte* data, const Panel& panel) {
  if (of_bytes(panel.operand)) return pack_bytes(weight, data, panel);
  if (panel.operand != OperandForm::None) return pack_operand(weight, data, panel);
  const size_t element = bits_of(weight.dtype) / 8;
  const auto last = static_cast<size_t>(last_of(weight)), others = static_cast<size_t>(others_of(weight));
  if (panel.of_rows) {
    const std::byte* from = data + static_cast<size_t>(panel.first) * last * element;
    return {from, from + panel_bytes(weight, panel)};
  }
  const size_t rows = panel.transposed ? last : others;
  const size_t row_step = panel.transposed ? 1 : last, column_step = panel.transposed ? last : 1;
  const auto first = static_cast<size_t>(panel.first), count = static_cast<size_t>(panel.count);
  const size_t run = panel.block > 0 ? panel.block : count;  // columns side by side in storage
  std::vector<std::byte> packed(rows * count * element);
  std::byte* out = packed.data();
  for (size_t block = 0; run > 0 && block < count; block += run)
    for (size_t r = 0; r < rows; ++r) {
      const std::byte* row = data + (r * row_step + (first + block) * column_step) * element;
      if (column_step == 1) {
        std::memcpy(out, row, run * element);
        out += run * element;
      } else {
        for (size_t c = 0; c < run; ++c, out += element) std::memcpy(out, row + c * column_step * element, element);
      }
    }
  return packed;
}

}  // namespace dbk::gpu

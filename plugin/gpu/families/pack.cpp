#include "plugin/gpu/families/pack.h"

namespace dbk::gpu {

std::vector<std::byte> pack_panel(const TensorType& weight, const std::byte* data, const Panel& panel) {
  const size_t element = bits_of(weight.dtype) / 8;
  const uint32_t rank = weight.shape.rank();
  const auto last = static_cast<size_t>(rank > 0 ? weight.shape[rank - 1] : 1);
  const size_t others = last > 0 ? static_cast<size_t>(weight.count()) / last : 0;
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

#include "plugin/gpu/families/column_panels.h"

#include <algorithm>

#include "plugin/gpu/families/operands.h"

namespace dbk::gpu {

namespace {

constexpr int64_t kUnit = 16;  // what kernels read as vectors in the whole they read so in each panel

std::vector<Panel> as_it_lies(const TensorType& weight, int64_t columns, const Panel& form, const Capabilities& caps) {
  if (refuse_size(weight, caps).empty()) return {{0, columns}};
  const int64_t column_bytes = byte_size(weight.dtype, weight.count() / columns);
  return cut_columns(columns, kUnit, static_cast<int64_t>(caps.max_binding) / column_bytes, form);
}

}  // namespace

std::vector<Panel> cut_columns(int64_t columns, int64_t unit, int64_t most, const Panel& form) {
  const int64_t units = static_cast<int64_t>(ceil_div(columns, unit)), most_units = most / unit;
  if (most_units == 0) return {};
  const int64_t count = static_cast<int64_t>(ceil_div(units, most_units));
  std::vector<Panel> panels(static_cast<size_t>(count), form);
  int64_t first = 0;
  for (int64_t i = 0; i < count; ++i) {
    Panel& panel = panels[static_cast<size_t>(i)];
    panel.first = first;
    panel.count = std::min((units / count + (i < units % count ? 1 : 0)) * unit, columns - first);
    first += panel.count;
  }
  return panels;
}

std::string told_of_panels(const std::vector<Panel>& panels) {
  return panels.size() > 1 ? std::format("; the weight is read in {} panels of columns, as a binding does not hold it", panels.size()) : "";
}

std::vector<Panel> column_panels(const TensorType& weight, const Capabilities& caps) {
  return as_it_lies(weight, weight.shape[weight.shape.rank() - 1], {}, caps);
}

std::vector<Panel> row_panels(const TensorType& weight, const Capabilities& caps) {
  const int64_t depth = weight.shape[weight.shape.rank() - 1];
  return as_it_lies(weight, depth > 0 ? weight.count() / depth : 0, {.first = 0, .count = 0, .of_rows = true}, caps);
}

}  // namespace dbk::gpu

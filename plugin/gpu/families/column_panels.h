// Columns of a weight B over several panels, where one binding does not hold all of them: a dispatch of the product for each.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

// In as few panels as at most `most` columns to each allow, of nearly equal size: multiples of `unit`, but for the last. Each is stored like `form`.
// Empty where not even one unit fits.
std::vector<Panel> cut_columns(int64_t columns, int64_t unit, int64_t most, const Panel& form = {});

// Panels of a weight whose elements keep their order: columns of [..., rows, columns], or rows of a matrix that is stored transposed.
std::vector<Panel> column_panels(const TensorType& weight, const Capabilities& caps);
std::vector<Panel> row_panels(const TensorType& weight, const Capabilities& caps);

// What reasons say of a weight in several panels; empty for one.
std::string told_of_panels(const std::vector<Panel>& panels);

}  // namespace dbk::gpu

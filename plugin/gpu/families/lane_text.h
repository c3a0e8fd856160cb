// Generator of the `lane` matmul: each lane owns columns, the workgroup owns a tile of rows, everything lives in
// registers.
#pragma once

#include <string>

#include "plugin/gpu/families/product_text.h"

namespace dbk::gpu {

struct Lane {
  // How operands are read. rows_rows: A by uniform vec4 along k, B by elements along n. rows_columns: both by vec4
  // along k (B transposed). elements: any strides, one element at a time. The first two need k in multiples of four.
  enum class Access : uint8_t { RowsRows, RowsColumns, Elements };
  Access access;
  uint32_t lanes;          // invocations per workgroup
  uint32_t rows, columns;  // register tile: rows of A, columns of B per lane

  bool operator==(const Lane&) const = default;
};

// The tiles for an adapter, the usual one first.
std::vector<Lane> lane_sizes(Lane::Access access, const Capabilities& caps);

std::string lane_text(const Lane& lane, const ProductForm& form);
std::string lane_label(const Lane& lane, const ProductForm& form);

}  // namespace dbk::gpu

// What others measured of GPUs, as far as it chooses parameters of kernels: one row for each vendor and, where they differ, generation.
// WebGPU tells neither how many cores a GPU has nor how many registers; these rows stand in for both until products are measured
// (tuned_products.h).
#pragma once

#include <span>

#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct TileSize {  // of a workgroup (rows, columns, steps of k) and of an invocation
  uint32_t rows, columns, depth, thread_rows, thread_columns;
};

struct VendorRow {
  std::string_view name;
  uint32_t vendor;                // PCI id, or Khronos's for those without; 0: all that are not listed
  std::string_view architecture;  // how Dawn's name of the generation begins; empty: any

  uint32_t busy_groups;  // workgroups of a product that keep the GPU busy
  std::string_view busy_source;

  std::array<TileSize, 3> tiles;  // small, middle, large
  std::string_view tile_source;

  struct {
    uint32_t across, along;  // columns of a workgroup, and invocations that share a sum
  } gemv_rows, gemv_columns;  // for B stored as rows and as columns
  std::string_view gemv_source;

  struct {
    uint32_t rows, columns, down, across;  // matrices of a subgroup, subgroups of a workgroup
  } coop;
  std::string_view coop_source;
};

const VendorRow& vendor_row(const Capabilities& caps);
std::span<const VendorRow> vendor_rows();  // the last one is for all others

}  // namespace dbk::gpu

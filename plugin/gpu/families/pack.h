// Weights as their panels are stored (Panel in plugin/gpu/family.h).
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

uint64_t panel_bytes(const TensorType& weight, const Panel& panel);

// The panel that is the whole weight as it is, and whether one is that.
Panel whole(const TensorType& type);
bool is_whole(const TensorType& type, const Panel& panel);

// The bytes of a panel, cut out of the dense weight at `data`: its columns of every row, transposed and in blocks where
// it says so; or its rows.
std::vector<std::byte> pack_panel(const TensorType& weight, const std::byte* data, const Panel& panel);

}  // namespace dbk::gpu

// Generator of the attention programs. `rows`: each lane owns a query row, with its q and its part of the result in registers, and
// walks all keys; keys and values are read at addresses that the whole workgroup shares. No barrier, no workgroup memory, no
// subgroup operation.
#pragma once

#include <string>

#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct AttentionTile {
  uint32_t lanes;    // query rows of a workgroup
  uint32_t width;    // elements that are read at a time: 4, or 1 where an operand is not aligned for it
  uint32_t q_size;   // of a head of queries and keys
  uint32_t v_size;   // of a head of values
  uint32_t columns;  // of the values that a lane sums, a multiple of width
};

enum class AttentionMasking : uint8_t { None, Added, Kept };  // Kept: a bool, true keeps the key

struct AttentionTypes {
  DType elements, mask;  // mask: NONE where there is none
  bool softcap;
  AttentionMasking masking() const;
};

AttentionTile attention_tile(int64_t q_size, int64_t v_size, uint32_t width, const Capabilities& caps);
std::string attention_text(const AttentionTile& tile, const AttentionTypes& types);
std::string attention_label(const AttentionTile& tile, const AttentionTypes& types);

}  // namespace dbk::gpu

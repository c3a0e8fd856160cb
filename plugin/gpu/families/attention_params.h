// The uniform of the attention programs, as kernels/attention/place.wgsl has it.
#pragma once

#include "host_fallback/attention_geometry.h"
#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct AttentionPlace {  // strides, in elements of the operand's binding
  uint32_t first, batch, head, row;
};

struct AttentionParams {
  uint32_t tiles, row_tiles, column_tiles, heads;
  uint32_t queries, keys, group;
  int32_t causal_offset;
  float scale, softcap;
  uint32_t unseen, zero;
  AttentionPlace q, k, v, y, past_k, past_v;
  uint32_t mask[2][4];
  uint32_t mask_keys[2], past, ends_meet;
  float filter_value;
  uint32_t window, parts, part_keys;
  uint32_t first_row, first_head, first_key, last;
  uint32_t stretch, stretches, chunks, pad;
};
static_assert(sizeof(AttentionParams) == 240);

// Whether heads, and strides too, are multiples of four elements.
bool heads_in_vectors(const AttentionGeometry& g);
bool in_vectors(const AttentionGeometry& g);

// All but the ways' own: tiles of `rows` queries by `columns` of the values; operands in vectors of `width`.
AttentionParams attention_params(const AttentionGeometry& g, uint32_t rows, uint32_t columns, uint32_t width);

}  // namespace dbk::gpu

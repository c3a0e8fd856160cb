// Generator of the `tile` attention for GPUs: a workgroup owns a block of query rows of a head, which stay in its memory, and walks blocks
// of keys: it copies the keys to its memory, then, in their place, the values. Invocations that share rows have four keys of the block each
// while scores are made, and every so many quads of columns while values are added up; weights pass between them through memory. Copies
// are of the type of the operands, all arithmetic is f32. The only program of attention with barriers: every loop around one is over
// numbers that the workgroup shares.
#pragma once

#include <algorithm>
#include <optional>

#include "plugin/gpu/families/attention_text.h"

namespace dbk::gpu {

struct FlashTile {
  uint32_t rows, keys;      // of a workgroup: queries, and keys at a time
  uint32_t rows_each;       // of an invocation
  uint32_t width;           // elements that are read at a time: 4, or 1 where an operand is not aligned for it
  uint32_t q_size, v_size;  // of heads; in workgroup memory filled up to quads
  uint32_t element_bytes;

  bool operator==(const FlashTile&) const = default;
  uint32_t across() const { return keys / 4; }  // invocations that share rows
  uint32_t threads() const { return rows / rows_each * across(); }
  uint32_t q_quads() const { return (q_size + 3) / 4; }
  uint32_t v_quads() const { return (v_size + 3) / 4; }
  uint32_t quads_each() const { return (v_quads() + across() - 1) / across(); }  // of an invocation, in each of its rows
  uint32_t sums() const { return rows_each * quads_each() * 4; }                 // floats of the result that an invocation keeps
  uint32_t block_quads() const { return keys * std::max(q_quads(), v_quads()); }
  uint32_t memory() const { return (rows * q_quads() + block_quads()) * 4 * element_bytes + rows * across() * 20; }  // bytes
};

// The largest one that the adapter's workgroups hold; none for heads that are too wide.
std::optional<FlashTile> flash_tile(int64_t q_size, int64_t v_size, uint32_t width, DType elements, const Capabilities& caps);

// Bindings are those of `rows` (AttentionForm); there are no scores.
std::string flash_text(const FlashTile& tile, const AttentionForm& form);
std::string flash_label(const FlashTile& tile, const AttentionForm& form);

}  // namespace dbk::gpu

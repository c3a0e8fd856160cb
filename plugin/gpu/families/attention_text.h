// Generator of the attention programs without a barrier, workgroup memory or subgroup operations.
// `rows`: each lane owns a query row, with its q and its part of the result in registers, and walks all keys; keys and values are read
// at addresses that the whole workgroup shares.
// `keys`, for few query rows and many keys: a workgroup owns a query row and a part of the keys, each lane every so many of them; what
// lanes found, a sum of values with the largest score and the sum of weights, kernels/attention/merge.wgsl makes one.
#pragma once

#include <array>
#include <string>

#include "host_fallback/attention_geometry.h"
#include "plugin/gpu/family.h"

namespace dbk::gpu {

struct AttentionTile {
  enum class Owns : uint8_t { Row, Keys };  // what a lane does
  uint32_t lanes;    // of a workgroup
  uint32_t width;    // elements that are read at a time: 4, or 1 where an operand is not aligned for it
  uint32_t q_size;   // of a head of queries and keys
  uint32_t v_size;   // of a head of values
  uint32_t columns;  // of the values that a lane sums, a multiple of width
  Owns owns = Owns::Row;

  bool operator==(const AttentionTile&) const = default;
  bool by_keys() const { return owns == Owns::Keys; }
  uint32_t rows() const { return by_keys() ? 1 : lanes; }  // of a workgroup
};

// What of a node decides the text. Bindings are q, k, v, past_k, past_v, mask0, mask1, lengths; y, scores, fault: those that are there.
// Keys and values that were written for the node come behind lengths: they may share a buffer with y, and so cannot be bound as read-only.
// Tiles that own keys have no scores, and instead of y the sums and levels of all lanes.
struct AttentionForm {
  DType elements;
  std::array<DType, 2> masks{DBK_DTYPE_NONE, DBK_DTYPE_NONE};
  bool masks_may_end = false;  // before the keys do
  bool softcap = false, cap_follows_mask = false;
  bool past = false;
  DType lengths = DBK_DTYPE_NONE;  // i64 or i32; with a fault word
  bool lengths_are_last = false;   // they are the last keys that count, not their number
  bool keys_written = false;
  bool window = false, zero_key = false;
  bool scores = false;
  ScoreStage stage = ScoreStage::Product;
  bool lines = false;  // attention_line.h may be asked: extents that runs may have can be worth it
  int64_t line_keys = 0;  // that it has then, where they never change
  bool tiles = false;  // the same of attention_tile.h

  bool operator==(const AttentionForm&) const = default;
  // What texts look at of it: not which ways may be taken.
  AttentionForm of_texts() const {
    AttentionForm form = *this;
    form.lines = form.tiles = false, form.line_keys = 0;
    return form;
  }
  bool has_lengths() const { return lengths != DBK_DTYPE_NONE; }
  bool has_f16_mask() const;
  uint32_t reads() const;
  uint32_t writes() const { return 1u + (keys_written ? 2 : 0) + (scores ? 1 : 0) + (has_lengths() ? 1 : 0); }
};

AttentionTile attention_tile(int64_t q_size, int64_t v_size, uint32_t width, AttentionTile::Owns owns, const Capabilities& caps);
std::string attention_text(const AttentionTile& tile, const AttentionForm& form);
std::string form_label(const AttentionForm& form);  // "/past/mask_f32"
std::string attention_label(const AttentionTile& tile, const AttentionForm& form);

// What texts of all ways have of masks: the type of their bindings' elements, and `masked0`, `masked1` of a score and a place.
std::string_view mask_element(DType mask);
std::string mask_functions(const AttentionForm& form);
// `score_of`: what becomes of a product of query `row` and key t. Keys from `seen` on, and before `begun` where there is a window, are not
// seen; no key of `end` or more is asked of masks. `shared_masks`: they are the same for all queries.
std::string score_function(const AttentionForm& form, bool shared_masks = false);
// What texts have that read operands where they lie: all bindings (`by_keys`: those of tiles that own keys); `masked0`, `masked1` and,
// with lengths, `length_of` a batch.
std::string attention_bindings(const AttentionForm& form, uint32_t width, bool by_keys = false);
std::string attention_functions(const AttentionForm& form);

}  // namespace dbk::gpu

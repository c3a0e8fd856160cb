// com.microsoft.GroupQueryAttention: what the host and the kernels make of its operands. Keys and values are written into caches of a
// fixed length, each batch behind its own past, queries and keys turned by their positions on request; then comes attention over what
// counts of the caches.
#pragma once

#include "host_fallback/attention_geometry.h"
#include "host_fallback/rotary_geometry.h"

namespace dbk {

struct GroupQuery {
  enum Input : size_t {
    kQuery, kKey, kValue, kPastKey, kPastValue, kLastKeys, kTotal, kCosine, kSine, kPositions, kBias, kSink, kKeyScale, kValueScale,
    kQueryNorm, kKeyNorm
  };

  AttentionGeometry g;  // over the caches
  int64_t total = 0;    // of the longest batch
  int64_t past = 0;     // rows of the caches given
  bool packed = false;  // queries, keys and values are one tensor
  AttentionOperand q, k, v;  // as given
  bool rotary = false;
  Rotary turn{};

  // The first step: nothing counts of the caches given.
  bool prompt() const { return g.queries == total; }
  int64_t past_of(int64_t keys) const { return prompt() ? 0 : keys - g.queries; }
  // Keys that may count in a batch.
  int64_t least_keys() const { return prompt() ? 1 : g.queries; }
};

// Throws for operands and attributes that do not fit or are not supported. `total` is the element of total_sequence_length.
GroupQuery group_query(const Attributes& attrs, const OperandTypes& in, int64_t total);

}  // namespace dbk

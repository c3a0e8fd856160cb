// Attention as models meet it, and a small transformer whose length changes from run to run.
#pragma once

#include "jobs.h"

namespace bench {

struct AttentionSize {
  int64_t heads, queries, keys, width;
  int64_t key_heads = heads;  // fewer: grouped
  bool causal = false;
  bool cached = false;  // all keys but those of the queries come from a cache, which is handed on: a step of a decoder
};
std::unique_ptr<Job> attention_job(const daybreak::Context& context, uint32_t device, AttentionSize size);

// Layers of an encoder for up to `most_tokens`. A run of the job binds another number of tokens and computes nothing: what it takes is
// shapes, plan and memory.
struct EncoderSize {
  int64_t layers, width, heads, inner, most_tokens;
};
std::unique_ptr<Job> rebind_job(const daybreak::Context& context, uint32_t device, EncoderSize size);

}  // namespace bench

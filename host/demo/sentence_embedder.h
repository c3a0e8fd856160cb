// Embeddings of sentences by a model with the inputs input_ids, attention_mask and token_type_ids (i64, batch by
// sequence, both dynamic) and the output sentence_embedding (f32, batch by width), in batches of a size that devices
// like.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "daybreak_run.hpp"
#include "sentence_batch.h"

namespace host {

struct Embeddings {
  std::size_t width = 0;
  std::vector<float> values;  // [count(), width]

  std::size_t count() const { return width == 0 ? 0 : values.size() / width; }
  std::span<const float> operator[](std::size_t row) const { return std::span(values).subspan(row * width, width); }
};

class SentenceEmbedder {
 public:
  static constexpr std::size_t most_rows = 16;
  static constexpr std::size_t most_tokens = 256;  // all-MiniLM-L6-v2 was trained and is used with no more

  SentenceEmbedder(const daybreak::Executable& exec, const WordPieceTokenizer& tokenizer,
                   std::span<const std::string> sentences);

  Embeddings embed();           // every call computes them anew
  std::size_t longest() const;  // tokens of the longest sentence

 private:
  void append(Embeddings& result, const SentenceBatch& batch);

  std::vector<SentenceBatch> batches_;  // declared first: the run borrows them
  daybreak::Run run_;
};

}  // namespace host

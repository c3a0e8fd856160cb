// Binding and reading of batches; see sentence_embedder.h.
#include "sentence_embedder.h"

#include <algorithm>
#include <format>

namespace host {

SentenceEmbedder::SentenceEmbedder(const daybreak::Executable& exec, const WordPieceTokenizer& tokenizer,
                                   std::span<const std::string> sentences)
    : run_(exec) {
  for (std::size_t at = 0; at < sentences.size(); at += most_rows) {
    batches_.emplace_back(tokenizer, sentences.subspan(at, std::min(most_rows, sentences.size() - at)), most_tokens);
  }
}

Embeddings SentenceEmbedder::embed() {
  Embeddings result;
  for (const SentenceBatch& batch : batches_) append(result, batch);
  return result;
}

void SentenceEmbedder::append(Embeddings& result, const SentenceBatch& batch) {
  const daybreak::Dims dims{batch.rows, batch.columns};
  run_.bind_input("input_ids", daybreak::view_of(batch.ids, dims), DBK_UNTIL_DESTROY);
  run_.bind_input("attention_mask", daybreak::view_of(batch.mask, dims), DBK_UNTIL_DESTROY);
  run_.bind_input("token_type_ids", daybreak::view_of(batch.types, dims), DBK_UNTIL_DESTROY);
  run_.run();
  const std::vector<float> rows = run_.read<float>("sentence_embedding");
  const std::size_t width = rows.size() / static_cast<std::size_t>(batch.rows);
  if (width == 0 || rows.size() % static_cast<std::size_t>(batch.rows) != 0 ||
      (result.width != 0 && result.width != width))
    throw daybreak::Error(DBK_DATA_LOSS,
                          std::format("{} numbers cannot be the embeddings of {} sentences", rows.size(), batch.rows));
  result.width = width;
  result.values.insert(result.values.end(), rows.begin(), rows.end());
}

std::size_t SentenceEmbedder::longest() const {
  int64_t result = 0;
  for (const SentenceBatch& batch : batches_) result = std::max(result, batch.columns);
  return static_cast<std::size_t>(result);
}

}  // namespace host

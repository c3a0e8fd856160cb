// Padding; see sentence_batch.h.
#include "sentence_batch.h"

#include <algorithm>

namespace host {

SentenceBatch::SentenceBatch(const WordPieceTokenizer& tokenizer, std::span<const std::string> sentences,
                             std::size_t limit) {
  std::vector<std::vector<int64_t>> tokens;
  std::size_t longest = 0;
  for (const std::string& sentence : sentences) {
    tokens.push_back(tokenizer.encode(sentence, limit));
    longest = std::max(longest, tokens.back().size());
  }
  rows = static_cast<int64_t>(tokens.size());
  columns = static_cast<int64_t>(longest);
  ids.assign(tokens.size() * longest, tokenizer.padding());
  mask.assign(ids.size(), 0);
  types.assign(ids.size(), 0);
  for (std::size_t row = 0; row < tokens.size(); ++row) {
    std::ranges::copy(tokens[row], ids.begin() + static_cast<std::ptrdiff_t>(row * longest));
    std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(row * longest), tokens[row].size(), 1);
  }
}

}  // namespace host

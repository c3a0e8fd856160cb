// Several sentences as the inputs of a BERT model: token numbers padded to the longest, and where they are real.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tokenizer/wordpiece.h"

namespace host {

struct SentenceBatch {
  int64_t rows = 0, columns = 0;
  std::vector<int64_t> ids, mask, types;  // [rows, columns] each; mask 1 for tokens, 0 for padding; types all 0

  // At most `limit` tokens of each sentence.
  SentenceBatch(const WordPieceTokenizer& tokenizer, std::span<const std::string> sentences, std::size_t limit);
};

}  // namespace host

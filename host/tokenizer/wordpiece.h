// BERT's tokeniser for uncased models: cleaned text, split at blanks and punctuation, each word cut greedily into the
// longest pieces of the vocabulary. Gives the numbers that HuggingFace's tokenizers gives for the same vocab.txt.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "vocabulary.h"

namespace host {

class WordPieceTokenizer {
 public:
  // Throws when the vocabulary lacks [PAD], [UNK], [CLS], [SEP] or [MASK].
  explicit WordPieceTokenizer(Vocabulary vocabulary);

  // [CLS] text [SEP], cut at the end to `limit` tokens in all (at least 2). The special tokens, written as here, are
  // recognised in the text too. Any bytes are accepted; those that are not UTF-8 are left out.
  std::vector<int64_t> encode(std::string_view utf8, std::size_t limit = 512) const;

  int64_t padding() const { return pad_; }

 private:
  void append_text(std::vector<int64_t>& tokens, std::string_view utf8) const;
  void append_word(std::vector<int64_t>& tokens, std::u32string_view word) const;

  Vocabulary vocabulary_;
  int64_t pad_, unknown_, begin_, end_;
};

}  // namespace host

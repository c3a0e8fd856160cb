// Splitting into words and pieces; see wordpiece.h.
#include "wordpiece.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "text_cleaning.h"

namespace host {
namespace {

constexpr std::array<std::string_view, 5> special_tokens{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
constexpr std::size_t longest_word = 100;  // characters; a longer word is [UNK] as a whole

struct Special {
  std::size_t at = std::string_view::npos;
  std::string_view token;
};

Special first_special(std::string_view text) {
  Special first;
  for (const std::string_view token : special_tokens) {
    const std::size_t at = text.find(token);
    if (at < first.at) first = {at, token};
  }
  return first;
}

// A word in UTF-8, and where each of its characters begins; the last entry is the end.
struct Word {
  std::string bytes;
  std::vector<std::size_t> starts;

  explicit Word(std::u32string_view characters) {
    for (const char32_t c : characters) {
      starts.push_back(bytes.size());
      append_utf8(bytes, c);
    }
    starts.push_back(bytes.size());
  }
  std::size_t size() const { return starts.size() - 1; }
  std::string_view between(std::size_t from, std::size_t to) const {
    return std::string_view(bytes).substr(starts[from], starts[to] - starts[from]);
  }
};

}  // namespace

WordPieceTokenizer::WordPieceTokenizer(Vocabulary vocabulary)
    : vocabulary_(std::move(vocabulary)),
      pad_(vocabulary_.number_of("[PAD]")),
      unknown_(vocabulary_.number_of("[UNK]")),
      begin_(vocabulary_.number_of("[CLS]")),
      end_(vocabulary_.number_of("[SEP]")) {
  vocabulary_.number_of("[MASK]");
}

std::vector<int64_t> WordPieceTokenizer::encode(std::string_view utf8, std::size_t limit) const {
  if (limit < 2) throw std::invalid_argument("a sequence needs room for [CLS] and [SEP]");
  std::vector<int64_t> tokens{begin_};
  while (!utf8.empty() && tokens.size() < limit) {
    const Special special = first_special(utf8);
    append_text(tokens, utf8.substr(0, special.at));
    if (special.token.empty()) break;
    tokens.push_back(vocabulary_.number_of(special.token));
    utf8.remove_prefix(special.at + special.token.size());
  }
  tokens.resize(std::min(tokens.size(), limit - 1));
  tokens.push_back(end_);
  return tokens;
}

void WordPieceTokenizer::append_text(std::vector<int64_t>& tokens, std::string_view utf8) const {
  const std::u32string text = cleaned_text(utf8);
  std::u32string_view rest = text;
  while (!rest.empty()) {
    const auto stop = std::ranges::find_if(rest, [](char32_t c) { return c == U' ' || is_punctuation(c); });
    const auto length = static_cast<std::size_t>(stop - rest.begin());
    if (length > 0) append_word(tokens, rest.substr(0, length));
    rest.remove_prefix(length);
    if (rest.empty()) break;
    if (rest.front() != U' ') append_word(tokens, rest.substr(0, 1));
    rest.remove_prefix(1);
  }
}

void WordPieceTokenizer::append_word(std::vector<int64_t>& tokens, std::u32string_view characters) const {
  if (characters.size() > longest_word) return tokens.push_back(unknown_);
  const Word word(characters);
  const std::size_t before = tokens.size();
  std::string piece;
  for (std::size_t from = 0, to = 0; from < word.size(); from = to) {
    std::optional<int64_t> number;
    for (to = word.size(); to > from; --to) {
      (piece = from > 0 ? "##" : "") += word.between(from, to);
      if (piece.size() <= vocabulary_.longest() && (number = vocabulary_.find(piece))) break;
    }
    if (!number) {
      tokens.resize(before);
      return tokens.push_back(unknown_);
    }
    tokens.push_back(*number);
  }
}

}  // namespace host

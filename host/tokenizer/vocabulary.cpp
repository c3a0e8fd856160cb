// Reading of vocab.txt; see vocabulary.h.
#include "vocabulary.h"

#include <algorithm>
#include <format>
#include <fstream>
#include <stdexcept>

namespace host {

Vocabulary::Vocabulary(std::istream& lines) {
  std::string token;
  for (int64_t number = 0; std::getline(lines, token); ++number) {
    if (token.ends_with('\r')) token.pop_back();
    longest_ = std::max(longest_, token.size());
    if (!numbers_.try_emplace(token, number).second)
      throw std::runtime_error(std::format("line {}: the token '{}' occurs twice", number + 1, token));
  }
  if (lines.bad()) throw std::runtime_error("reading failed");
}

Vocabulary Vocabulary::from_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open the vocabulary " + path.string());
  try {
    return Vocabulary(file);
  } catch (const std::exception& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
}

std::optional<int64_t> Vocabulary::find(std::string_view token) const {
  const auto at = numbers_.find(token);
  return at == numbers_.end() ? std::nullopt : std::optional(at->second);
}

int64_t Vocabulary::number_of(std::string_view token) const {
  if (const auto number = find(token)) return *number;
  throw std::runtime_error(std::format("the vocabulary has no token '{}'", token));
}

}  // namespace host

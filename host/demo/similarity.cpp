// Cosines and their table; see similarity.h.
#include "similarity.h"

#include <algorithm>
#include <cmath>
#include <format>

namespace host {
namespace {

constexpr std::size_t most_in_a_matrix = 12;
constexpr std::size_t most_columns = 44;  // of a sentence in the table

// The start of a sentence, safe to print: control characters of the input, those above 0x80 too, would act on the
// terminal.
std::string excerpt(const std::string& sentence) {
  std::string result;
  std::size_t columns = 0;
  unsigned char before = 0;
  for (const char c : sentence) {
    const auto byte = static_cast<unsigned char>(c);
    const bool begins_character = (byte & 0xC0) != 0x80;
    if (begins_character && ++columns > most_columns) return result + "...";
    const bool acts = byte < 0x20 || byte == 0x7F || (byte >= 0x80 && byte < 0xA0 && (before == 0xC2 || before < 0x80));
    result += acts ? ' ' : c;
    before = byte;
  }
  return result;
}

std::string matrix(const std::vector<std::string>& sentences, const std::vector<std::vector<double>>& similarity) {
  std::string result;
  for (std::size_t row = 0; row < sentences.size(); ++row) {
    for (const double value : similarity[row]) result += std::format("{:7.3f}", value);
    result += std::format("   {:>2} {}\n", row + 1, excerpt(sentences[row]));
  }
  return result;
}

std::string nearest(const std::vector<std::string>& sentences, const std::vector<std::vector<double>>& similarity) {
  std::string result;
  for (std::size_t row = 0; row < sentences.size(); ++row) {
    std::size_t best = row == 0 ? 1 : 0;
    for (std::size_t other = 0; other < sentences.size(); ++other) {
      if (other != row && similarity[row][other] > similarity[row][best]) best = other;
    }
    result += std::format("{:>4} {}\n{:7.3f} {:>4} {}\n", row + 1, excerpt(sentences[row]), similarity[row][best],
                          best + 1, excerpt(sentences[best]));
  }
  return result;
}

}  // namespace

double cosine(std::span<const float> a, std::span<const float> b) {
  double product = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    product += x * y;
    square_a += x * x;
    square_b += y * y;
  }
  return product / std::sqrt(square_a * square_b);
}

std::vector<std::vector<double>> similarities(const Embeddings& embeddings) {
  std::vector<std::vector<double>> result(embeddings.count(), std::vector<double>(embeddings.count()));
  for (std::size_t row = 0; row < embeddings.count(); ++row) {
    for (std::size_t column = 0; column <= row; ++column)
      result[row][column] = result[column][row] = cosine(embeddings[row], embeddings[column]);
  }
  return result;
}

std::string similarity_table(const std::vector<std::string>& sentences,
                             const std::vector<std::vector<double>>& similarity) {
  return sentences.size() <= most_in_a_matrix ? matrix(sentences, similarity) : nearest(sentences, similarity);
}

}  // namespace host

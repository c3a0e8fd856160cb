// The tokens of a WordPiece model and their numbers, from vocab.txt: one token a line, numbered from 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace host {

class Vocabulary {
 public:
  explicit Vocabulary(std::istream& lines);

  // Fails with the path in the message.
  static Vocabulary from_file(const std::filesystem::path& path);

  std::optional<int64_t> find(std::string_view token) const;
  int64_t number_of(std::string_view token) const;  // throws when the token is missing
  std::size_t size() const { return numbers_.size(); }
  std::size_t longest() const { return longest_; }  // bytes

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, int64_t, Hash, std::equal_to<>> numbers_;
  std::size_t longest_ = 0;
};

}  // namespace host

// A cache directory of a test's own, gone with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/ops/requirement.h"

namespace graphs {

class CacheDirectory {
 public:
  CacheDirectory() {
    std::string name = std::filesystem::temp_directory_path() / "daybreak_test_XXXXXX";
    ops::require(mkdtemp(name.data()) != nullptr, "a temporary directory");
    path_ = name;
  }
  ~CacheDirectory() { std::filesystem::remove_all(path_); }
  CacheDirectory(const CacheDirectory&) = delete;

  std::string path() const { return path_; }
  std::vector<std::filesystem::path> files(const char* folder) const {
    std::vector<std::filesystem::path> found;
    if (std::filesystem::exists(path_ / folder))
      for (const auto& entry : std::filesystem::directory_iterator(path_ / folder)) found.push_back(entry.path());
    return found;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace graphs

// A list of backend cases that are known not to pass: a line has a glob of names, the device it holds for (or `all`) and the reason. Empty
// lines and those that begin with # are for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace host {

class KnownCases {
 public:
  // Entries for `device` and for all. Throws daybreak::Error naming file and line.
  KnownCases(const std::filesystem::path& file, const std::string& device);
  bool lists(const std::string& name) const;

 private:
  std::vector<std::string> globs_;
};

}  // namespace host

#include "known_cases.h"

#include <fnmatch.h>

#include <algorithm>
#include <format>
#include <sstream>

#include "daybreak.hpp"
#include "mapped_file.h"
#include "printable.h"

namespace host {

KnownCases::KnownCases(const std::filesystem::path& file, const std::string& device) {
  const MappedFile content(file);
  std::istringstream in(std::string(reinterpret_cast<const char*>(content.bytes().data()), content.bytes().size()));
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line);
    std::string glob, where, reason;
    if (!(words >> glob) || glob[0] == '#') continue;
    if (!(words >> where >> reason))
      throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("{}, line {}: expected a case, a device and a reason", in_quotes(file.string()), number));
    if (where == "all" || where == device) globs_.push_back(glob);
  }
}

bool KnownCases::lists(const std::string& name) const {
  return std::ranges::any_of(globs_, [&](const std::string& glob) { return fnmatch(glob.c_str(), name.c_str(), FNM_EXTMATCH) == 0; });
}

}  // namespace host

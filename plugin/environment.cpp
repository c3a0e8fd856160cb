#include "plugin/environment.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "plugin/edit_distance.h"
#include "plugin/options.h"

namespace dbk {

namespace {

constexpr std::string_view kOurs = "DAYBREAK_";
// Of commands, bindings, ./dev and tests, which hand them on to what they start.
constexpr std::string_view kOfTools[] = {"DAYBREAK_PLUGIN", "DAYBREAK_ENV", "DAYBREAK_MIRROR", "DAYBREAK_REQUIRE_GPU", "DAYBREAK_REGENERATE"};
constexpr std::string_view kOfTests = "DAYBREAK_TEST_";

std::vector<std::string> known_variables() {
  std::vector<std::string> names(std::begin(kOfTools), std::end(kOfTools));
  for (const OptionKey& key : option_keys())
    if (std::string_view(key.scope) == "ctx") names.push_back(variable_of(key.key));
  return names;
}

// The known name that differs by the least, where half of its letters are right at least.
std::string meant_by(std::string_view name, const std::vector<std::string>& known) {
  const auto distance = [&](const std::string& other) { return edit_distance(name, other); };
  const std::string& nearest = *std::ranges::min_element(known, {}, distance);
  return 2 * distance(nearest) <= nearest.size() - kOurs.size() ? nearest : "";
}

}  // namespace

std::vector<UnknownVariable> unknown_variables() {
  std::vector<UnknownVariable> unknown;
  if (getauxval(AT_SECURE) != 0) return unknown;  // none counts there
  const std::vector<std::string> known = known_variables();
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    if (!name.starts_with(kOurs) || name.starts_with(kOfTests) || std::ranges::find(known, name) != known.end()) continue;
    unknown.push_back({std::string(name), meant_by(name, known)});
  }
  return unknown;
}

}  // namespace dbk

// Words for placements; see placement.h.
#include "placement.h"

#include <format>
#include <map>
#include <vector>

#include "printable.h"
#include "report.h"
#include "units.h"

namespace host {

using nlohmann::json;

std::string placement_device(const json& placement) { return word_in(placement, "device", "unknown"); }

std::string node_text(const json& node) {
  const std::string domain = word_in(node, "domain"), name = word_in(node, "name");
  return std::format("node {} {}({})", word_in(node, "node"), name.empty() ? "" : in_quotes(name) + " ",
                     printable((domain.empty() ? "" : domain + ".") + word_in(node, "op")));
}

std::string node_count(std::size_t count) { return std::format("{} node{}", count, count == 1 ? "" : "s"); }

std::string placement_text(const json& placement) {
  std::map<std::string, int> places;
  std::string strays;
  const json nodes = array_in(placement, "nodes");
  for (const json& node : nodes) {
    const std::string where = word_in(node, "where", "unknown");
    ++places[where];
    if (where != "host") continue;
    strays += std::format("\n            {} on the host: {}", node_text(node), printable(word_in(node, "reason", "no reason given")));
  }
  std::vector<std::string> words;
  for (const auto& [where, count] : places) words.push_back(std::format("{} {}", count, where));
  return std::format("{}: {}{}", node_count(nodes.size()), joined(words), strays);
}

}  // namespace host

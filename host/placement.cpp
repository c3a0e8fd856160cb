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

std::string placement_text(const json& placement) {
  std::map<std::string, int> places;
  std::string strays;
  const json nodes = array_in(placement, "nodes");
  for (const json& node : nodes) {
    const std::string where = word_in(node, "where", "unknown");
    ++places[where];
    if (where != "host") continue;
    strays += std::format("\n            {} ({}) on the host: {}", printable(word_in(node, "name")),
                          printable(word_in(node, "op")), printable(word_in(node, "reason", "no reason given")));
  }
  std::vector<std::string> words;
  for (const auto& [where, count] : places) words.push_back(std::format("{} {}", count, where));
  return std::format("{} nodes: {}{}", nodes.size(), joined(words), strays);
}

}  // namespace host

// Extents of open dimensions; see assumed_extents.h.
#include "assumed_extents.h"

#include <format>
#include <vector>

#include "printable.h"
#include "report.h"
#include "units.h"

namespace host {

using nlohmann::json;

std::string assumed_text(const json& plan) {
  std::vector<std::string> words;
  for (const json& dim : array_in(plan, "assumed"))
    words.push_back(std::format("{} = {} ({})", in_quotes(word_in(dim, "name")), word_in(dim, "extent"), dim.value("bounded", false) ? "the most" : "it has no maximum"));
  std::string text = words.empty() ? "" : "for " + joined(words) + "; --dim gives others";
  if (!plan.value("complete", true)) text += std::string(text.empty() ? "" : "; ") + "without what only binding tells";
  return text;
}

}  // namespace host

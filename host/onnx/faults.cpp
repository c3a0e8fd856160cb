// Collecting of faults; see faults.h.
#include "faults.h"

#include <algorithm>
#include <format>

namespace host {

constexpr std::size_t most_told = 1000;

void Faults::add(const std::string& place, dbk_status status, const std::string& what) {
  if (causes_.size() == most_told) {
    ++left_out_;
    return;
  }
  causes_.push_back({status, {}, {}, std::format("{}: {}{}{}", file_, place, place.empty() ? "" : ": ", what)});
}

void Faults::add(const std::string& place, const daybreak::Error& error) {
  for (const daybreak::Cause& cause : error.causes()) add(place, cause.status, cause.message);
}

void Faults::throw_if_any() const {
  if (causes_.empty()) return;
  std::vector<daybreak::Cause> causes = causes_;
  const auto worst = std::ranges::find_if(causes, [](const auto& cause) { return cause.status != DBK_UNIMPLEMENTED; });
  const dbk_status status = worst == causes.end() ? DBK_UNIMPLEMENTED : worst->status;
  if (left_out_ > 0) causes.push_back({status, {}, {}, std::format("{}: and {} faults more", file_, left_out_)});
  throw daybreak::Error(status, std::move(causes));
}

}  // namespace host

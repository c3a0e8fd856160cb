// Extents that stand for those of open dimensions until a run tells them, from report `plan`.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace host {

// "for 'rows' = 9 (the most); --dim gives others"; empty where nothing is open.
std::string assumed_text(const nlohmann::json& plan);

}  // namespace host

// Report "placement" in words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace host {

std::string placement_device(const nlohmann::json& placement);

// "node 3 'name' (Softmax)": a node of any report, also one without a name.
std::string node_text(const nlohmann::json& node);
std::string node_count(std::size_t count);  // "1 node", "8 nodes"

// "8 nodes: 7 gpu, 1 host", and a line for each node that left the device, with the reason.
std::string placement_text(const nlohmann::json& placement);

}  // namespace host

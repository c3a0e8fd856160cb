// The files of a model that the project knows by id (models/models.toml), from the user's cache. What is not there yet
// is brought by models/fetch.py, which also checks what is there; it needs python3 and shows its progress on stderr.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace host {

// By file name: "minilm-f32.onnx" ... Throws when they cannot be provided; the script has then told why on stderr.
std::map<std::string, std::filesystem::path> model_files(const std::string& id);

}  // namespace host

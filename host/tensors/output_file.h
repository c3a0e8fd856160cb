// Names of files for a model's outputs.
#pragma once

#include <string>
#include <vector>

namespace host {

// One name for each output, without a directory: the output's name and ".npy", with `_` for what file names cannot hold
// (the slash and the byte 0). Equal results get a number, very long ones are cut.
std::vector<std::string> output_files(const std::vector<std::string>& outputs);

}  // namespace host

// Names of files for a model's outputs.
#pragma once

#include <string>
#include <vector>

namespace host {

// One name for each output, without a directory: the output's name and ".npy", with `_` for what file names cannot hold
// (the slash and the byte 0). Very long ones are cut. No two are equal: an output whose name needs no change keeps it, others get a number.
std::vector<std::string> output_files(const std::vector<std::string>& outputs);

}  // namespace host

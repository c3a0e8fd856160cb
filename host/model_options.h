// Options that commands on models share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "daybreak_options.hpp"
#include "onnx/import_options.h"

namespace host {

struct ModelOptions {
  std::string model;
  std::vector<std::string> inputs, dims;
  std::string device, policy, precision, fusion, host_ops;
  bool json = false;
};

void add_device_options(CLI::App& command, ModelOptions& options);  // --device --policy --precision --fusion --host-ops
void add_dim_option(CLI::App& command, ModelOptions& options);
void add_input_option(CLI::App& command, ModelOptions& options);

daybreak::Options compile_options(const ModelOptions& options);

// --dim NAME=N or NAME=MIN:MAX; a name may hold `=` itself. Throws daybreak::Error naming the option.
std::map<std::string, DimRange> parse_dims(const std::vector<std::string>& words);

}  // namespace host

// Options that commands on models share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "daybreak.hpp"
#include "onnx/import_options.h"

namespace host {

struct ModelOptions {
  std::string model;
  std::vector<std::string> inputs, dims;
  std::string device, policy, precision, fusion, qkv, host_ops;
  bool json = false;
};

void add_device_options(CLI::App& command, ModelOptions& options);  // --device --policy --precision --fusion --qkv --host-ops
void add_dim_option(CLI::App& command, ModelOptions& options);
void add_input_option(CLI::App& command, ModelOptions& options);

CLI::Validator not_empty();  // refuses an empty word, which an unset variable of a script leaves

// A context whose default device is the one of the options. Throws daybreak::Error naming the option or variable that asks for a device that is
// not there. `more` are other options of the context. The plugin's warnings are printed.
daybreak::Context open_context(const daybreak::Plugin& plugin, const ModelOptions& options, const std::string& name, daybreak::Options more = {});
daybreak::Options compile_options(const ModelOptions& options);

// --dim NAME=N or NAME=MIN:MAX; a name may hold `=` itself. Throws daybreak::Error naming the option.
std::map<std::string, DimRange> parse_dims(const std::vector<std::string>& words);

}  // namespace host

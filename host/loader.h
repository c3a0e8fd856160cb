// Finds and loads the plugin: --plugin, then DAYBREAK_PLUGIN, then next to the executable, then the system's libraries.
// A place the user named is the only one tried. Failing is a daybreak::Error whose text lists what was tried.
#pragma once

#include <string>

#include "daybreak_plugin.hpp"

namespace host {

struct LoadedPlugin {
  daybreak::Plugin plugin;
  std::string path;  // as given to dlopen
};

// `option` is the value of --plugin, or empty.
LoadedPlugin load_plugin(const std::string& option);

}  // namespace host

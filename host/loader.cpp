// The search for the plugin. A candidate that exists but does not load ends the search: going on would hide the reason.
#include "loader.h"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "library_file.h"

namespace host {
namespace {

constexpr const char* file_name = "libdaybreak.so";

// `path` is a file, not a name for the dynamic linker to search.
LoadedPlugin load_file(const std::string& path) {
  check_library_file(path);
  return {daybreak::Plugin::load(path), path};
}

// A bare name would make the dynamic linker search; the user who names a file means that file.
std::string as_file(const std::string& path) { return path.find('/') == std::string::npos ? "./" + path : path; }

std::vector<std::filesystem::path> places_near_executable() {
  std::error_code failure;
  const std::filesystem::path executable = std::filesystem::read_symlink("/proc/self/exe", failure);
  if (failure) return {};
  const std::filesystem::path folder = executable.parent_path();
  return {folder / file_name, folder / ".." / "lib" / file_name};
}

LoadedPlugin load_named(const std::string& path, const std::string& source) {
  try {
    return load_file(as_file(path));
  } catch (const daybreak::Error& error) {
    throw daybreak::Error(error.status(), source + ": " + error.message());
  }
}

}  // namespace

LoadedPlugin load_plugin(const std::string& option) {
  if (!option.empty()) return load_named(option, "--plugin");
  const char* variable = std::getenv("DAYBREAK_PLUGIN");
  if (variable && *variable) return load_named(variable, "DAYBREAK_PLUGIN");
  std::string tried;
  for (const std::filesystem::path& place : places_near_executable()) {
    if (std::filesystem::exists(place)) return load_file(place.lexically_normal().string());
    tried += "  " + place.lexically_normal().string() + ": no such file\n";
  }
  try {
    return {daybreak::Plugin::load(file_name), file_name};
  } catch (const daybreak::Error& error) {
    tried += "  the system's libraries: " + error.message();
    throw daybreak::Error(error.status(),
                          "no plugin found; tried\n" + tried + "\nname it with --plugin PATH or DAYBREAK_PLUGIN=PATH");
  }
}

}  // namespace host

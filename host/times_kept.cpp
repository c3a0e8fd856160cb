// The cache directory as README.md describes it; see times_kept.h.
#include "times_kept.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <format>
#include <string>

#include "daybreak.hpp"
#include "printable.h"

namespace host {
namespace {

std::string variable(const char* name) {
  const char* text = secure_getenv(name);
  return text ? text : "";
}

// As the plugin finds it; empty: there is none.
std::string cache_directory() {
  const char* given = std::getenv("DAYBREAK_CACHE_DIR");
  if (given && std::string(given) != "auto") return given;
  if (const std::string path = variable("XDG_CACHE_HOME"); path.starts_with('/')) return path + "/daybreak";
  const std::string home = variable("HOME");
  return home.starts_with('/') ? home + "/.cache/daybreak" : "";
}

}  // namespace

void require_times_kept() {
  const std::string directory = cache_directory();
  if (directory.empty())
    throw daybreak::Error(DBK_UNAVAILABLE, std::getenv("DAYBREAK_CACHE_DIR") ? "DAYBREAK_CACHE_DIR is empty: no time is kept"
                                                                             : "neither DAYBREAK_CACHE_DIR, XDG_CACHE_HOME nor HOME names a directory: no time is kept");
  std::string trial = directory + "/tuning/trial.XXXXXX";  // the plugin has made the folder where it could
  const int file = mkstemp(trial.data());
  if (file < 0) throw daybreak::Error(DBK_UNAVAILABLE, std::format("no time is kept: cache directory {} cannot be written: {}", printable(directory), std::strerror(errno)));
  close(file);
  unlink(trial.c_str());
}

}  // namespace host

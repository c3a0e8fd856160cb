// Runs the script and reads the paths that it prints; see model_files.h.
#include "model_files.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <sstream>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace host {
namespace {

namespace fs = std::filesystem;

// In a build the scripts are next to the program, installed they are in the prefix's share.
fs::path script() {
  const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"models", "../share/daybreak/models"}) {
    const fs::path candidate = folder / place / "fetch.py";
    if (fs::exists(candidate)) return candidate;
  }
  throw std::runtime_error("models/fetch.py, which provides models, is missing near " + folder.string());
}

[[noreturn]] void throw_error(int number, const char* what) {
  throw std::system_error(number, std::generic_category(), what);
}

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw_error(errno, "pipe2");
  }
  ~Pipe() {
    close(ends_[0]);
    close_write_end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int write_end() const { return ends_[1]; }
  void close_write_end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  std::string read_all() {
    std::string result;
    std::array<char, 4096> part;
    while (true) {
      const ssize_t count = read(ends_[0], part.data(), part.size());
      if (count == 0) return result;
      if (count > 0)
        result.append(part.data(), static_cast<std::size_t>(count));
      else if (errno != EINTR)
        throw_error(errno, "reading from fetch.py");
    }
  }

 private:
  std::array<int, 2> ends_;
};

// Starts `python3 -B script id`, its stdout going to `output`.
pid_t start(const std::string& script, const std::string& id, int output) {
  const std::array<const char*, 5> arguments{"python3", "-B", script.c_str(), id.c_str(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  pid_t child = -1;
  const int failure =
      posix_spawnp(&child, "python3", &files, nullptr, const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failure != 0) throw_error(failure, "providing models needs python3");
  return child;
}

int exit_status(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) throw_error(errno, "waitpid");
  }
  return status;
}

}  // namespace

std::map<std::string, fs::path> model_files(const std::string& id) {
  const std::string program = script().string();
  Pipe paths;
  const pid_t child = start(program, id, paths.write_end());
  paths.close_write_end();
  std::istringstream lines(paths.read_all());
  if (exit_status(child) != 0) throw std::runtime_error("cannot provide the model '" + id + "'");
  std::map<std::string, fs::path> result;
  for (std::string line; std::getline(lines, line);) result[fs::path(line).filename()] = line;
  return result;
}

}  // namespace host

// Child processes of `daybreak validate`; see child.h. A test passes only if it says so, the process then ends with
// status 0, and both happen in time; a crash in an exit handler is a failure like any other.
#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <format>
#include <system_error>
#include <vector>

extern char** environ;

namespace host::validate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int child_result_fd = 3;
int result_fd_of_this_child = -1;

[[noreturn]] void throw_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

class Pipe {
 public:
  Pipe() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) throw_errno("pipe2");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_end(std::size_t end) {
    if (ends_[end] >= 0) close(ends_[end]);
    ends_[end] = -1;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

// stdin is empty, stdout and stderr go to `noise`, the verdict to `verdict`; its own process group, so that what it
// forked ends with it.
pid_t spawn(const std::vector<std::string>& arguments, int noise, int verdict) {
  std::vector<char*> argv;
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, noise, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, noise, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files, verdict, child_result_fd);
  pid_t pid = -1;
  errno = posix_spawn(&pid, "/proc/self/exe", &files, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (errno != 0) throw_errno("posix_spawn");
  return pid;
}

// Appends what is there; false at the end of the stream. Noise without end is cut, but still taken from the pipe.
bool drain(int fd, std::string& text) {
  std::array<char, 4096> chunk;
  const ssize_t count = read(fd, chunk.data(), chunk.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (text.size() < 65536) text.append(chunk.data(), static_cast<std::size_t>(count));
  return count > 0;
}

// Left as a zombie on purpose: its id stays taken until its group has been ended.
bool has_ended(pid_t pid) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

// Reads both pipes until the child has ended or the time is over. Whether it has ended.
bool watch(pid_t pid, Clock::time_point deadline, int noise_fd, int verdict_fd, std::string& noise,
           std::string& verdict) {
  bool noise_open = true, verdict_open = true;
  for (;;) {
    std::array<pollfd, 2> fds{{{noise_open ? noise_fd : -1, POLLIN, 0}, {verdict_open ? verdict_fd : -1, POLLIN, 0}}};
    poll(fds.data(), fds.size(), 10);
    if (fds[0].revents) noise_open = drain(noise_fd, noise);
    if (fds[1].revents) verdict_open = drain(verdict_fd, verdict);
    if (!fds[0].revents && !fds[1].revents && has_ended(pid)) return true;
    if (Clock::now() >= deadline) return false;
  }
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t start = text.find_last_of('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1, end - (start == std::string::npos ? 0 : start + 1) + 1)
      .substr(0, 200);
}

std::string ending(int status) {
  if (WIFSIGNALED(status))
    return std::format("killed by signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)));
  return std::format("exit status {}", WEXITSTATUS(status));
}

void judge(Result& result, const std::string& verdict, int status) {
  const bool ended_well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const bool passed = verdict == "PASS";
  if (ended_well && verdict.starts_with("SKIP ")) {
    result.verdict = Verdict::skipped;
    result.reason = verdict.substr(5);
  } else if (ended_well && passed) {
    result.verdict = Verdict::passed;
  } else if (verdict.starts_with("FAIL ")) {
    result.reason = verdict.substr(5) + (ended_well ? "" : "; then " + ending(status));
  } else {
    const std::string line = last_line(result.noise);
    result.reason = ending(status) + (passed ? " after all checks passed" : "") + (line.empty() ? "" : ": " + line);
  }
}

void tell(const std::string& text) {
  std::size_t sent = 0;
  while (sent < text.size()) {
    const ssize_t count = write(result_fd_of_this_child, text.data() + sent, text.size() - sent);
    if (count < 0 && errno != EINTR) return;  // the parent is gone
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
}

}  // namespace

Result run_in_child(const Target& target, const Test& test, int timeout_factor) {
  Result result;
  Pipe noise, verdict;
  const auto start = Clock::now();
  const int seconds = test.timeout_seconds * timeout_factor;
  const pid_t pid = spawn({"daybreak", "validate-one", target.path, test.name, std::to_string(child_result_fd)},
                          noise.write_end(), verdict.write_end());
  noise.close_end(1);
  verdict.close_end(1);
  std::string text;
  const bool ended =
      watch(pid, start + std::chrono::seconds(seconds), noise.read_end(), verdict.read_end(), result.noise, text);
  kill(-pid, SIGKILL);  // the group: also what the child has forked
  int status = 0;
  waitpid(pid, &status, 0);
  if (ended) {
    judge(result, text, status);
  } else {
    result.reason = std::format("not done after {} s{}", seconds,
                                text == "PASS"              ? ", hanging at exit"
                                : text.starts_with("FAIL ") ? "; " + text.substr(5)
                                                            : "");
  }
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

void pass_before_exit() {
  tell("PASS");
  result_fd_of_this_child = -1;
}

int run_as_child(const Target& target, const Test& test, int result_fd) {
  result_fd_of_this_child = result_fd;
  try {
    test.run(target);
    tell("PASS");
  } catch (const Skipped& skipped) {
    tell(std::string("SKIP ") + skipped.what());
  } catch (const std::exception& failed) {
    tell(std::string("FAIL ") + failed.what());
  }
  return 0;
}

}  // namespace host::validate

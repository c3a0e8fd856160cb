// See whole_file.h.
#include "whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "file_error.h"

namespace host {
namespace {

// A new file beside the one that is meant; removed again unless it takes that one's place.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& path) : path_(path), draft_(path.string() + ".part" + std::to_string(getpid())) {
    fd_ = open(draft_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) fail_file(path_, errno);
  }
  ~Draft() {
    if (fd_ >= 0) close(fd_);
    if (!finished_) unlink(draft_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = write(fd_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail_file(path_, errno);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }

  void finish() {
    if (close(std::exchange(fd_, -1)) != 0) fail_file(path_, errno);  // network file systems tell it only here
    if (std::rename(draft_.c_str(), path_.c_str()) != 0) fail_file(path_, errno);
    finished_ = true;
  }

 private:
  std::filesystem::path path_;
  std::string draft_;
  int fd_ = -1;
  bool finished_ = false;
};

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::initializer_list<std::span<const std::byte>> parts) {
  Draft draft(path);
  for (const std::span<const std::byte> part : parts) draft.append(part);
  draft.finish();
}

}  // namespace host

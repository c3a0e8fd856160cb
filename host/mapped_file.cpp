// Mapping of files; see mapped_file.h.
#include "mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "daybreak_error.hpp"
#include "file_error.h"
#include "printable.h"

namespace host {
namespace {

class Descriptor {
 public:
  // O_NONBLOCK: a pipe is refused below instead of waited for.
  explicit Descriptor(const std::filesystem::path& path) : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (fd_ < 0) fail_file(path, errno);
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const noexcept { return fd_; }

 private:
  int fd_;
};

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(path);
  struct stat info{};
  if (fstat(file.get(), &info) != 0) fail_file(path, errno);
  if (S_ISDIR(info.st_mode)) fail_file(path, EISDIR);
  if (!S_ISREG(info.st_mode))
    throw daybreak::Error(DBK_INVALID_ARGUMENT, in_quotes(path.string()) + ": no regular file");
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size == 0) return;  // nothing to map
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) fail_file(path, errno);
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace host

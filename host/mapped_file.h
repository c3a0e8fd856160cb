// A regular file mapped read-only: memory of the page cache, read when it is touched. The file must not shrink while it
// is mapped. Failing is a daybreak::Error that names the file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace host {

class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace host

// A directory of a test's own, removed with everything in it.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

class TempDir {
 public:
  TempDir() {
    const std::filesystem::path memory = "/dev/shm";  // some tests write thousands of files
    const bool there = access(memory.c_str(), W_OK) == 0;
    std::string name = ((there ? memory : std::filesystem::temp_directory_path()) / "daybreak_test_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary | std::ios::trunc).write(bytes.data(), std::ssize(bytes));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

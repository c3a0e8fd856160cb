// Files that a later process may find useful and that may vanish any time: what drivers compiled, what devices measured. A file holds its
// key and a checksum, is put in place whole (written beside it, then renamed) and is believed only where both are right, so processes need
// no lock and a damaged file costs time, never a result. Folders are for their user alone, and only what no other may
// write is believed. No failure leaves this class but as a line in the log: one for reading, one for writing, one for what is too large.
// Safe from any thread.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "plugin/log.h"
#include "plugin/options.h"

namespace dbk {

// The directory that option cache_dir means; empty: nothing is kept.
std::string cache_path(const Options& options);

// Tells builds of the library that holds `symbol` apart, for keys: its build id, or size and time of its file where it has none.
std::string library_identity(const void* symbol);

class CacheFolder {
 public:
  // Folder `name` in the directory `root`, made by the first store(); without a root nothing is there and nothing is kept. Where its
  // files take more than `max_bytes`, those that were not used for longest go.
  CacheFolder(const std::string& root, const char* name, uint64_t max_bytes, const Log& log);

  bool on() const { return !path_.empty(); }
  // What was kept in `file` for this very key. Where there is no such file, but one whose name begins with `siblings`, which is then of
  // another driver or version, the log says that it is ignored.
  std::optional<std::string> load(const std::string& file, std::string_view key, std::string_view siblings = {}) noexcept;
  void store(const std::string& file, std::string_view key, std::string_view content) noexcept;
  // Stores what `merged` makes of what is kept there, or of nothing. What another process puts there meanwhile is not lost: the two files change
  // places, so that whoever writes later gets what was there, and merges again. `merged` keeps in mind what it was given before.
  using Merge = std::function<std::string(const std::optional<std::string>& there)>;
  void update(const std::string& file, std::string_view key, const Merge& merged) noexcept;

  // A file name for keys of any length and content.
  static std::string file_of(std::string_view key);

 private:
  std::optional<std::string> read(const std::string& path, std::string_view key);
  std::string sibling(std::string_view start) const;  // the path of one; empty: there is none
  template <class F>
  void attempt(F&& write) noexcept;
  std::string write_beside(const std::string& path, std::string_view key, std::string_view content);  // the path; empty: it is too large
  std::optional<std::string> displaced(const std::string& beside, const std::string& path, std::string_view key);
  void make_room(uint64_t bytes);

  std::string path_;  // empty: off
  uint64_t max_bytes_;
  Log log_;
  std::atomic<bool> read_reported_{false}, write_reported_{false}, size_reported_{false}, sibling_reported_{false};
  std::mutex mutex_;
  std::optional<uint64_t> bytes_;  // in the folder, as far as this process knows
};

}  // namespace dbk

#include "plugin/cache_folder.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace dbk {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "daybreak-cache 1 ";
constexpr size_t kHexDigits = 32;
constexpr time_t kDay = 24 * 60 * 60;

std::string checksum(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return std::format("{:016x}{:016x}", hash.high64, hash.low64);
}

// The first line of a file; key and content follow.
std::string header(std::string_view body, size_t key_bytes) {
  return std::format("{}{} {} {}\n", kMagic, key_bytes, body.size() - key_bytes, checksum(body));
}

struct File {
  int number;
  explicit File(int n) : number(n) {}
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (number >= 0) close(number);
  }
};

[[noreturn]] void fail_with_errno(const char* what) { fail(DBK_UNAVAILABLE, "{}: {}", what, std::strerror(errno)); }

std::string all_of(const File& file, uint64_t bytes) {
  std::string text(bytes, '\0');
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = ::read(file.number, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_with_errno("reading");
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  text.resize(done);
  return text;
}

void write_all(const File& file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(file.number, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_with_errno("writing");
    bytes.remove_prefix(static_cast<size_t>(done));
  }
}

// Writing past this limit of the process would not fail but raise a signal.
void check_file_limit(uint64_t bytes) {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < bytes)
    fail(DBK_UNAVAILABLE, "the process may write {} bytes to a file, {} are wanted", limit.rlim_cur, bytes);
}

// What others may change they can fill with anything, and it would be run: checksums protect from accidents alone.
void check_ours(const struct stat& status) {
  if (status.st_uid != geteuid()) fail(DBK_DATA_LOSS, "it belongs to another user");
  if (status.st_mode & (S_IWGRP | S_IWOTH)) fail(DBK_DATA_LOSS, "other users may write it");
}

void put(const std::string& beside, const std::string& path) {
  if (rename(beside.c_str(), path.c_str()) == 0) return;
  const int why = errno;
  unlink(beside.c_str());
  errno = why;
  fail_with_errno("renaming");
}

// The content of a whole file. Throws why it is not to be believed.
std::string content_of(std::string_view text, std::string_view key) {
  const size_t line = text.find('\n');
  if (!text.starts_with(kMagic) || line == text.npos) fail(DBK_DATA_LOSS, "not of this format");
  const std::string_view body = text.substr(line + 1);
  size_t key_bytes = 0;
  const char* digits = text.data() + kMagic.size();
  if (std::from_chars(digits, text.data() + line, key_bytes).ec != std::errc() || key_bytes > body.size() ||
      text.substr(0, line + 1) != header(body, key_bytes))
    fail(DBK_DATA_LOSS, "damaged");
  if (body.substr(0, key_bytes) != key) fail(DBK_DATA_LOSS, "of another device, driver or version");
  return std::string(body.substr(key_bytes));
}

// Links may lead nowhere, and then it may be the very file that is wanted.
std::string why_of_sibling(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? "of another driver or version" : std::format("it cannot be read: {}", std::strerror(errno));
}

std::string environment_path(const char* name, const char* below) {
  const char* text = secure_getenv(name);  // not for programs that run with more rights than their user
  return text && *text == '/' ? std::string(text) + below : "";
}

// The note of a segment that the linker left: a header, the name "GNU", the id, each in whole words.
std::string build_id_in(const std::byte* at, size_t bytes) {
  const auto in_words = [](size_t size) { return (size + 3) / 4 * 4; };
  while (bytes >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const size_t name = sizeof note, id = name + in_words(note.n_namesz), end = id + in_words(note.n_descsz);
    if (end > bytes) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(at + name, "GNU", 4) == 0) {
      std::string text;
      for (size_t i = 0; i < note.n_descsz; ++i) text += std::format("{:02x}", std::to_integer<unsigned>(at[id + i]));
      return text;
    }
    at += end, bytes -= end;
  }
  return {};
}

struct BuildIdSearch {
  uintptr_t symbol;
  std::string id;
};

// Of the library that holds the symbol; empty where it has none.
std::string build_id(const void* symbol) {
  BuildIdSearch search{reinterpret_cast<uintptr_t>(symbol), {}};
  const auto visit = [](dl_phdr_info* library, size_t, void* data) {
    auto& wanted = *static_cast<BuildIdSearch*>(data);
    const std::span segments(library->dlpi_phdr, library->dlpi_phnum);
    const auto holds = [&](const ElfW(Phdr) & s) { return s.p_type == PT_LOAD && wanted.symbol - (library->dlpi_addr + s.p_vaddr) < s.p_memsz; };
    if (std::ranges::none_of(segments, holds)) return 0;
    for (const ElfW(Phdr) & s : segments)
      if (s.p_type == PT_NOTE && wanted.id.empty()) wanted.id = build_id_in(reinterpret_cast<const std::byte*>(library->dlpi_addr + s.p_vaddr), s.p_memsz);
    return 1;
  };
  dl_iterate_phdr(visit, &search);
  return search.id;
}

}  // namespace

std::string cache_path(const Options& options) {
  if (const std::string& given = options.text("cache_dir"); given != "auto") return given;
  const std::string path = environment_path("XDG_CACHE_HOME", "/daybreak");
  return path.empty() ? environment_path("HOME", "/.cache/daybreak") : path;
}

std::string library_identity(const void* symbol) {
  if (std::string id = build_id(symbol); !id.empty()) return "build id " + id;
  Dl_info where{};
  struct stat file {};
  if (!dladdr(symbol, &where) || !where.dli_fname || stat(where.dli_fname, &file) != 0) return "unknown";
  return std::format("{} bytes of {}.{:09}", file.st_size, file.st_mtim.tv_sec, file.st_mtim.tv_nsec);
}

CacheFolder::CacheFolder(const std::string& root, const char* name, uint64_t max_bytes, const Log& log)
    : path_(root.empty() ? "" : root + "/" + name), max_bytes_(max_bytes), log_(log) {}

std::string CacheFolder::file_of(std::string_view key) { return checksum(key); }

std::optional<std::string> CacheFolder::load(const std::string& file, std::string_view key, std::string_view siblings) noexcept try {
  if (path_.empty()) return std::nullopt;
  std::string path = path_ + "/" + file;
  try {
    std::optional<std::string> content = read(path, key);
    if (content || siblings.empty()) return content;
    path = sibling(siblings);
    if (!path.empty() && !sibling_reported_.exchange(true)) log_(DBK_LOG_WARNING, "cache file {} is ignored: {}", path, why_of_sibling(path));
  } catch (const Error& e) {
    if (!read_reported_.exchange(true)) log_(DBK_LOG_WARNING, "cache file {} is ignored: {}", path, e.what());
  }
  return std::nullopt;
} catch (...) {  // no memory: it is as if nothing were there
  return std::nullopt;
}

// By the system's own calls: the library's iterator ends the process where there is no memory.
std::string CacheFolder::sibling(std::string_view start) const {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path_.c_str()), closedir);
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    if (name.starts_with(start) && name.size() == start.size() + kHexDigits) return path_ + "/" + std::string(name);  // and none that is being written
  }
  return {};
}

std::optional<std::string> CacheFolder::read(const std::string& path, std::string_view key) {
  const File file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number < 0 && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (file.number < 0) fail_with_errno("opening");
  struct stat status {};
  if (stat(path_.c_str(), &status) != 0) fail_with_errno("looking at the folder");
  check_ours(status);
  if (fstat(file.number, &status) != 0) fail_with_errno("looking");
  check_ours(status);
  if (!S_ISREG(status.st_mode)) fail(DBK_DATA_LOSS, "not a file");
  if (static_cast<uint64_t>(status.st_size) > max_bytes_) fail(DBK_DATA_LOSS, "{} bytes are over the limit of {}", status.st_size, max_bytes_);
  std::string content = content_of(all_of(file, static_cast<uint64_t>(status.st_size)), key);
  if (std::time(nullptr) - status.st_mtime > kDay) futimens(file.number, nullptr);  // used: the last to go
  return content;
}

template <class F>
void CacheFolder::attempt(F&& write) noexcept try {
  if (path_.empty()) return;
  std::string why;
  try {
    write();
  } catch (const Error& e) {
    why = e.what();
  } catch (const fs::filesystem_error& e) {
    why = e.code().message();
  }
  if (!why.empty() && !write_reported_.exchange(true)) log_(DBK_LOG_WARNING, "cache directory {} is not written: {}", path_, why);
} catch (...) {  // no memory
}

void CacheFolder::store(const std::string& file, std::string_view key, std::string_view content) noexcept {
  attempt([&] {
    const std::string path = path_ + "/" + file, beside = write_beside(path, key, content);
    if (!beside.empty()) put(beside, path);
  });
}

void CacheFolder::update(const std::string& file, std::string_view key, const Merge& merged) noexcept {
  constexpr int kMostSwaps = 100;  // each but the first means that somebody else has written: nobody waits
  attempt([&] {
    const std::string path = path_ + "/" + file;
    std::optional<std::string> there = load(file, key), placed;
    for (int i = 0; i < kMostSwaps; ++i) {
      const std::string content = merged(there), beside = write_beside(path, key, content);
      if (beside.empty()) return;
      const std::optional<std::string> before = displaced(beside, path, key);
      if (!before || before == there || before == placed) return;
      there = before, placed = content;
    }
  });
}

// Puts the file beside in its place, and gives the content of what was there; nothing where that is not to be believed, or cannot be known.
std::optional<std::string> CacheFolder::displaced(const std::string& beside, const std::string& path, std::string_view key) {
  struct stat status {};
  const bool no_file = lstat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);  // a directory would change places, too
  if (no_file) return put(beside, path), std::nullopt;
  while (renameat2(AT_FDCWD, beside.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) != 0) {
    const bool first = errno == ENOENT && link(beside.c_str(), path.c_str()) == 0;
    if (!first && errno == EEXIST) continue;  // there is one now
    if (first) unlink(beside.c_str());
    else put(beside, path);  // not every file system can do that
    return std::nullopt;
  }
  std::optional<std::string> content;
  try {
    content = read(beside, key);
  } catch (const Error&) {  // damaged: nobody misses it
  }
  unlink(beside.c_str());
  return content;
}

std::string CacheFolder::write_beside(const std::string& path, std::string_view key, std::string_view content) {
  const std::string body = std::string(key) + std::string(content);
  const std::string head = header(body, key.size());
  if (head.size() + body.size() > max_bytes_) {
    if (!size_reported_.exchange(true))
      log_(DBK_LOG_WARNING, "cache file {} is not written: {} bytes are over the limit of {}", path, head.size() + body.size(), max_bytes_);
    return {};  // others may fit
  }
  check_file_limit(head.size() + body.size());
  fs::create_directories(fs::path(path_).parent_path());
  if (mkdir(path_.c_str(), S_IRWXU) != 0 && errno != EEXIST) fail_with_errno("making a directory");
  make_room(head.size() + body.size());
  std::string beside = path + ".XXXXXX";
  const File file(mkstemp(beside.data()));
  if (file.number < 0) fail_with_errno("making a file");
  try {
    write_all(file, head);
    write_all(file, body);
  } catch (const Error&) {
    unlink(beside.c_str());
    throw;
  }
  return beside;
}

// Looks at the folder once; later stores of other processes are seen by the next context. Goes down to three quarters, so that not every
// store has to look again. Files that another process took away meanwhile are no failure.
void CacheFolder::make_room(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (bytes_ && *bytes_ + bytes <= max_bytes_) {
    *bytes_ += bytes;
    return;
  }
  struct Entry {
    fs::file_time_type used;
    uint64_t bytes;
    fs::path path;
  };
  std::vector<Entry> entries;
  uint64_t total = bytes;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    if (!entry.is_regular_file(ignored)) continue;
    const Entry e{entry.last_write_time(ignored), entry.file_size(ignored), entry.path()};
    if (e.bytes == static_cast<uint64_t>(-1)) continue;
    total += e.bytes;
    entries.push_back(e);
  }
  if (total > max_bytes_) {
    std::ranges::sort(entries, {}, &Entry::used);
    for (const Entry& e : entries) {
      if (total <= max_bytes_ / 4 * 3) break;
      if (fs::remove(e.path, ignored)) total -= e.bytes;
    }
  }
  bytes_ = total;
}

}  // namespace dbk

// What a folder of the cache directory says in the log: one line for what is too large to be kept, one for a file of somebody else beside
// the one that is missing. And what tells builds of a library apart.
#include "plugin/cache_folder.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <format>
#include <set>
#include <sstream>
#include <thread>
#include <vector>

extern "C" {
#include <unity.h>
void setUp(void) {}
void tearDown(void) {}
}

#include "tests/graphs/cache_directory.h"

namespace {

using dbk::CacheFolder;

struct Lines {
  std::vector<std::string> list;
  dbk::Log log() {
    dbk_host host{};
    host.user = this;
    host.log = [](void* user, uint32_t, const char* text, uint64_t size) { static_cast<Lines*>(user)->list.emplace_back(text, size); };
    return dbk::Log(host);
  }
};

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void test_too_large() {
  const graphs::CacheDirectory cache;
  Lines lines;
  CacheFolder folder(cache.path(), "small", 1000, lines.log());
  for (const char* file : {"first", "second"}) folder.store(file, "key", std::string(1000, 'x'));
  TEST_ASSERT_EQUAL(1, lines.list.size());
  TEST_ASSERT_TRUE_MESSAGE(has(lines.list[0], "first") && has(lines.list[0], "limit of 1000"), lines.list[0].c_str());
  TEST_ASSERT_FALSE(folder.load("first", "key"));
  folder.store("third", "key", "fits");
  TEST_ASSERT_TRUE(folder.load("third", "key") == "fits");
  TEST_ASSERT_EQUAL(1, lines.list.size());
}

// A disk that is full for a moment, by way of a limit of the process: told once, and what comes later is kept.
void test_writing_goes_on_after_a_failure() {
  const graphs::CacheDirectory cache;
  Lines lines;
  CacheFolder folder(cache.path(), "full", 1 << 20, lines.log());
  rlimit before{};
  TEST_ASSERT_EQUAL(0, getrlimit(RLIMIT_FSIZE, &before));
  const rlimit tiny{16, before.rlim_max};
  for (const bool full : {true, true, false, true, false}) {
    TEST_ASSERT_EQUAL(0, setrlimit(RLIMIT_FSIZE, full ? &tiny : &before));
    folder.store("file", "key", full ? "lost" : "kept");
    folder.update("list", "key", [&](const std::optional<std::string>& there) { return there.value_or("") + (full ? "lost " : "kept "); });
  }
  TEST_ASSERT_TRUE(folder.load("file", "key") == "kept");
  TEST_ASSERT_TRUE(folder.load("list", "key") == "kept kept ");
  TEST_ASSERT_EQUAL(1, lines.list.size());
  TEST_ASSERT_TRUE_MESSAGE(has(lines.list[0], "is not written"), lines.list[0].c_str());
}

void test_siblings() {
  const graphs::CacheDirectory cache;
  Lines lines;
  CacheFolder folder(cache.path(), "both", 1000, lines.log());
  const std::string start = "device-", old_file = start + CacheFolder::file_of("driver 1"), new_file = start + CacheFolder::file_of("driver 2");
  TEST_ASSERT_FALSE(folder.load(new_file, "key 2", start));
  TEST_ASSERT_TRUE_MESSAGE(lines.list.empty(), "nothing is there");
  folder.store(old_file, "key 1", "old");
  TEST_ASSERT_FALSE(folder.load(new_file, "key 2", "another device-"));
  TEST_ASSERT_TRUE_MESSAGE(lines.list.empty(), "no sibling");
  for (int i = 0; i < 2; ++i) TEST_ASSERT_FALSE(folder.load(new_file, "key 2", start));
  TEST_ASSERT_EQUAL(1, lines.list.size());
  TEST_ASSERT_TRUE_MESSAGE(has(lines.list[0], old_file.c_str()) && has(lines.list[0], "another driver or version"), lines.list[0].c_str());
  folder.store(new_file, "key 2", "new");
  TEST_ASSERT_TRUE(folder.load(new_file, "key 2", start) == "new");
  TEST_ASSERT_TRUE_MESSAGE(folder.load(old_file, "key 1", start) == "old", "both are kept");
}

void test_links_that_lead_nowhere() {
  const graphs::CacheDirectory cache;
  const std::string start = "device-", wanted = start + CacheFolder::file_of("driver 1"), other = start + CacheFolder::file_of("driver 2");
  const std::filesystem::path folder_path = std::filesystem::path(cache.path()) / "links";
  const auto told = [&](const std::string& link, const std::string& to) {
    std::filesystem::remove_all(folder_path);
    std::filesystem::create_directory(folder_path);
    std::filesystem::create_symlink(to, folder_path / link);
    Lines lines;
    CacheFolder folder(cache.path(), "links", 1000, lines.log());
    TEST_ASSERT_FALSE(folder.load(wanted, "key", start));
    TEST_ASSERT_EQUAL(1, lines.list.size());
    TEST_ASSERT_TRUE_MESSAGE(has(lines.list[0], link.c_str()) && !has(lines.list[0], "another driver"), lines.list[0].c_str());
    return lines.list[0];
  };
  TEST_ASSERT_TRUE(has(told(wanted, "nothing"), "it cannot be read: No such file"));
  TEST_ASSERT_TRUE(has(told(wanted, wanted), "symbolic links"));
  TEST_ASSERT_TRUE(has(told(other, other), "it cannot be read: Too many levels of symbolic links"));
}

// A set of lines, as what devices measured is.
struct LineSet {
  std::set<std::string> seen;
  CacheFolder::Merge adding(std::string line) {
    return [this, line = std::move(line)](const std::optional<std::string>& there) {
      std::istringstream lines(there.value_or(""));
      for (std::string each; std::getline(lines, each);) seen.insert(each);
      std::string text;
      seen.insert(line);
      for (const std::string& each : seen) text += each + "\n";
      return text;
    };
  }
};

size_t files_in(const std::string& path) {
  const std::filesystem::directory_iterator files(path);
  return static_cast<size_t>(std::distance(begin(files), end(files)));
}

// Another process writes between reading and writing.
void test_update_keeps_what_others_write_meanwhile() {
  const graphs::CacheDirectory cache;
  Lines lines;
  CacheFolder mine(cache.path(), "shared", 1 << 20, lines.log()), theirs(cache.path(), "shared", 1 << 20, lines.log());
  for (const bool first : {true, false}) {  // there is no file yet, there is one
    LineSet here, there;
    int calls = 0;
    mine.update("file", "key", [&](const std::optional<std::string>& text) {
      if (calls++ == 0) theirs.update("file", "key", there.adding(first ? "theirs" : "theirs again"));
      return here.adding(first ? "mine" : "mine again")(text);
    });
    TEST_ASSERT_EQUAL(2, calls);
  }
  TEST_ASSERT_TRUE(mine.load("file", "key") == "mine\nmine again\ntheirs\ntheirs again\n");
  TEST_ASSERT_EQUAL(1, files_in(cache.path() + "/shared"));
  TEST_ASSERT_TRUE(lines.list.empty());
}

void test_many_update_one_file() {
  constexpr int kWriters = 4, kLines = 40;
  const graphs::CacheDirectory cache;
  const auto write = [&](int writer) {
    Lines lines;
    CacheFolder folder(cache.path(), "shared", 1 << 20, lines.log());
    for (int i = 0; i < kLines; ++i) {
      LineSet set;
      folder.update("file", "key", set.adding(std::format("{} of {}", i, writer)));
    }
  };
  {
    std::vector<std::jthread> writers;
    for (int writer = 0; writer < kWriters; ++writer) writers.emplace_back(write, writer);
  }
  Lines lines;
  CacheFolder folder(cache.path(), "shared", 1 << 20, lines.log());
  const std::string text = folder.load("file", "key").value_or("");
  TEST_ASSERT_EQUAL(kWriters * kLines, std::ranges::count(text, '\n'));
  TEST_ASSERT_EQUAL(1, files_in(cache.path() + "/shared"));
}

// Nothing is made of what is not believed.
void test_update_of_a_damaged_file() {
  const graphs::CacheDirectory cache;
  Lines lines;
  CacheFolder folder(cache.path(), "shared", 1 << 20, lines.log());
  folder.store("file", "another key", "of others\n");
  LineSet set;
  folder.update("file", "key", set.adding("mine"));
  TEST_ASSERT_TRUE(folder.load("file", "key") == "mine\n");
}

void test_update_leaves_a_directory_alone() {
  const graphs::CacheDirectory cache;
  Lines lines;
  CacheFolder folder(cache.path(), "shared", 1 << 20, lines.log());
  std::filesystem::create_directories(cache.path() + "/shared/file/inside");
  std::filesystem::permissions(cache.path() + "/shared", std::filesystem::perms::owner_all);
  LineSet set;
  folder.update("file", "key", set.adding("mine"));
  TEST_ASSERT_TRUE(std::filesystem::is_directory(cache.path() + "/shared/file/inside"));
  TEST_ASSERT_EQUAL(1, files_in(cache.path() + "/shared"));
}

// The C library of every distribution has a build id.
void test_build_id() {
  const std::string identity = dbk::library_identity(reinterpret_cast<const void*>(&getpid));
  TEST_ASSERT_TRUE_MESSAGE(identity.starts_with("build id ") && identity.size() > 40, identity.c_str());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_too_large);
  RUN_TEST(test_writing_goes_on_after_a_failure);
  RUN_TEST(test_siblings);
  RUN_TEST(test_links_that_lead_nowhere);
  RUN_TEST(test_update_keeps_what_others_write_meanwhile);
  RUN_TEST(test_many_update_one_file);
  RUN_TEST(test_update_of_a_damaged_file);
  RUN_TEST(test_update_leaves_a_directory_alone);
  RUN_TEST(test_build_id);
  return UNITY_END();
}

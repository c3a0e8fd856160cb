// What a folder of the cache directory says in the log: one line for what is too large to be kept, one for a file of somebody else beside
// the one that is missing. And what tells builds of a library apart.
#include "plugin/cache_folder.h"

#include <unistd.h>

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

// The C library of every distribution has a build id.
void test_build_id() {
  const std::string identity = dbk::library_identity(reinterpret_cast<const void*>(&getpid));
  TEST_ASSERT_TRUE_MESSAGE(identity.starts_with("build id ") && identity.size() > 40, identity.c_str());
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_too_large);
  RUN_TEST(test_siblings);
  RUN_TEST(test_build_id);
  return UNITY_END();
}

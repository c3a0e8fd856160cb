/* Test 2, the plugin's side: for every pair of versions a host could offer, dbk_entry answers with the highest version
 * that both speak, of the one major version that the host names, or refuses with text; it writes no more of `why` than
 * it may, and is quick. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "guard.h"
#include "harness.h"

static dbk_entry_fn entry;
static const uint32_t versions[] = {
    0, DBK_ABI(0, 9), DBK_ABI_1_0, DBK_ABI(1, 1), DBK_ABI(1, 65535), DBK_ABI(2, 0), DBK_ABI(3, 7), 0xFFFFFFFFu};
enum { VERSIONS = sizeof versions / sizeof versions[0] };

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static void one_pair(uint32_t min, uint32_t max) {
  const dbk_info* info = api->info;
  const dbk_api* got = POISON;
  char why[128] = "", text[64];
  int meets = min <= info->abi_max && max >= info->abi_min;
  int is_range = min <= max && DBK_ABI_MAJOR(min) == DBK_ABI_MAJOR(max);
  dbk_status want = !is_range ? DBK_INVALID_ARGUMENT : meets ? DBK_OK : DBK_UNIMPLEMENTED;
  dbk_status status = entry(min, max, &got, why, sizeof why);
  snprintf(text, sizeof text, "host speaks %#x to %#x", min, max);
  TEST_ASSERT_EQUAL_INT32_MESSAGE(want, status, text);
  if (status == DBK_OK) {
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(least(max, info->abi_max), got->abi, text);
  } else {
    TEST_ASSERT_EQUAL_PTR_MESSAGE(POISON, got, text);
    TEST_ASSERT_TRUE_MESSAGE(strlen(why) > 0 && strlen(why) < sizeof why, text);
  }
}

static void every_pair_of_versions(void) {
  for (int i = 0; i < VERSIONS; i++)
    for (int j = 0; j < VERSIONS; j++) one_pair(versions[i], versions[j]);
}

static void refusal_names_both_ranges(void) {
  const dbk_api* got = NULL;
  char why[256] = "";
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, entry(DBK_ABI_1_0, DBK_ABI(2, 3), &got, why, sizeof why));
  TEST_ASSERT_TRUE_MESSAGE(strstr(why, "1.0") != NULL && strstr(why, "2.3") != NULL, why);
  TEST_ASSERT_EQUAL_INT32(DBK_UNIMPLEMENTED, entry(DBK_ABI(7, 1), DBK_ABI(7, 3), &got, why, sizeof why));
  TEST_ASSERT_TRUE_MESSAGE(strstr(why, "7.1") != NULL && strstr(why, "7.3") != NULL, why);
  TEST_ASSERT_TRUE_MESSAGE(strstr(why, "1.0") != NULL, why);
}

/* Text of any capacity ends inside it, with a NUL, in front of an unmapped page. */
static void why_is_never_overrun(void) {
  guard room = guard_new(4096);
  const dbk_api* got = NULL;
  for (uint32_t cap = 0; cap < 256; cap++) {
    char* why = guard_place(&room, cap);
    fault_note("why of capacity", cap);
    TEST_ASSERT_EQUAL_INT32(DBK_UNIMPLEMENTED, entry(DBK_ABI(7, 0), DBK_ABI(7, 0), &got, why, cap));
    TEST_ASSERT_TRUE(guard_intact(&room, why, cap));
    if (cap > 0) TEST_ASSERT_NOT_NULL(memchr(why, '\0', cap));
  }
  TEST_ASSERT_EQUAL_INT32(DBK_UNIMPLEMENTED, entry(DBK_ABI(7, 0), DBK_ABI(7, 0), &got, NULL, 100));
  guard_free(&room);
}

/* Of 1.0, whatever the newest version has: 1.0 is a word of numbers and 40 of pointers. */
static void the_table_is_as_long_as_its_version(void) {
  const dbk_api* got = NULL;
  TEST_ASSERT_EQUAL_INT32(DBK_OK, entry(DBK_ABI_1_0, DBK_ABI_1_0, &got, NULL, 0));
  TEST_ASSERT_EQUAL_UINT32(41 * 8, got->size);
}

static void null_out_api_is_refused(void) {
  char why[64] = "";
  TEST_ASSERT_EQUAL_INT32(DBK_INVALID_ARGUMENT, entry(DBK_ABI_1_0, DBK_ABI_1_0, NULL, why, sizeof why));
  TEST_ASSERT_TRUE(strlen(why) > 0);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void the_same_table_every_time_and_quickly(void) {
  const dbk_api* got = NULL;
  double start = seconds();
  for (int i = 0; i < 1000; i++) TEST_ASSERT_EQUAL_INT32(DBK_OK, entry(DBK_ABI_1_0, DBK_ABI_1_0, &got, NULL, 0));
  TEST_ASSERT_EQUAL_PTR(api, got);
  TEST_ASSERT_TRUE_MESSAGE(seconds() - start < 1, "1000 negotiations took over a second");
}

static void unknown_extensions_are_absent(void) {
  TEST_ASSERT_NULL(api->get_extension("dbk.no_such_thing/1"));
  TEST_ASSERT_NULL(api->get_extension(""));
}

int main(void) {
  void *library, *symbol;
  fault_report_install();
  library = plugin_open(plugin_path(), &api);
  symbol = dlsym(library, "dbk_entry");
  memcpy(&entry, &symbol, sizeof entry);
  UNITY_BEGIN();
  RUN_TEST(every_pair_of_versions);
  RUN_TEST(refusal_names_both_ranges);
  RUN_TEST(why_is_never_overrun);
  RUN_TEST(the_table_is_as_long_as_its_version);
  RUN_TEST(null_out_api_is_refused);
  RUN_TEST(the_same_table_every_time_and_quickly);
  RUN_TEST(unknown_extensions_are_absent);
  return UNITY_END();
}

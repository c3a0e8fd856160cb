/* See cache_files.h. */
#include "cache_files.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

char cache_dir[256];

void cache_begin(void) {
  const char* tmp = getenv("TMPDIR");
  snprintf(cache_dir, sizeof cache_dir, "%s/daybreak_cache_XXXXXX", tmp != NULL ? tmp : "/tmp");
  TEST_ASSERT_NOT_NULL(mkdtemp(cache_dir));
  setenv("DAYBREAK_CACHE_DIR", cache_dir, 1);
}

static int remove_one(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status, (void)kind, (void)place;
  return remove(path);
}
void cache_end(void) {
  nftw(cache_dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  setenv("DAYBREAK_CACHE_DIR", "", 1);
}

/* nftw has no argument for its callback. The paths are collected first: a visit may change the directory. */
enum { FILES = 4096 };
static char* found[FILES];
static int found_count;
static int collect(const char* path, const struct stat* status, int kind, struct FTW* place) {
  (void)status, (void)place;
  if (kind == FTW_F && found_count < FILES) found[found_count++] = strdup(path);
  return 0;
}

int cache_each(cache_visit f, void* arg) {
  found_count = 0;
  nftw(cache_dir, collect, 16, FTW_PHYS);
  for (int i = 0; i < found_count; i++) {
    f(found[i], arg);
    free(found[i]);
  }
  return found_count;
}

static void add_bytes(const char* path, void* sum) {
  struct stat status;
  if (stat(path, &status) == 0) *(uint64_t*)sum += (uint64_t)status.st_size;
}
int cache_count(void) {
  uint64_t ignored = 0;
  return cache_each(add_bytes, &ignored);
}
uint64_t cache_bytes(void) {
  uint64_t sum = 0;
  cache_each(add_bytes, &sum);
  return sum;
}

void cache_write(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
  fputs(text, file);
  fclose(file);
}

void cache_log_line(void* log, uint32_t level, const char* msg, uint64_t len) {
  cache_log* seen = log;
  if (level > DBK_LOG_WARNING) return;
  seen->warnings++;
  snprintf(seen->last, sizeof seen->last, "%.*s", (int)len, msg);
}

uint64_t number_in(const char* json, const char* key) {
  char quoted[64];
  snprintf(quoted, sizeof quoted, "\"%s\":", key);
  const char* at = strstr(json, quoted);
  TEST_ASSERT_NOT_NULL_MESSAGE(at, key);
  return strtoull(at + strlen(quoted), NULL, 10);
}

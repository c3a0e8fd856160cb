/* A cache directory for one test, what lies in it, and what the plugin logs about it. */
#ifndef DAYBREAK_TESTS_CACHE_FILES_H
#define DAYBREAK_TESTS_CACHE_FILES_H

#include <stdint.h>

extern char cache_dir[256]; /* fresh and empty since cache_begin, and what DAYBREAK_CACHE_DIR says */
void cache_begin(void);
void cache_end(void); /* removes it */

/* Calls `f` for each file of cache_dir, at any depth; returns how many there are. */
typedef void (*cache_visit)(const char* path, void* arg);
int cache_each(cache_visit f, void* arg);
int cache_count(void);
uint64_t cache_bytes(void);
void cache_write(const char* path, const char* text); /* the file's new content */

/* A log hook: counts warnings and errors, keeps the last. */
typedef struct cache_log {
  int warnings;
  char last[1024];
} cache_log;
void cache_log_line(void* log, uint32_t level, const char* msg, uint64_t len);

uint64_t number_in(const char* json, const char* key); /* the first member of that name; fails the test where there is none */

#endif

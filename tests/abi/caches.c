/* What drivers compiled is kept in the cache directory: the next context finds it. Files that are damaged, of another
 * version, unreadable or cannot be written cost one line in the log, never a result; processes share the directory, and
 * it does not grow without bounds. On a GPU only: the CPU device keeps nothing. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache_files.h"
#include "harness.h"
#include "mlp.h"

enum { LIMIT = 64 << 20 }; /* bytes that the plugin keeps */

void setUp(void) { cache_begin(); }
void tearDown(void) { cache_end(); }

typedef struct session {
  uint64_t hits, misses, built;
  cache_log log;
} session;

/* A context that compiles the network and gets the right answer. */
static session compute(void) {
  session s = {0};
  dbk_host host = host_desc();
  host.log = cache_log_line, host.user = &s.log;
  dbk_ctx* ctx = ctx_new_with(api, &host);
  dbk_exec* exec = mlp_ready(ctx);
  dbk_run* run = mlp_run_new(exec);
  OK(api->run(run, NULL, NULL, ERR));
  mlp_check(run);
  dbk_report_desc desc = {.hdr = hdr_of(sizeof desc), .exec = exec, .kind = str_of("stats")};
  dbk_text* text = NULL;
  const char* json = NULL;
  uint64_t length = 0;
  OK(api->report(&desc, &text, ERR));
  TEST_ASSERT_EQUAL_INT32(DBK_OK, api->text_get(text, &json, &length));
  s.hits = number_in(json, "blob_cache_hits"), s.misses = number_in(json, "blob_cache_misses");
  s.built = number_in(json, "pipelines_built");
  TEST_ASSERT_GREATER_THAN(0, number_in(json, "graph_nanoseconds"));
  TEST_ASSERT_GREATER_OR_EQUAL(number_in(json, "shader_nanoseconds") + number_in(json, "pipeline_nanoseconds"),
                               number_in(json, "ready_nanoseconds"));
  api->text_destroy(text);
  api->run_destroy(run);
  api->exec_destroy(exec);
  api->ctx_destroy(ctx);
  return s;
}

static void expect_cold(session s, int warnings) {
  TEST_ASSERT_EQUAL_UINT64(0, s.hits);
  TEST_ASSERT_GREATER_THAN(0, s.misses);
  TEST_ASSERT_EQUAL_INT_MESSAGE(warnings, s.log.warnings, s.log.last);
}
static void expect_warm(session s) {
  TEST_ASSERT_GREATER_THAN(0, s.hits);
  TEST_ASSERT_EQUAL_UINT64(0, s.misses);
  TEST_ASSERT_GREATER_THAN(0, s.built); /* from the cache, but built */
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, s.log.warnings, s.log.last);
}

static void the_second_context_finds_what_the_first_compiled(void) {
  expect_cold(compute(), 0);
  TEST_ASSERT_GREATER_THAN(0, cache_count());
  expect_warm(compute());
}

static void truncate_to_half(const char* path, void* arg) {
  struct stat status;
  (void)arg;
  if (stat(path, &status) != 0 || truncate(path, status.st_size / 2) != 0) TEST_FAIL_MESSAGE(path);
}
static void empty(const char* path, void* arg) { (void)arg, cache_write(path, ""); }
static void replace(const char* path, void* arg) { (void)arg, cache_write(path, "kilroy was here\n"); }
static void change_byte(const char* path, off_t at, int whence) {
  char byte;
  int file = open(path, O_RDWR);
  if (file < 0 || lseek(file, at, whence) < 0 || read(file, &byte, 1) != 1) TEST_FAIL_MESSAGE(path);
  byte ^= 1;
  if (lseek(file, at, whence) < 0 || write(file, &byte, 1) != 1) TEST_FAIL_MESSAGE(path);
  close(file);
}
static void flip_last(const char* path, void* arg) { (void)arg, change_byte(path, -1, SEEK_END); }
static void other_version(const char* path, void* arg) { (void)arg, change_byte(path, 15, SEEK_SET); }
/* Everybody gets the file of somebody else: whole, and of another key. */
static void swap_with_last(const char* path, void* last) {
  char copy[512], command[2048];
  snprintf(copy, sizeof copy, "%s", (char*)last);
  snprintf((char*)last, 512, "%s", path);
  if (copy[0] == '\0') return;
  snprintf(command, sizeof command, "mv '%s' '%s.x' && mv '%s' '%s' && mv '%s.x' '%s'", path, path, copy, path, path, copy);
  TEST_ASSERT_EQUAL_INT(0, system(command));
}

static void damaged_files_are_ignored_and_replaced(void) {
  static const struct {
    const char* what;
    cache_visit damage;
  } rows[] = {{"cut", truncate_to_half}, {"empty", empty},           {"text", replace},
              {"byte", flip_last},       {"version", other_version}, {"swapped", swap_with_last}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char last[512] = "";
    compute();
    TEST_ASSERT_GREATER_THAN_MESSAGE(1, cache_each(rows[i].damage, last), rows[i].what);
    session s = compute();
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, s.log.warnings, rows[i].what);
    TEST_ASSERT_TRUE_MESSAGE(mentions(s.log.last, "ignored") && mentions(s.log.last, cache_dir), s.log.last);
    TEST_ASSERT_EQUAL_UINT64_MESSAGE(0, s.hits, rows[i].what);
    expect_warm(compute());
  }
}

static void become_directory(const char* path, void* arg) {
  (void)arg;
  if (remove(path) != 0 || mkdir(path, 0700) != 0) TEST_FAIL_MESSAGE(path);
}
static void files_that_cannot_be_read_or_replaced(void) {
  compute();
  cache_each(become_directory, NULL);
  expect_cold(compute(), 2); /* one line about reading, one about writing */
}

/* Not by permissions, which do not bind root. */
static void a_directory_that_cannot_be_written(void) {
  static const char* const paths[] = {"/proc/daybreak", "/proc/version", "/dev/null/daybreak"};
  for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
    setenv("DAYBREAK_CACHE_DIR", paths[i], 1);
    session s = compute();
    expect_cold(s, 1);
    TEST_ASSERT_TRUE_MESSAGE(mentions(s.log.last, paths[i]), s.log.last);
  }
}

static void let_all_write(const char* path, void* arg) { (void)arg, TEST_ASSERT_EQUAL_INT(0, chmod(path, 0666)); }
static void only_what_nobody_else_may_write_is_believed(void) {
  char folder[300];
  struct stat status;
  const mode_t mask = umask(0);
  expect_cold(compute(), 0);
  umask(mask);
  snprintf(folder, sizeof folder, "%s/pipelines", cache_dir);
  TEST_ASSERT_EQUAL_INT(0, stat(folder, &status));
  TEST_ASSERT_EQUAL_HEX(0700, status.st_mode & 0777);
  expect_warm(compute());
  TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0777));
  expect_cold(compute(), 1);
  TEST_ASSERT_EQUAL_INT(0, chmod(folder, 0700));
  cache_each(let_all_write, NULL);
  expect_cold(compute(), 1);
}

static void the_default_is_the_users_cache_and_empty_is_off(void) {
  char home[300];
  snprintf(home, sizeof home, "%s/home", cache_dir);
  setenv("XDG_CACHE_HOME", home, 1);
  setenv("DAYBREAK_CACHE_DIR", "", 1);
  compute();
  compute();
  TEST_ASSERT_EQUAL_INT(0, cache_count());
  setenv("DAYBREAK_CACHE_DIR", "auto", 1);
  expect_cold(compute(), 0);
  expect_warm(compute());
  snprintf(home, sizeof home, "%s/home/daybreak", cache_dir);
  TEST_ASSERT_EQUAL_INT(0, access(home, F_OK));
  setenv("XDG_CACHE_HOME", "not/absolute", 1); /* which counts as unset */
  unsetenv("HOME");
  compute();
  TEST_ASSERT_NOT_EQUAL(0, access("not", F_OK));
  unsetenv("XDG_CACHE_HOME");
}

static void paths_are_absolute(void) {
  dbk_host host = host_desc();
  dbk_kv item = kv_string("cache_dir", "relative/path");
  dbk_options options = options_of(&item, 1);
  dbk_ctx* made = NULL;
  FAILS(DBK_INVALID_ARGUMENT, "cache_dir&relative/path", api->ctx_create(&host, &options, &made, ERR));
}

static void processes_share_it(void) {
  enum { PROCESSES = 4, ROUNDS = 3 };
  pid_t children[PROCESSES];
  fflush(NULL);
  for (int i = 0; i < PROCESSES; i++) {
    children[i] = fork();
    if (children[i] != 0) continue;
    int wrong = 0;
    for (int round = 0; round < ROUNDS; round++) wrong += mlp_session(api, NULL) != 0;
    _exit(wrong);
  }
  for (int i = 0; i < PROCESSES; i++) {
    int status = -1;
    waitpid(children[i], &status, 0);
    TEST_ASSERT_EQUAL_INT(0, status);
  }
  expect_warm(compute());
}

static void old_files_make_room(void) {
  char path[400];
  const struct timespec long_ago[2] = {{1, 0}, {1, 0}};
  snprintf(path, sizeof path, "%s/pipelines", cache_dir);
  TEST_ASSERT_EQUAL_INT(0, mkdir(path, 0700));
  for (int i = 0; i < LIMIT >> 20; i++) {
    snprintf(path, sizeof path, "%s/pipelines/%d", cache_dir, i);
    cache_write(path, "");
    if (truncate(path, 1 << 20) != 0 || utimensat(AT_FDCWD, path, long_ago, 0) != 0) TEST_FAIL_MESSAGE(path);
  }
  expect_cold(compute(), 0);
  TEST_ASSERT_LESS_OR_EQUAL(LIMIT, cache_bytes());
  TEST_ASSERT_GREATER_THAN(LIMIT / 2, cache_bytes());
  expect_warm(compute());
}

int main(void) {
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(the_second_context_finds_what_the_first_compiled);
  RUN_TEST(damaged_files_are_ignored_and_replaced);
  RUN_TEST(files_that_cannot_be_read_or_replaced);
  RUN_TEST(a_directory_that_cannot_be_written);
  RUN_TEST(only_what_nobody_else_may_write_is_believed);
  RUN_TEST(the_default_is_the_users_cache_and_empty_is_off);
  RUN_TEST(paths_are_absolute);
  RUN_TEST(processes_share_it);
  RUN_TEST(old_files_make_room);
  return UNITY_END();
}

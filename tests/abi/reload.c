/* Test 8: load, use, destroy, close, a thousand times: the process ends up holding what it held after the warm-up.
 * Where the plugin was linked without -z nodelete (asan preset), it must be gone from the address space each time.
 * usage: reload ROUNDS [unloads] */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "mlp.h"
#include "process.h"

static int rounds, unloads;

static void one_round(void) {
  const dbk_api* table;
  void* library = plugin_open(plugin_path(), &table);
  api = table;
  TEST_ASSERT_EQUAL_INT_MESSAGE(0, mlp_session(table, "reload"), "the session failed or computed something else");
  TEST_ASSERT_EQUAL_INT(0, dlclose(library));
  if (unloads) TEST_ASSERT_FALSE_MESSAGE(is_mapped(plugin_path()), "still mapped after dlclose");
}

static void expect_flat(holdings before, holdings after) {
  char text[256];
  int sanitized = api != NULL && !unloads && api->info->sanitizer != DBK_SANITIZER_NONE;
  snprintf(text, sizeof text, "rss %ld -> %ld kB, maps %ld -> %ld, fds %ld -> %ld, threads %ld -> %ld", before.rss_kb,
           after.rss_kb, before.maps, after.maps, before.fds, after.fds, before.threads, after.threads);
  TEST_MESSAGE(text);
  TEST_ASSERT_EQUAL_INT_MESSAGE(before.fds, after.fds, text);
  TEST_ASSERT_EQUAL_INT_MESSAGE(before.threads, after.threads, text);
  /* A sanitizer keeps freed memory and what it knows about it; it finds leaks in its own way. */
  if (sanitized || unloads) return;
  /* The allocator may take or give back a heap of its own now and then: 16 mappings and 2 MB are not a trend over
   * hundreds of rounds, where leaking as little as one page per round would show. */
  TEST_ASSERT_TRUE_MESSAGE(after.maps <= before.maps + 16, text);
  TEST_ASSERT_TRUE_MESSAGE(after.rss_kb <= before.rss_kb + 2048, text);
}

/* What is held after each round, at the least over some rounds: free memory that the allocator of a driver's threads
 * keeps for a while comes and goes, what leaks stays. */
static holdings least_over(int count) {
  holdings least = {0};
  for (int i = 0; i < count; i++) {
    one_round();
    malloc_trim(0);
    holdings now = holdings_now();
    if (i > 0 && now.rss_kb > least.rss_kb) now.rss_kb = least.rss_kb;
    least = now;
  }
  return least;
}

static void holdings_stay_flat(void) {
  int window = rounds / 5 > 5 ? rounds / 5 : 5;
  for (int i = 0; i < window; i++) one_round(); /* warm-up */
  holdings before = least_over(window);
  for (int i = 0; i < rounds; i++) one_round();
  expect_flat(before, least_over(window));
}

/* Without any device work between: entry alone must leave nothing either. */
static void loading_alone_stays_flat(void) {
  holdings before;
  const dbk_api* table;
  for (int i = 0; i < 20; i++) dlclose(plugin_open(plugin_path(), &table));
  before = holdings_now();
  for (int i = 0; i < rounds; i++) dlclose(plugin_open(plugin_path(), &table));
  expect_flat(before, holdings_now());
}

int main(int argc, char** argv) {
  dbk_ctx* ctx;
  rounds = argc > 1 ? atoi(argv[1]) : 1000;
  unloads = argc > 2 && strcmp(argv[2], "unloads") == 0;
  if (on_gpu()) { /* skip or fail before the rounds where there is no GPU */
    plugin_load();
    ctx = ctx_new();
    api->ctx_destroy(ctx);
  }
  UNITY_BEGIN();
  RUN_TEST(loading_alone_stays_flat);
  RUN_TEST(holdings_stay_flat);
  return UNITY_END();
}

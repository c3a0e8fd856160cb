/* See guard.h. */
#include "guard.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t whole_pages(size_t bytes) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (bytes + page - 1) / page * page;
}

static void* map_pages(size_t bytes) {
  void* pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) {
    perror("mmap");
    exit(1);
  }
  return pages;
}

guard guard_new(size_t room) {
  guard g;
  g.room = whole_pages(room + 64); /* some canary in front of the largest object */
  g.base = map_pages(g.room + whole_pages(1));
  if (mprotect(g.base + g.room, whole_pages(1), PROT_NONE) != 0) exit(1);
  return g;
}

void guard_free(guard* g) { munmap(g->base, g->room + whole_pages(1)); }

void* guard_place(const guard* g, size_t size) {
  memset(g->base, GUARD_FILL, g->room);
  return g->base + g->room - (size + 7) / 8 * 8;
}

int guard_intact(const guard* g, const void* at, size_t size) {
  const unsigned char *p = g->base, *end = g->base + g->room, *first = at;
  for (; p < end; p++)
    if ((p < first || p >= first + size) && *p != GUARD_FILL) return 0;
  return 1;
}

void* pages_copy(const void* data, size_t bytes) { return memcpy(map_pages(whole_pages(bytes)), data, bytes); }

void pages_poison(void* pages, size_t bytes) { memset(pages, 0x7F, whole_pages(bytes)); }

void pages_lock(void* pages, size_t bytes) {
  if (mprotect(pages, whole_pages(bytes), PROT_NONE) != 0) exit(1);
}

void pages_unlock(void* pages, size_t bytes) {
  if (mprotect(pages, whole_pages(bytes), PROT_READ | PROT_WRITE) != 0) exit(1);
}

void pages_release(void* pages, size_t bytes) { munmap(pages, whole_pages(bytes)); }

/* ---- faults ---- */

static char note[128];

void fault_note(const char* what, size_t number) { snprintf(note, sizeof note, "%s %zu", what, number); }

static void on_fault(int signal_number) {
  static const char text[] = "\na fault while the plugin handled: ";
  (void)signal_number;
  if (write(STDOUT_FILENO, text, sizeof text - 1) < 0 || write(STDOUT_FILENO, note, strlen(note)) < 0 ||
      write(STDOUT_FILENO, "\n", 1) < 0)
    _exit(2);
  _exit(1);
}

void fault_report_install(void) {
  signal(SIGSEGV, on_fault);
  signal(SIGBUS, on_fault);
}

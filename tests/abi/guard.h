/* Memory that ends at an unmapped page, and memory that can be taken away: every access outside the allowed range or
 * after the allowed time is a fault, which is reported with a note of what was being tried. */
#ifndef DAYBREAK_TESTS_GUARD_H
#define DAYBREAK_TESTS_GUARD_H

#include <stddef.h>

typedef struct guard {
  unsigned char* base;
  size_t room; /* usable bytes in front of the unmapped page */
} guard;

guard guard_new(size_t room);
void guard_free(guard* g);
/* `size` bytes whose end is the unmapped page, but for the up to 7 bytes that keep the start aligned to 8.
 * Everything in front of and behind them is filled with GUARD_FILL. */
#define GUARD_FILL 0xC5
void* guard_place(const guard* g, size_t size);
/* True where nothing outside [at, at + size) has changed since guard_place. */
int guard_intact(const guard* g, const void* at, size_t size);

/* A page-aligned copy of `bytes` bytes, and the three ways to take memory away. */
void* pages_copy(const void* data, size_t bytes);
void pages_poison(void* pages, size_t bytes);  /* other numbers */
void pages_lock(void* pages, size_t bytes);    /* faults when touched */
void pages_unlock(void* pages, size_t bytes);  /* back again */
void pages_release(void* pages, size_t bytes); /* gone */

/* Installs a handler that prints the note and fails the process; a fault is otherwise only "Segmentation fault". */
void fault_report_install(void);
void fault_note(const char* what, size_t number);

#endif

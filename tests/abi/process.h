/* Child processes with a deadline and their output, and what a process holds: memory, mappings, files, threads. */
#ifndef DAYBREAK_TESTS_PROCESS_H
#define DAYBREAK_TESTS_PROCESS_H

#include <stddef.h>

#define CHILD_TIMEOUT (-1000)
#define CHILD_FAILED 99 /* exit status of a child in which a check failed */

/* Forks, runs `body(arg)` in the child and ends the child with exit(result). Returns the exit status, minus the signal
 * that ended it, or CHILD_TIMEOUT (the child is killed then). What reached stdout and stderr is in `output`, cut at
 * cap. */
extern int child_leaves_quickly; /* end children with _exit, past the exit handlers of libraries */
int child_run(int (*body)(void* arg), void* arg, double seconds, char* output, size_t cap);

typedef struct holdings {
  long rss_kb, maps, fds, threads;
} holdings;
holdings holdings_now(void);
int is_mapped(const char* path); /* any page of that file, by its real path */

double seconds_now(void);

#endif

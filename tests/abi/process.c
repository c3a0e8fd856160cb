/* See process.h. Linux: everything is read from /proc/self. */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <unity.h>

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int child_leaves_quickly;

/* A failed check in the child must end it: by default it would jump back into the parent's copy of the test runner. */
static void become_child(int (*body)(void*), void* arg, int pipe_end) {
  volatile int code = CHILD_FAILED;
  dup2(pipe_end, STDOUT_FILENO);
  dup2(pipe_end, STDERR_FILENO);
  close(pipe_end);
  Unity.CurrentTestFailed = 0;
  if (TEST_PROTECT()) code = body(arg);
  if (Unity.CurrentTestFailed) code = CHILD_FAILED;
  fflush(NULL);
  if (child_leaves_quickly) _exit(code);
  exit(code);
}

/* Collects output until the child closes the pipe; false when the deadline comes first. */
static int drain(int fd, double deadline, char* output, size_t cap) {
  char bytes[512];
  size_t used = 0;
  ssize_t n = 1;
  while (n != 0) {
    struct pollfd ready = {fd, POLLIN, 0};
    double left = deadline - seconds_now();
    if (left <= 0 || poll(&ready, 1, (int)(left * 1000) + 1) == 0) return 0;
    n = read(fd, bytes, sizeof bytes);
    if (n < 0 && errno != EINTR) break;
    for (ssize_t i = 0; i < n && used + 1 < cap; i++) output[used++] = bytes[i];
    if (cap > 0) output[used] = '\0';
  }
  return 1;
}

/* The pipe may close before the process is gone (or stay open in a grandchild), so the end is awaited on its own. */
static int await_end(pid_t child, double deadline) {
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (seconds_now() > deadline) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return CHILD_TIMEOUT;
    }
    usleep(1000);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int child_run(int (*body)(void* arg), void* arg, double seconds, char* output, size_t cap) {
  int ends[2];
  double deadline = seconds_now() + seconds;
  if (cap > 0) output[0] = '\0';
  fflush(NULL); /* else buffered text would be printed by both processes */
  if (pipe(ends) != 0) return CHILD_TIMEOUT;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    become_child(body, arg, ends[1]);
  }
  close(ends[1]);
  if (!drain(ends[0], deadline, output, cap)) deadline = 0;
  close(ends[0]);
  return await_end(child, deadline);
}

/* ---- what this process holds ---- */

static long count_entries(const char* path) {
  DIR* dir = opendir(path);
  long count = 0;
  while (dir != NULL && readdir(dir) != NULL) count++;
  if (dir != NULL) closedir(dir);
  return count;
}

static long status_field(const char* name) {
  char line[256];
  long value = -1;
  FILE* file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, name, strlen(name)) == 0) value = strtol(line + strlen(name), NULL, 10);
  if (file != NULL) fclose(file);
  return value;
}

/* Number of lines of /proc/self/maps that contain `part`. */
static long count_maps(const char* part) {
  char line[4096];
  long count = 0;
  FILE* file = fopen("/proc/self/maps", "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) count += strstr(line, part) != NULL;
  if (file != NULL) fclose(file);
  return count;
}

holdings holdings_now(void) {
  return (holdings){.rss_kb = status_field("VmRSS:"),
                    .maps = count_maps(""),
                    .fds = count_entries("/proc/self/fd"),
                    .threads = status_field("Threads:")};
}

int is_mapped(const char* path) {
  char* real = realpath(path, NULL);
  int mapped = real != NULL && count_maps(real) > 0;
  free(real);
  return mapped;
}

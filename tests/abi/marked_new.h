/* operator new and delete of a program that has its own, as hosts with tcmalloc or jemalloc do. Blocks carry a mark in
 * front of them, so that one which was not made here, or not by the form that frees it, is noticed; and none of them is
 * an address that malloc gave, so that glibc ends a process which frees one behind our back. */
#ifndef DAYBREAK_TESTS_MARKED_NEW_H
#define DAYBREAK_TESTS_MARKED_NEW_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct marked_counts {
  uint64_t made, freed;
  uint64_t made_aligned; /* of those made */
  uint64_t strangers;    /* blocks given to delete that the matching new did not make; they are kept */
} marked_counts;

marked_counts marked_now(void);
void marked_refuse(int on); /* while on, there is no memory */
/* Refuses the allocation after the next `n` ones, and no other; n < 0: none. Returns whether the one asked for before was refused. */
int marked_refuse_one(long n);

#ifdef __cplusplus
}
#endif

#endif

/* Test 5: prints size and alignment of every struct and offset and size of every member, as this compiler sees them.
 * layout.cpp is the same program for a C++ compiler; both must print the committed layout/<version>.txt.
 * Fails by itself where members leave a gap: then the header has padding, or layout.inc lacks a member. */
#include <daybreak.h>
#include <stddef.h>
#include <stdio.h>

typedef struct layout_row {
  const char *owner, *member; /* member NULL: the struct itself */
  size_t at, size;            /* offset and size; of a struct: size and alignment */
} layout_row;

#define STRUCT(type) {#type, NULL, sizeof(type), __alignof__(type)},
#define FIELD(type, name) {#type, #name, offsetof(type, name), sizeof(((type*)0)->name)},
static const layout_row rows[] = {
#include "layout.inc"
};

static int gap(const char* owner, size_t used, size_t next) {
  if (used == next) return 0;
  fprintf(stderr, "%s: members fill %zu bytes, then the next thing is at %zu\n", owner, used, next);
  return 1;
}

int main(void) {
  size_t used = 0, size = 0;
  const char* owner = "";
  int failed = 0;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const layout_row* row = &rows[i];
    if (row->member == NULL) {
      failed |= gap(owner, used, size);
      owner = row->owner, size = row->at, used = 0;
      printf("%s %zu %zu\n", row->owner, row->at, row->size);
    } else {
      failed |= gap(owner, used, row->at);
      used += row->size;
      printf("%s.%s %zu %zu\n", row->owner, row->member, row->at, row->size);
    }
  }
  return failed | gap(owner, used, size);
}

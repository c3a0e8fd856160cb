/* Test 3: a host of any age is understood. Every struct is handed over with every size from 0 to twice its own, in
 * front of an unmapped page: too short is refused, an unknown tail must be zero, and nothing outside the struct is
 * read or written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "harness.h"
#include "sweep.h"

typedef union any_struct { /* room for each in-struct */
  uint64_t words[64];
  dbk_hdr hdr;
} any_struct;

static guard room;

void setUp(void) {
  room = guard_new(8192);
  sweep_fixture_open();
}

void tearDown(void) {
  sweep_fixture_close();
  guard_free(&room);
}

static void expect(dbk_status want, dbk_status got, const char* name, size_t size) {
  char text[160];
  if (want == got) return;
  snprintf(text, sizeof text, "%s with %zu bytes: wanted %s, got %s", name, size, status_name(want), status_name(got));
  TEST_FAIL_MESSAGE(text);
}

/* The size word itself is always readable, whatever it says. */
static void* place_struct(const sweep_struct* row, size_t size, const void* valid) {
  uint32_t stated = (uint32_t)size;
  unsigned char* p = guard_place(&room, size < sizeof stated ? sizeof stated : size);
  memcpy(p, valid, size < row->size ? size : row->size);
  if (size > row->size) memset(p + row->size, 0, size - row->size);
  memcpy(p, &stated, sizeof stated);
  return p;
}

static void sweep_struct_sizes(const sweep_struct* row) {
  any_struct valid;
  TEST_ASSERT_LESS_OR_EQUAL_size_t(sizeof valid, row->size);
  for (size_t size = 0; size <= 2 * row->size; size++) {
    row->fill(&valid);
    unsigned char* p = place_struct(row, size, &valid);
    fault_note(row->name, size);
    expect(size < row->size ? DBK_INVALID_ARGUMENT : DBK_OK, row->call(p), row->name, size);
    if (size <= row->size) continue;
    p[size - 1] = 1;
    expect(DBK_UNIMPLEMENTED, row->call(p), row->name, size);
    p[size - 1] = 0;
    p[row->size] = 1;
    expect(DBK_UNIMPLEMENTED, row->call(p), row->name, size);
  }
}

static void in_structs_of_every_size(void) {
  for (size_t i = 0; i < sweep_struct_count; i++) sweep_struct_sizes(&sweep_structs[i]);
}

static void sweep_strides(const sweep_array* row) {
  uint32_t count;
  for (size_t stride = 0; stride <= 2 * row->size; stride++) {
    const unsigned char* valid = row->elements(&count);
    unsigned char* p = guard_place(&room, count * stride);
    if (stride > 0) memset(p, 0, count * stride);
    for (uint32_t i = 0; i < count; i++)
      memcpy(p + i * stride, valid + i * row->size, stride < row->size ? stride : row->size);
    fault_note(row->name, stride);
    expect(stride < row->size ? DBK_INVALID_ARGUMENT : DBK_OK, row->call(p, (uint32_t)stride), row->name, stride);
    if (stride <= row->size) continue;
    p[count * stride - 1] = 1; /* in the last element only: every one is looked at */
    expect(DBK_UNIMPLEMENTED, row->call(p, (uint32_t)stride), row->name, stride);
  }
}

static void array_elements_of_every_stride(void) {
  for (size_t i = 0; i < sweep_array_count; i++) sweep_strides(&sweep_arrays[i]);
}

/* Shorter than ABI 1.0: either refused or filled as far as it goes, but never beyond. */
static void sweep_out_sizes(const sweep_out* row) {
  for (size_t size = 0; size <= 2 * row->size; size++) {
    size_t mine = size < sizeof(uint32_t) ? sizeof(uint32_t) : size;
    unsigned char* p = guard_place(&room, mine);
    uint32_t stated = (uint32_t)size;
    memset(p, 0, mine);
    memcpy(p, &stated, sizeof stated);
    fault_note(row->name, size);
    dbk_status status = row->call(p);
    TEST_ASSERT_TRUE_MESSAGE(guard_intact(&room, p, mine), row->name);
    memcpy(&stated, p, sizeof stated);
    if (status == DBK_OK) TEST_ASSERT_LESS_OR_EQUAL_size_t_MESSAGE(size, stated, row->name);
    if (size >= row->size) {
      expect(DBK_OK, status, row->name, size);
      TEST_ASSERT_EQUAL_size_t_MESSAGE(row->size, stated, row->name);
    } else if (size < sizeof(dbk_hdr) || status != DBK_OK) {
      expect(DBK_INVALID_ARGUMENT, status, row->name, size);
      TEST_ASSERT_EQUAL_size_t_MESSAGE(size, stated, row->name); /* a failing call leaves the struct alone */
    }
  }
}

static void out_structs_of_every_size(void) {
  for (size_t i = 0; i < sweep_out_count; i++) sweep_out_sizes(&sweep_outs[i]);
}

static void flags_are_refused(void) {
  any_struct valid;
  for (size_t i = 0; i < sweep_struct_count; i++) {
    const sweep_struct* row = &sweep_structs[i];
    row->fill(&valid);
    valid.hdr.flags = 0x40000000u;
    dbk_status status = row->call(&valid);
    /* The header says "must be zero" and leaves open which of the two refusals it is. */
    TEST_ASSERT_TRUE_MESSAGE(status == DBK_INVALID_ARGUMENT || status == DBK_UNIMPLEMENTED, row->name);
  }
}

/* An uninitialised size must not make the plugin look through memory for a tail that is not zero. */
static void absurd_sizes_are_refused(void) {
  any_struct valid;
  for (size_t i = 0; i < sweep_struct_count; i++) {
    sweep_structs[i].fill(&valid);
    valid.hdr.size = 65537;
    expect(DBK_INVALID_ARGUMENT, sweep_structs[i].call(&valid), sweep_structs[i].name, 65537);
  }
}

static void out_headers_are_zero(void) {
  const dbk_chain link = {NULL, 0x1234, sizeof link};
  for (size_t i = 0; i < sweep_out_count; i++) {
    const sweep_out* row = &sweep_outs[i];
    dbk_hdr* hdr = calloc(1, row->size);
    *hdr = (dbk_hdr){(uint32_t)row->size, 1, NULL};
    expect(DBK_INVALID_ARGUMENT, row->call(hdr), row->name, 1);
    *hdr = (dbk_hdr){(uint32_t)row->size, 0, &link};
    expect(DBK_INVALID_ARGUMENT, row->call(hdr), row->name, 2);
    *hdr = (dbk_hdr){65537, 0, NULL};
    expect(DBK_INVALID_ARGUMENT, row->call(hdr), row->name, 65537);
    free(hdr);
  }
}

static dbk_status call_with_chain(const sweep_struct* row, const dbk_chain* chain) {
  any_struct valid;
  row->fill(&valid);
  valid.hdr.next = chain;
  return row->call(&valid);
}

static void chains_follow_the_rules(void) {
  dbk_chain optional = {NULL, 0x1234, sizeof optional},
            required = {&optional, DBK_CHAIN_REQUIRED | 0x1235, sizeof required};
  dbk_chain two = {&optional, 0x1236, sizeof two}, repeated = {&optional, 0x1234, sizeof repeated},
            loop = {&loop, 0x1237, sizeof loop};
  for (size_t i = 0; i < sweep_struct_count; i++) {
    const sweep_struct* row = &sweep_structs[i];
    fault_note(row->name, 0);
    expect(DBK_OK, call_with_chain(row, &optional), row->name, 1);
    expect(DBK_OK, call_with_chain(row, &two), row->name, 2);
    expect(DBK_UNIMPLEMENTED, call_with_chain(row, &required), row->name, 3);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(DBK_OK, call_with_chain(row, &repeated), row->name);
    TEST_ASSERT_NOT_EQUAL_MESSAGE(DBK_OK, call_with_chain(row, &loop), row->name);
  }
}

int main(void) {
  fault_report_install();
  plugin_load();
  UNITY_BEGIN();
  RUN_TEST(in_structs_of_every_size);
  RUN_TEST(array_elements_of_every_stride);
  RUN_TEST(out_structs_of_every_size);
  RUN_TEST(flags_are_refused);
  RUN_TEST(absurd_sizes_are_refused);
  RUN_TEST(out_headers_are_zero);
  RUN_TEST(chains_follow_the_rules);
  return UNITY_END();
}

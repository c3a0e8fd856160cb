// Line breaks of text for people.
#include "terminal.h"

#include <fcntl.h>
#include <unistd.h>
#include <unity.h>

extern "C" void setUp() {}
extern "C" void tearDown() {}

namespace {

using host::wrapped;

void expect(const char* wanted, const std::string& got) { TEST_ASSERT_EQUAL_STRING(wanted, got.c_str()); }

void test_text_that_fits_stays() {
  expect("a bc", wrapped("a bc", 6, 2));
  expect("", wrapped("", 6, 2));
}

void test_no_width_means_no_breaks() {
  expect("one two three", wrapped("one two three", 0, 2));
  expect("one two three", wrapped("one two three", 2, 2));
}

void test_breaks_after_commas_first() {
  expect("f16, a b,\n  c d e", wrapped("f16, a b, c d e", 12, 2));
  expect("1234567890,\n  b", wrapped("1234567890, b", 13, 2));
}

void test_breaks_at_spaces_else() {
  expect("one two\n  three", wrapped("one two three", 11, 2));
  expect("one\n  two", wrapped("one two", 5, 2));
}

void test_long_words_stay_whole() {
  expect("abcdefgh\n  i", wrapped("abcdefgh i", 5, 2));
  expect("abcdefgh", wrapped("abcdefgh", 5, 2));
}

void test_a_file_has_no_width() {
  const int file = open("/dev/null", O_WRONLY);
  TEST_ASSERT_EQUAL_size_t(0, host::terminal_width(file));
  close(file);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_text_that_fits_stays);
  RUN_TEST(test_no_width_means_no_breaks);
  RUN_TEST(test_breaks_after_commas_first);
  RUN_TEST(test_breaks_at_spaces_else);
  RUN_TEST(test_long_words_stay_whole);
  RUN_TEST(test_a_file_has_no_width);
  return UNITY_END();
}

// Test 2: today's loader (daybreak.hpp) against plugins of every frozen version and against a fake one that speaks any
// range of versions or misbehaves: it works or refuses with text, and never crashes.
// usage: loader FAKE_PLUGIN...   (one per frozen header; the last one is also used for the ranges)
#include <unity.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "daybreak.hpp"

namespace {

int fake_count;
char** fakes;

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void clear() {
  for (const char* name : {"FAKE_MIN", "FAKE_MAX", "FAKE_FAULT"}) unsetenv(name);
}

// Empty: loaded. Else the text of the refusal; "(no text)" where that is empty, which no test accepts.
std::string refusal(const std::string& path) {
  try {
    daybreak::Plugin plugin = daybreak::Plugin::load(path);
    if (plugin.api().abi != DBK_ABI_1_0) return "(no text)";
    return "";
  } catch (const daybreak::Error& error) {
    return error.what()[0] ? error.what() : "(no text)";
  }
}

void every_frozen_plugin_loads() {
  TEST_ASSERT_TRUE_MESSAGE(fake_count > 0, "no fake plugin given");
  for (int i = 0; i < fake_count; i++) {
    TEST_ASSERT_EQUAL_STRING("", refusal(fakes[i]).c_str());
    daybreak::Plugin plugin = daybreak::Plugin::load(fakes[i]);
    TEST_ASSERT_EQUAL_STRING("fake", plugin.info().id);
    daybreak::Context context(plugin);
  }
}

void every_range_works_or_is_refused_with_text() {
  const uint32_t versions[] = {0,          DBK_ABI(0, 9), DBK_ABI_1_0, DBK_ABI(1, 1), DBK_ABI(1, 65535), DBK_ABI(2, 0),
                               0xFFFFFFFFu};
  for (uint32_t min : versions) {
    for (uint32_t max : versions) {
      if (min > max) continue;
      set("FAKE_MIN", std::to_string(min));
      set("FAKE_MAX", std::to_string(max));
      const bool speaks_ours = min <= DBK_ABI_1_0 && DBK_ABI_1_0 <= max;
      const std::string text = refusal(fakes[fake_count - 1]);
      TEST_ASSERT_TRUE_MESSAGE(speaks_ours == text.empty() && text != "(no text)", text.c_str());
    }
  }
}

void misbehaviour_is_refused_with_text() {
  for (const char* fault : {"null", "short", "version", "mute"}) {
    set("FAKE_FAULT", fault);
    const std::string text = refusal(fakes[fake_count - 1]);
    TEST_ASSERT_TRUE_MESSAGE(!text.empty() && text != "(no text)", fault);
  }
}

void files_that_are_no_plugin_are_named() {
  const std::string missing = "/no/such/plugin.so", text = fakes[-1];  // argv[0]: a program, not a library
  TEST_ASSERT_TRUE(refusal(missing).find(missing) != std::string::npos);
  TEST_ASSERT_TRUE(refusal(text).find(text) != std::string::npos);
  TEST_ASSERT_TRUE_MESSAGE(refusal("libm.so.6").find("dbk_entry") != std::string::npos, refusal("libm.so.6").c_str());
}

}  // namespace

extern "C" void setUp() { clear(); }
extern "C" void tearDown() {}

int main(int argc, char** argv) {
  fake_count = argc - 1;
  fakes = argv + 1;
  UNITY_BEGIN();
  RUN_TEST(every_frozen_plugin_loads);
  RUN_TEST(every_range_works_or_is_refused_with_text);
  RUN_TEST(misbehaviour_is_refused_with_text);
  RUN_TEST(files_that_are_no_plugin_are_named);
  return UNITY_END();
}

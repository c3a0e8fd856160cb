// Checks that something throws daybreak::Error with a given status and says why.
#pragma once

#include <unity.h>

#include <string>

#include "daybreak_error.hpp"

template <class Action>
void expect_error(dbk_status want, Action action) {
  dbk_status got = DBK_OK;
  std::string text;
  try {
    action();
  } catch (const daybreak::Error& error) {
    got = error.status();
    text = error.what();
  }
  const std::string message =
      "wanted " + daybreak::status_name(want) + ", got " + daybreak::status_name(got) + " " + text;
  TEST_ASSERT_TRUE_MESSAGE(want == got, message.c_str());
  TEST_ASSERT_TRUE_MESSAGE(text.size() > daybreak::status_name(want).size(), "the error has no text");
}

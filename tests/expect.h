// For tests with Unity.
#pragma once

#include <unity.h>

#include <string>

inline void expect(bool holds, const std::string& text) { TEST_ASSERT_TRUE_MESSAGE(holds, text.c_str()); }

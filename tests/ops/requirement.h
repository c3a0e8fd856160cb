// Checks of C++ tests. One that fails throws, so that objects are destroyed; Unity's assertions leave by longjmp and
// would not. Whoever runs a test turns the exception into Unity's failure where no object is alive.
#pragma once

#include <format>
#include <stdexcept>
#include <utility>

namespace ops {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Args>
void require(bool holds, std::format_string<Args...> text, Args&&... args) {
  if (!holds) throw Failure(std::format(text, std::forward<Args>(args)...));
}

template <class A, class B>
void require_equal(const A& actual, const B& expected, const char* what) {
  require(actual == expected, "{} is {}, not {}", what, actual, expected);
}

}  // namespace ops

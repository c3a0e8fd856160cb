// What all generators of programs share: one line of text, the names of components of vectors.
#pragma once

#include <format>
#include <string>
#include <string_view>
#include <utility>

namespace dbk::gpu {

inline constexpr std::string_view kComponents[] = {"x", "y", "z", "w"};

template <class... Args>
void add_line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

}  // namespace dbk::gpu

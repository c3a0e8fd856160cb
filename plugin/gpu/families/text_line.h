// One line of generated text, for all generators of programs.
#pragma once

#include <format>
#include <string>
#include <utility>

namespace dbk::gpu {

template <class... Args>
void add_line(std::string& text, std::format_string<Args...> form, Args&&... args) {
  text += std::format(form, std::forward<Args>(args)...);
  text += '\n';
}

}  // namespace dbk::gpu

// What the system says about a file, as an error of ours.
#pragma once

#include <filesystem>

namespace host {

// Throws daybreak::Error: the file's name, the text of `code` (errno) and the status that fits.
[[noreturn]] void fail_file(const std::filesystem::path& path, int code);

}  // namespace host

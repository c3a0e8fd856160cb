// Files that are there whole or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <span>

namespace host {

// Writes the parts one after the other under another name and renames that: whatever fails, a file that was there stays as it is, and none is
// left half written. Throws daybreak::Error naming `path` and the reason.
void write_whole_file(const std::filesystem::path& path, std::initializer_list<std::span<const std::byte>> parts);

}  // namespace host

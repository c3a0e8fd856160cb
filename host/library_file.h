// A look at a shared library before it is loaded: dlopen maps what the headers of a file promise, and a file that is shorter ends the process
// with a bus error.
#pragma once

#include <string>

namespace host {

// Throws daybreak::Error naming the file unless it is a regular file, an ELF library for the machine this program runs on, and as long as its
// headers say.
void check_library_file(const std::string& path);

}  // namespace host

// The sentences of the embedding demo: the lines of standard input where there are any, else a few built-in ones.
#pragma once

#include <string>
#include <vector>

namespace host {

struct Sentences {
  std::vector<std::string> texts;
  bool built_in = false;
};

// Reads to the end of the file, without blank lines. A terminal is not read, and neither is a pipe that stays silent
// for two seconds: programs often start others with a pipe that nobody writes to. Throws when there is more than the
// demo handles.
Sentences read_sentences(int descriptor);

}  // namespace host

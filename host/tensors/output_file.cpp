// See output_file.h.
#include "output_file.h"

#include <set>

namespace host {
namespace {

constexpr std::size_t longest = 200;  // bytes; file systems allow 255

std::string safe(std::string name) {
  for (char& c : name) {
    if (c == '/' || c == '\0') c = '_';
  }
  if (name.size() <= longest) return name;
  std::size_t end = longest;
  while ((static_cast<unsigned char>(name[end]) & 0xC0u) == 0x80u) --end;  // not inside a character
  return name.substr(0, end);
}

}  // namespace

std::vector<std::string> output_files(const std::vector<std::string>& outputs) {
  std::vector<std::string> result(outputs.size());
  std::set<std::string> taken;
  for (const bool unchanged : {true, false}) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::string name = safe(outputs[i]);
      if ((name == outputs[i]) != unchanged) continue;
      std::string unique = name;
      for (int number = 2; !taken.insert(unique).second; ++number) unique = name + "_" + std::to_string(number);
      result[i] = unique + ".npy";
    }
  }
  return result;
}

}  // namespace host

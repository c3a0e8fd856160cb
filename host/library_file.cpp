// Headers of shared libraries; see library_file.h.
#include "library_file.h"

#include <elf.h>

#include <cstring>
#include <format>

#include "daybreak_error.hpp"
#include "mapped_file.h"
#include "printable.h"

// The ELF header of this program, where the linker put it.
extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));

namespace host {
namespace {

using Bytes = std::span<const std::byte>;

bool lies_within(uint64_t offset, uint64_t length, Bytes file) { return offset <= file.size() && length <= file.size() - offset; }

class Library {
 public:
  Library(const std::string& path, Bytes file) : path_(path), file_(file) {}

  void check(const Elf64_Ehdr& ours) const {
    if (file_.empty()) refuse("is empty");
    if (file_.size() < EI_NIDENT || std::memcmp(file_.data(), ELFMAG, SELFMAG) != 0) refuse("is no shared library: it has no ELF header");
    const auto header = part<Elf64_Ehdr>(0);
    if (header.e_ident[EI_CLASS] != ours.e_ident[EI_CLASS] || header.e_ident[EI_DATA] != ours.e_ident[EI_DATA] || header.e_machine != ours.e_machine)
      refuse(std::format("is for another machine: ELF machine {}, this program's is {}", header.e_machine, ours.e_machine));
    if (header.e_type != ET_DYN) refuse("is no shared library, but another kind of ELF file");
    check_segments(header);
    check_sections(header);
  }

  template <class T>
  T part(uint64_t offset) const {
    if (!lies_within(offset, sizeof(T), file_)) refuse(std::format("is cut short: it has {} bytes", file_.size()));
    T result;
    std::memcpy(&result, file_.data() + offset, sizeof(T));
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw daybreak::Error(DBK_UNAVAILABLE, "cannot load the plugin: " + in_quotes(path_) + " " + why);
  }

  void require(uint64_t offset, uint64_t length, const char* what) const {
    if (lies_within(offset, length, file_)) return;
    refuse(std::format("is cut short: it has {} bytes, but a {} of {} bytes begins at byte {}", file_.size(), what, length, offset));
  }

  void check_segments(const Elf64_Ehdr& header) const {
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
      const auto segment = part<Elf64_Phdr>(header.e_phoff + i * header.e_phentsize);
      require(segment.p_offset, segment.p_filesz, "segment");
    }
  }

  void check_sections(const Elf64_Ehdr& header) const {
    if (header.e_shoff == 0) return;  // a library may do without
    for (uint64_t i = 0; i < header.e_shnum; ++i) {
      const auto section = part<Elf64_Shdr>(header.e_shoff + i * header.e_shentsize);
      if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL) require(section.sh_offset, section.sh_size, "section");
    }
  }

  const std::string& path_;
  Bytes file_;
};

}  // namespace

void check_library_file(const std::string& path) {
  const MappedFile file(path);
  Library(path, file.bytes()).check(__ehdr_start);
}

}  // namespace host

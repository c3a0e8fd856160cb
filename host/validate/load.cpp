// Loading: the one exported symbol, an entry that costs nothing, the table and its information, and a loop of load, use
// and unload that leaves nothing behind.
#include <dlfcn.h>
#include <elf.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <iterator>

#include "../library_file.h"
#include "fixture.h"

namespace host::validate {
namespace {

std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  expect(file.good(), "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class T>
T part_of(const std::string& content, uint64_t offset) {
  expect(offset <= content.size() && sizeof(T) <= content.size() - offset, "the ELF file is cut short");
  T result;
  std::memcpy(&result, content.data() + offset, sizeof(T));
  return result;
}

// Names of the symbols the file defines for others.
std::vector<std::string> exported_symbols(const std::string& content) {
  std::vector<std::string> names;
  const auto header = part_of<Elf64_Ehdr>(content, 0);
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto section = part_of<Elf64_Shdr>(content, header.e_shoff + i * header.e_shentsize);
    if (section.sh_type != SHT_DYNSYM) continue;
    const auto strings = part_of<Elf64_Shdr>(content, header.e_shoff + section.sh_link * uint64_t{header.e_shentsize});
    for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = part_of<Elf64_Sym>(content, section.sh_offset + at);
      if (symbol.st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
      const uint64_t name = strings.sh_offset + symbol.st_name;
      expect(name < content.size(), "the ELF file is cut short");
      names.emplace_back(content.c_str() + name);
    }
  }
  return names;
}

void one_symbol(const Target& target) {
  const std::string content = file_content(target.path);
  expect(content.starts_with(ELFMAG) && content.size() > EI_CLASS && content[EI_CLASS] == ELFCLASS64,
         "not a 64-bit ELF file");
  std::string others;
  bool found = false;
  for (const std::string& name : exported_symbols(content)) {
    if (name == "dbk_entry")
      found = true;
    else
      others += " " + name.substr(0, 80);
  }
  expect(found, "dbk_entry is not exported");
  expect(others.empty(), "exports more than dbk_entry:" + others.substr(0, 300));
}

void loads(const Target& target) {
  check_library_file(target.path);
  void* library = dlopen(target.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Failed(dlerror());
  expect(dlsym(library, "dbk_entry") != nullptr, "dlsym does not find dbk_entry");
  dlclose(library);
}

long entries_of(const char* folder) {
  const std::filesystem::directory_iterator list(folder);
  return std::distance(begin(list), end(list));
}

void entry_is_light(const Target& target) {
  const long threads = entries_of("/proc/self/task");
  void* library = dlopen(target.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw Failed(dlerror());
  const auto entry = reinterpret_cast<dbk_entry_fn>(dlsym(library, "dbk_entry"));
  expect(entry != nullptr, "dlsym does not find dbk_entry");
  const dbk_api* api = nullptr;
  const auto start = std::chrono::steady_clock::now();
  expect(entry(DBK_ABI_1_0, DBK_ABI_1_0, &api, nullptr, 0) == DBK_OK, "refuses ABI 1.0");
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  expect(time.count() < 100 || api->info->sanitizer,
         std::format("dbk_entry took {:.0f} ms; 100 are allowed", time.count()));
  expect(entries_of("/proc/self/task") == threads, "dlopen or dbk_entry started a thread");
}

void no_null_slots(const Target& target) {
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  const dbk_api& api = plugin.api();
  expect(api.size % sizeof(void*) == 0, std::format("the table's size, {}, is no multiple of a pointer's", api.size));
  const auto* words = reinterpret_cast<const char*>(&api);
  for (std::size_t offset = offsetof(dbk_api, info); offset + sizeof(void*) <= api.size; offset += sizeof(void*)) {
    void* slot = nullptr;
    std::memcpy(&slot, words + offset, sizeof slot);
    expect(slot != nullptr, std::format("the slot at byte {} is NULL", offset));
  }
}

void information(const Target& target) {
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  const dbk_info& info = plugin.info();
  expect(info.hdr.size >= sizeof(dbk_info), std::format("info.hdr.size is {}", info.hdr.size));
  for (const char* text : {info.id, info.version, info.build}) expect(text && *text, "id, version or build is empty");
  int major = 0, minor = 0, patch = 0;
  expect(std::sscanf(info.version, "%d.%d.%d", &major, &minor, &patch) == 3,
         std::format("version '{}' is not semantic", info.version));
  expect(info.abi_min <= DBK_ABI_1_0 && DBK_ABI_1_0 <= info.abi_max,
         "the ABI range does not contain the agreed version");
}

void extensions(const Target& target) {
  const daybreak::Plugin plugin = daybreak::Plugin::load(target.path);
  expect(plugin.api().get_extension("no.such.extension/1") == nullptr, "an unknown extension is not NULL");
  expect(plugin.api().get_extension("") == nullptr, "the extension \"\" is not NULL");
  expect(plugin.api().get_extension(nullptr) == nullptr, "the extension NULL is not NULL");
}

long resident_kib() {
  std::ifstream statm("/proc/self/statm");
  long total = 0, resident = 0;
  statm >> total >> resident;
  return resident * 4;
}

void use_once(const Target& target) {
  const Fixture fixture(target);
  const std::vector<float> x = golden::input(4);
  const daybreak::Executable exec = fixture.ready();
  daybreak::Run run = fixture.bound(exec, x);
  run.run();
  golden::expect_right(x, run.read<float>("y"));
}

// The first rounds may fill caches of the process; after them every round must leave what it found.
void load_loop(const Target& target) {
  constexpr int warm_up = 10, rounds = 60;
  constexpr long allowed_kib = 4096;
  long files = 0, threads = 0, memory = 0;
  for (int i = 0; i < rounds; ++i) {
    if (i == warm_up)
      files = entries_of("/proc/self/fd"), threads = entries_of("/proc/self/task"), memory = resident_kib();
    use_once(target);
  }
  expect(entries_of("/proc/self/fd") <= files,
         std::format("{} open files became {}", files, entries_of("/proc/self/fd")));
  expect(entries_of("/proc/self/task") <= threads,
         std::format("{} threads became {}", threads, entries_of("/proc/self/task")));
  if (instrumented(daybreak::Plugin::load(target.path))) return;  // sanitizers keep freed memory
  const long growth = resident_kib() - memory;
  expect(growth <= allowed_kib, std::format("memory grew by {} KiB in {} rounds", growth, rounds - warm_up));
}

constexpr Test tests[] = {
    {"load.one_symbol", 10, one_symbol},
    {"load.dlopen", 10, loads},
    {"load.entry_is_light", 10, entry_is_light},
    {"load.no_null_slots", 10, no_null_slots},
    {"load.information", 10, information},
    {"load.extensions", 10, extensions},
    {"load.loop", 60, load_loop},
};

}  // namespace

std::span<const Test> load_tests() { return tests; }

}  // namespace host::validate

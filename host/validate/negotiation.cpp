// Negotiation: every pair of versions a host could name gets the highest common version of their major version or a
// refusal with a text, and memory of the caller is never overrun.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <format>

#include "fixture.h"

namespace host::validate {
namespace {

constexpr uint32_t versions[] = {0,
                                 DBK_ABI(0, 1),
                                 DBK_ABI(0, 0xFFFF),
                                 DBK_ABI(1, 0),
                                 DBK_ABI(1, 1),
                                 DBK_ABI(1, 2),
                                 DBK_ABI(1, 0xFFFF),
                                 DBK_ABI(2, 0),
                                 DBK_ABI(3, 7),
                                 0xFFFFFFFFu};

std::string name(uint32_t version) { return std::format("{}.{}", DBK_ABI_MAJOR(version), DBK_ABI_MINOR(version)); }

struct Entry {
  void* library;
  dbk_entry_fn function;
  uint32_t lowest, highest;  // what the plugin says it speaks

  explicit Entry(const Target& target) : library(dlopen(target.path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!library) throw Failed(dlerror());
    function = reinterpret_cast<dbk_entry_fn>(dlsym(library, "dbk_entry"));
    expect(function != nullptr, "dlsym does not find dbk_entry");
    const dbk_api* api = nullptr;
    expect(function(DBK_ABI_1_0, DBK_ABI_1_0, &api, nullptr, 0) == DBK_OK && api, "refuses ABI 1.0");
    lowest = api->info->abi_min;
    highest = api->info->abi_max;
  }
};

void judge_agreement(const Entry& entry, uint32_t low, uint32_t high, const dbk_api* api) {
  expect(api != nullptr, "agreed without a table");
  const bool common = api->abi >= low && api->abi <= high && api->abi >= entry.lowest && api->abi <= entry.highest;
  expect(common, "agreed on " + name(api->abi));
  // Within one major version the highest common one is known from here.
  if (DBK_ABI_MAJOR(high) != DBK_ABI_MAJOR(entry.highest) && high < entry.highest) return;
  expect(api->abi == std::min(high, entry.highest), "agreed on " + name(api->abi) + ", which is not the highest");
}

void judge_pair(const Entry& entry, uint32_t low, uint32_t high) {
  static const dbk_api untouched{};
  const dbk_api* api = &untouched;
  std::array<char, 256> why;
  why.fill('#');
  const dbk_status status = entry.function(low, high, &api, why.data(), why.size());
  const bool meets = low <= entry.highest && high >= entry.lowest;
  const bool is_range = low <= high && DBK_ABI_MAJOR(low) == DBK_ABI_MAJOR(high);
  const dbk_status wanted = !is_range ? DBK_INVALID_ARGUMENT : meets ? DBK_OK : DBK_UNIMPLEMENTED;
  expect(status == wanted,
         std::format("wanted {}, got {}", daybreak::status_name(wanted), daybreak::status_name(status)));
  if (status == DBK_OK) return judge_agreement(entry, low, high, api);
  expect(api == &untouched, "refused, but out_api was written");
  expect(std::memchr(why.data(), 0, why.size()) != nullptr && why[0] != '\0' && why[0] != '#',
         "refused without a text");
}

void all_pairs(const Target& target) {
  const Entry entry(target);
  for (const uint32_t low : versions) {
    for (const uint32_t high : versions) {
      try {
        judge_pair(entry, low, high);
      } catch (const Failed& failed) {
        throw Failed(std::format("host {} to {}: {}", name(low), name(high), failed.what()));
      }
    }
  }
}

void refusal_text_fits(const Target& target) {
  const Entry entry(target);
  const dbk_api* api = nullptr;
  for (uint32_t cap = 0; cap < 128; ++cap) {
    std::array<char, 160> why;
    why.fill('#');
    entry.function(0, 0, &api, why.data(), cap);
    const bool intact = std::all_of(why.begin() + cap, why.end(), [](char c) { return c == '#'; });
    expect(intact, std::format("why_cap {}: wrote behind it", cap));
    expect(cap == 0 || std::memchr(why.data(), 0, cap) != nullptr, std::format("why_cap {}: no NUL", cap));
  }
  expect(entry.function(0, 0, &api, nullptr, 0) == DBK_UNIMPLEMENTED, "why NULL changes the answer");
  expect(entry.function(0, 0, &api, nullptr, 100) == DBK_UNIMPLEMENTED, "why NULL with a capacity changes the answer");
}

void null_table(const Target& target) {
  const Entry entry(target);
  std::array<char, 64> why{};
  expect(entry.function(DBK_ABI_1_0, DBK_ABI_1_0, nullptr, why.data(), why.size()) == DBK_INVALID_ARGUMENT,
         "out_api NULL is not INVALID_ARGUMENT");
}

// Two hosts in one process: the same version is the same table, and agreeing again disturbs nobody.
void repeated(const Target& target) {
  const Entry entry(target);
  const dbk_api *first = nullptr, *second = nullptr;
  expect(entry.function(DBK_ABI_1_0, DBK_ABI_1_0, &first, nullptr, 0) == DBK_OK, "refuses ABI 1.0");
  entry.function(0, 0, &second, nullptr, 0);
  expect(entry.function(DBK_ABI_1_0, DBK_ABI(1, 0xFFFF), &second, nullptr, 0) == DBK_OK, "refuses a second host");
  expect(first->abi == DBK_ABI_1_0, "the first host's table changed its version");
}

constexpr Test tests[] = {
    {"negotiation.all_pairs", 10, all_pairs},
    {"negotiation.refusal_text_fits", 10, refusal_text_fits},
    {"negotiation.null_table", 10, null_table},
    {"negotiation.repeated", 10, repeated},
};

}  // namespace

std::span<const Test> negotiation_tests() { return tests; }

}  // namespace host::validate

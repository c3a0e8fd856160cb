#include "plugin/options.h"

#include <charconv>
#include <cstdlib>
#include <set>

#include "plugin/ascii.h"
#include "plugin/struct_copy.h"

namespace dbk {

namespace {

constexpr OptionKey kKeys[] = {
    {"gpu", "ctx", DBK_OPTION_BOOL, "0 | 1", "1", "look for GPUs; without, the CPU is the only device"},
    {"device", "ctx", DBK_OPTION_STRING, "cpu | gpu | index | uuid | part of a name | api", "", "the default device"},
    {"validation", "ctx", DBK_OPTION_BOOL, "0 | 1", "0", "validate every GPU call and bounds-check kernels (slower)"},
    {"kernels", "ctx", DBK_OPTION_STRING, "auto | hardware | software", "auto",
     "which kernels GPUs get: those for their kind, those for graphics hardware or those for software adapters"},
    {"threads", "ctx", DBK_OPTION_INT, "0 .. 1024", "0", "threads of the CPU device; 0 = one per core"},
    {"cache_dir", "ctx", DBK_OPTION_STRING, "auto | an absolute path | empty", "auto",
     "where compiled kernels and measured figures are kept for later processes: daybreak in the user's cache ($XDG_CACHE_HOME or ~/.cache), a directory, or nowhere"},
    {"calibration", "ctx", DBK_OPTION_STRING, "off | cached | auto", "cached",
     "what ranks the devices, and chooses one for a graph where nothing names it: their kind; figures in the cache directory, where all were measured; or the same, and "
     "devices without figures are measured when a default device is to be chosen or report device is asked for (some tenths of a second a device, once)"},
    {"matmul_family", "ctx", DBK_OPTION_STRING, "auto | lane | line | tile | gemv | coop", "auto",
     "the kernels that GPUs try first for matrix products of floats; what they cannot is left to the others. Products of bytes heed coop alone: "
     "software adapters take matrices of subgroups for them only then"},
    {"matmul_variant", "ctx", DBK_OPTION_STRING, "64x64x16, 4x16-whole, 4x64-packed, 32x32x16-split, split, ... | empty", "",
     "which variant of matmul_family: as report placement names them, or split: its usual one with k in parts; what it cannot is left to others"},
    {"shared_memory", "ctx", DBK_OPTION_BOOL, "0 | 1", "1",
     "what runs on the host for a GPU reads and writes values where the GPU has them, if its memory can be mapped; 0: they are copied"},
    {"max_binding", "ctx", DBK_OPTION_INT, "0 .. 2^63-1", "0",
     "bytes of one tensor that kernels of GPUs may see, where that is less than the adapter allows: larger weights of products are read in panels, what "
     "cannot be is left to the host; 0 = what the adapter allows"},
    {"coop", "ctx", DBK_OPTION_STRING, "0 | 1 | f16 | f32", "1",
     "operands for which GPUs may use matrices of subgroups: none, all (bytes, too), or those of one type alone"},
    {"coop_columns", "ctx", DBK_OPTION_INT, "0 .. 2^63-1", "0",
     "the most columns of a product, of floats or bytes, that may use matrices of subgroups: wider ones, such as those over a vocabulary, stay with other kernels; 0 = any"},
    {"autotune", "ctx", DBK_OPTION_STRING, "off | cached | quick | full", "cached",
     "what decides between kernels for products besides rules: nothing, which pins the choice: every process decides alike; times in the cache directory; or "
     "the same, and what has no times is measured: forms of layers (qkv) when an executable is compiled, kernels of products when it gets ready, up "
     "to 6 each, or all"},
    {"tune_budget_ms", "ctx", DBK_OPTION_INT, "0 .. 2^63-1", "5000", "how long one executable may take to measure kernels: no compile or run of one is begun later, but for forms of a layer that is begun"},
    {"precision_threshold", "ctx", DBK_OPTION_FLOAT, "0 .. 1", "0.002",
     "the error, as a part of the norms of row and column, that f16 may bring into products with a weight, judged by samples when parameters "
     "are given: a weight beyond keeps kernels of f32; 0 = no weight is judged"},
    {"oscillation_gate", "ctx", DBK_OPTION_FLOAT, "0 .. 1000", "0",
     "a weight whose mean |w[i+1] - w[i]| is more than this many times its mean |w| keeps kernels of f32, too; 0 = whatever it is (0.35 was "
     "used elsewhere, and normal noise has 1.41)"},
    {"precision", "ctx", DBK_OPTION_STRING, "f32 | f16_f32acc | f16 | auto", "f32",
     "arithmetic of f32 products on GPUs: operands rounded to f16 with sums in f32 (f16_f32acc), sums in f16 as well (f16), wherever matrices of subgroups take the product, whether or not f32 is faster, and however many digits long sums lose in f16, which explain tells; f16 also makes sums of f16 tensors in f16; or f16_f32acc where that is faster (auto); matmul_family=coop rounds operands to f16 with f32, too, and variants -packed of gemv the weight"},
    {"qkv", "ctx", DBK_OPTION_STRING, "auto | packed | split | plain", "auto",
     "products of one input, as queries, keys and values of attention are: one that attention reads in parts, one that writes several results, "
     "each for itself, or (auto) the fastest form that was measured (autotune), and without times packed where one attention reads all of them, "
     "split where one product is taken apart, else plain"},
    {"policy", "compile", DBK_OPTION_STRING, "require_gpu | prefer_gpu | cpu_only", "prefer_gpu",
     "what happens to nodes the GPU cannot run: refuse, run them on the host, or run everything on the CPU device"},
    {"device", "compile", DBK_OPTION_STRING, "as for ctx", "", "the device where dbk_compile_desc.device is DBK_DEVICE_DEFAULT"},
    {"precision", "compile", DBK_OPTION_STRING, "f32 | f16_f32acc | f16 | auto", "", "as for ctx, of this executable; not given: the context's"},
    {"fusion", "compile", DBK_OPTION_STRING, "on | off", "on", "rewrite the graph into fewer and faster nodes; off: each node as it is given"},
    {"qkv", "compile", DBK_OPTION_STRING, "auto | packed | split | plain", "", "as for ctx, of this executable; not given: the context's"},
    {"memory_budget", "compile", DBK_OPTION_INT, "0 .. 2^63-1", "0",
     "bytes that weights and one run may take together; 0 = no limit"},
    {"host_ops", "compile", DBK_OPTION_STRING, "names of operators, separated by commas", "",
     "operators that GPUs leave to the host, with everything that is fused with them: Softmax, com.microsoft.MatMulNBits"},
    {"internal_ops", "compile", DBK_OPTION_BOOL, "0 | 1", "0",
     "accept nodes of the ops that only the compiler makes; for tests, their contracts may change"},
};

// Whether `text` is one of the words of "one | two | three".
bool is_one_of(std::string_view domain, std::string_view text) {
  while (true) {
    const size_t end = domain.find(" | ");
    if (domain.substr(0, end) == text) return true;
    if (end == std::string_view::npos) return false;
    domain.remove_prefix(end + 3);
  }
}

bool in_domain(const OptionKey& key, const std::string& text) {
  const std::string_view name = key.key;
  if (name == "cache_dir") return text.empty() || text == "auto" || text.front() == '/';
  const bool free = name == "device" || name == "host_ops" || name == "matmul_variant";
  return free || is_one_of(key.domain, text);
}

bool in_domain(const OptionKey& key, int64_t value) {
  const std::string_view name = key.key;
  if (key.type == DBK_OPTION_BOOL) return value == 0 || value == 1;
  if (name == "threads") return value >= 0 && value <= 1024;
  return value >= 0;
}

bool in_domain(const OptionKey& key, double value) { return value >= 0 && value <= (std::string_view(key.key) == "precision_threshold" ? 1 : 1000); }

const OptionKey* find_key(const std::string& name, const char* scope) {
  for (const OptionKey& k : kKeys)
    if (name == k.key && std::string_view(scope) == k.scope) return &k;
  return nullptr;
}

[[noreturn]] void unknown_key(const std::string& name, const char* scope) {
  std::string known;
  for (const OptionKey& k : kKeys)
    if (std::string_view(scope) == k.scope) known += (known.empty() ? "" : ", ") + std::string(k.key);
  fail(DBK_INVALID_ARGUMENT, "unknown {} option '{}'; known: {}", scope, name, known);
}

}  // namespace

std::span<const OptionKey> option_keys() { return kKeys; }

std::string variable_of(std::string_view key) {
  std::string variable = "DAYBREAK_";
  for (const char c : key) variable += ascii_upper(c);
  return variable;
}

Options::Options(const dbk_options* given, const char* scope, const Options* context) {
  for (const OptionKey& k : kKeys)
    if (std::string_view(scope) == k.scope) set_default(k, context);
  if (given) set_given(*given, scope);
}

void Options::set_default(const OptionKey& key, const Options* context) {
  const bool of_context = std::string_view(key.scope) == "ctx";
  const OptionKey* outer = of_context ? nullptr : find_key(key.key, "ctx");
  if (outer && context) {
    Setting inherited = context->settings_.at(key.key);
    if (inherited.source == Source::Given) inherited.source = Source::Context;
    settings_[key.key] = std::move(inherited);
    return;
  }
  set_from_text(key, outer ? outer->fallback : key.fallback, "");
  const std::string variable = variable_of(key.key);
  if (const char* text = of_context ? secure_getenv(variable.c_str()) : nullptr) set_from_text(key, text, variable);
}

std::string Options::told(const char* key) const {
  const Setting& setting = settings_.at(key);
  const auto text_of = []<class T>(const T& value) {
    if constexpr (std::is_same_v<T, bool>) return std::string(value ? "1" : "0");
    else return std::format("{}", value);
  };
  const std::string value = std::visit(text_of, setting.value);
  if (setting.source == Source::Environment) return std::format("{}={}", variable_of(key), value);
  return std::format("option {}={}{}", key, value, setting.source == Source::Context ? " of the context" : "");
}

void Options::set_given(const dbk_options& given, const char* scope) {
  const dbk_options options = copy_in(&given, "options");
  if (options.count && !options.items) fail(DBK_INVALID_ARGUMENT, "options: items is NULL");
  std::set<std::string> seen;
  for (uint32_t i = 0; i < options.count; ++i) {
    const auto item = copy_element<dbk_kv>(options.items, options.stride, i, "option");
    const std::string name = to_text(item.key, "option key");
    const OptionKey* key = find_key(name, scope);
    const bool optional = item.flags & DBK_OPTION_OPTIONAL;
    if (item.flags & ~DBK_OPTION_OPTIONAL) fail(DBK_INVALID_ARGUMENT, "option '{}': unknown flags {:#x}", name, item.flags);
    if (!seen.insert(name).second) fail(DBK_INVALID_ARGUMENT, "option '{}' is given twice", name);
    if (key) set(*key, item, optional);
    else if (!optional) unknown_key(name, scope);
  }
}

namespace {

std::string type_name(uint32_t type) {
  constexpr const char* kNames[] = {"INT", "FLOAT", "STRING", "BOOL"};
  return type >= DBK_OPTION_INT && type <= DBK_OPTION_BOOL ? std::format("DBK_OPTION_{}", kNames[type - DBK_OPTION_INT]) : std::to_string(type);
}

}  // namespace

// An optional item is ignored where a later plugin may know what this one does not: another type, another value.
void Options::set(const OptionKey& key, const dbk_kv& item, bool optional) {
  if (item.type != key.type) {
    if (optional) return;
    fail(DBK_INVALID_ARGUMENT, "option '{}' has type {}, expected {}", key.key, type_name(item.type), type_name(key.type));
  }
  if (key.type == DBK_OPTION_STRING) {
    std::string text = to_text(item.v.s, key.key);
    if (in_domain(key, text)) settings_[key.key] = {std::move(text), Source::Given};
    else if (!optional) fail(DBK_INVALID_ARGUMENT, "option '{}': '{}' is none of {}", key.key, text, key.domain);
    return;
  }
  if (key.type == DBK_OPTION_FLOAT) {
    if (in_domain(key, item.v.f)) settings_[key.key] = {item.v.f, Source::Given};
    else if (!optional) fail(DBK_INVALID_ARGUMENT, "option '{}': {} is outside {}", key.key, item.v.f, key.domain);
    return;
  }
  if (!in_domain(key, item.v.i)) {
    if (optional) return;
    fail(DBK_INVALID_ARGUMENT, "option '{}': {} is outside {}", key.key, item.v.i, key.domain);
  }
  if (key.type == DBK_OPTION_BOOL) settings_[key.key] = {item.v.i != 0, Source::Given};
  else settings_[key.key] = {item.v.i, Source::Given};
}

// `variable`: which one has the text; empty: it is the default.
void Options::set_from_text(const OptionKey& key, const std::string& text, const std::string& variable) {
  const Source source = variable.empty() ? Source::Default : Source::Environment;
  if (key.type == DBK_OPTION_STRING) {
    if (!in_domain(key, text)) fail(DBK_INVALID_ARGUMENT, "{}: '{}' is none of {}", variable, text, key.domain);
    settings_[key.key] = {text, source};
    return;
  }
  const auto parsed = [&]<class T>(T value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !in_domain(key, value))
      fail(DBK_INVALID_ARGUMENT, "{}: '{}' is outside {}", variable, text, key.domain);
    return value;
  };
  if (key.type == DBK_OPTION_FLOAT) settings_[key.key] = {parsed(0.0), source};
  else if (key.type == DBK_OPTION_BOOL) settings_[key.key] = {parsed(int64_t{0}) != 0, source};
  else settings_[key.key] = {parsed(int64_t{0}), source};
}

}  // namespace dbk

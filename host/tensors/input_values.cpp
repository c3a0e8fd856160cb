// Words and made-up values; see input_values.h.
#include "input_values.h"

#include <unistd.h>

#include <charconv>
#include <cstring>
#include <format>
#include <limits>

#include "packed_elements.h"
#include "printable.h"
#include "random.h"
#include "units.h"

namespace host {
namespace {

[[noreturn]] void fail(const std::string& what) { throw daybreak::Error(DBK_INVALID_ARGUMENT, what); }

[[noreturn]] void refuse(const std::string& word, uint32_t dtype) {
  fail(std::format("{} is no value of {}", in_quotes(word), daybreak::dtype_name(dtype)));
}

template <class T>
T number(const std::string& word, uint32_t dtype) {
  T result{};
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const auto [end, failure] = std::from_chars(begin, word.data() + word.size(), result);
  if (failure != std::errc() || end != word.data() + word.size()) refuse(word, dtype);
  return result;
}

bool boolean(const std::string& word) {
  if (word == "true" || word == "True" || word == "1") return true;
  if (word != "false" && word != "False" && word != "0") refuse(word, DBK_BOOL);
  return false;
}

template <class T>
void append(std::vector<std::byte>& bytes, const T& element) {
  const auto* first = reinterpret_cast<const std::byte*>(&element);
  bytes.insert(bytes.end(), first, first + sizeof element);
}

// Packed types go in one per byte; the caller packs them.
void append_word(std::vector<std::byte>& bytes, const std::string& word, uint32_t dtype) {
  switch (dtype) {
    case DBK_BOOL:
      return append(bytes, static_cast<uint8_t>(boolean(word)));
    case DBK_I2:
    case DBK_I4:
    case DBK_I8:
      return append(bytes, number<int8_t>(word, dtype));
    case DBK_I16:
      return append(bytes, number<int16_t>(word, dtype));
    case DBK_I32:
      return append(bytes, number<int32_t>(word, dtype));
    case DBK_I64:
      return append(bytes, number<int64_t>(word, dtype));
    case DBK_U2:
    case DBK_U4:
    case DBK_U8:
      return append(bytes, number<uint8_t>(word, dtype));
    case DBK_U16:
      return append(bytes, number<uint16_t>(word, dtype));
    case DBK_U32:
      return append(bytes, number<uint32_t>(word, dtype));
    case DBK_U64:
      return append(bytes, number<uint64_t>(word, dtype));
    case DBK_F16:
      return append(bytes, daybreak::half(number<float>(word, dtype)));
    case DBK_BF16:
      return append(bytes, daybreak::bfloat16(number<float>(word, dtype)));
    case DBK_F32:
      return append(bytes, number<float>(word, dtype));
    case DBK_F64:
      return append(bytes, number<double>(word, dtype));
    default:
      fail(std::format("values of {} cannot be written here; give a .npy file", daybreak::dtype_name(dtype)));
  }
}

// A few characters on the command line may ask for any amount, and the system would promise it.
void require_affordable(uint32_t dtype, const daybreak::Dims& dims) {
  const uint64_t bytes = daybreak::dense_bytes(dtype == DBK_STRING ? DBK_U64 : dtype, dims);
  const auto memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  if (bytes <= memory / 2) return;
  throw daybreak::Error(DBK_OUT_OF_MEMORY, std::format("{} takes {}, but this machine has {}", type_text(dtype, dims),
                                                       bytes_text(bytes), bytes_text(memory)));
}

class ListParser {
 public:
  explicit ListParser(const std::string& text) : rest_(text) {}

  ValueList parse() {
    ValueList result;
    if (next() == '[') {
      daybreak::Dims dims;
      list(result.words, dims, 0);
      result.dims = dims;
      if (next() != '\0') fail("text follows the last bracket");
      return result;
    }
    if (next() == '\0') return result;
    do result.words.push_back(word());
    while (take(','));
    if (next() != '\0') fail("text follows the last value; write commas between values");
    return result;
  }

  // The first word, or a bracket; empty where there is neither.
  std::string_view first() {
    next();
    return rest_.substr(0, rest_.starts_with('[') ? 1 : rest_.find_first_of(",[] \t"));
  }

 private:
  void list(std::vector<std::string>& words, daybreak::Dims& dims, std::size_t axis) {
    take('[');
    const bool first = axis == dims.size();  // the first row on this axis tells its length
    if (first) dims.push_back(-1);
    int64_t count = 0;
    if (next() != ']') {
      do {
        if (next() == '[') {
          if (axis + 1 == dims.size() && !words.empty()) fail("numbers stand beside brackets");
          list(words, dims, axis + 1);
        } else {
          if (axis + 1 != dims.size()) fail("numbers stand beside brackets");
          words.push_back(word());
        }
        ++count;
      } while (take(','));
    }
    if (!take(']')) fail("a bracket is not closed");
    if (dims[axis] >= 0 && dims[axis] != count) fail("rows differ in length");
    dims[axis] = count;
  }

  std::string word() {
    next();
    const std::size_t end = std::min(rest_.find_first_of(",[] \t"), rest_.size());
    if (end == 0) fail("a value is missing");
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return result;
  }

  char next() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char wanted) {
    if (next() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

bool begins_with_number(const std::string& text) {
  std::string_view word = ListParser(text).first();
  if (word == "[" || word == "true" || word == "True" || word == "false" || word == "False") return true;
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  return failure != std::errc::invalid_argument && end == word.data() + word.size();
}

ValueList parse_values(const std::string& text) { return ListParser(text).parse(); }

Tensor tensor_of(const std::vector<std::string>& words, uint32_t dtype, const daybreak::Dims& dims) {
  Tensor result{dtype, dims, {}, {}};
  if (dtype == DBK_STRING)
    result.strings = words;
  else
    for (const std::string& word : words) append_word(result.bytes, word, dtype);
  // Wrong words first: they tell more about a mistake than their number.
  if (dims.product() != std::ssize(words))
    fail(std::format("{} values, but {} has {}", words.size(), type_text(dtype, dims), dims.product()));
  if (dtype != DBK_STRING && daybreak::is_sub_byte(dtype)) result.bytes = pack_elements(result.bytes, dtype);
  return result;
}

Tensor zeros(uint32_t dtype, const daybreak::Dims& dims) {
  require_affordable(dtype, dims);
  Tensor result{dtype, dims, {}, {}};
  if (dtype == DBK_STRING)
    result.strings.resize(result.count());
  else
    result.bytes.resize(static_cast<std::size_t>(daybreak::dense_bytes(dtype, dims)));
  return result;
}

Tensor random_tensor(uint32_t dtype, const daybreak::Dims& dims, uint64_t seed) {
  Random random(seed);
  Tensor result = zeros(dtype, dims);
  const uint32_t code = DBK_DTYPE_CODE(dtype);
  const std::size_t size = DBK_DTYPE_BITS(dtype) / 8;
  const auto fill = [&](auto make, std::size_t step) {
    for (std::size_t at = 0; at + step <= result.bytes.size(); at += step) {
      const auto element = make();
      std::memcpy(result.bytes.data() + at, &element, std::min(step, sizeof element));
    }
  };
  if (dtype == DBK_F16)
    fill([&] { return daybreak::half(static_cast<float>(random.uniform())); }, 2);
  else if (dtype == DBK_BF16)
    fill([&] { return daybreak::bfloat16(static_cast<float>(random.uniform())); }, 2);
  else if (dtype == DBK_F32 || dtype == DBK_C64)
    fill([&] { return static_cast<float>(random.uniform()); }, 4);
  else if (dtype == DBK_F64 || dtype == DBK_C128)
    fill([&] { return random.uniform(); }, 8);
  else if (code <= 1 && size > 0)
    fill([&] { return random.bits() >> 63; }, size);  // little-endian: the low byte comes first
  else if (code <= 1) {
    std::vector<std::byte> elements(static_cast<std::size_t>(dims.product()));
    for (std::byte& element : elements) element = static_cast<std::byte>(random.bits() >> 63);
    result.bytes = pack_elements(elements, dtype);
  } else if (dtype == DBK_BOOL)
    fill([&] { return random.bits() >> 63; }, 1);
  else
    fail(std::format("random values of {} cannot be made; give a .npy file", daybreak::dtype_name(dtype)));
  return result;
}

}  // namespace host

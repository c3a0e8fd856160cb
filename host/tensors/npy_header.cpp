// Reads the few Python literals that NumPy writes; see npy_header.h.
#include "npy_header.h"

#include <charconv>
#include <format>

#include "printable.h"

namespace host {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : rest_(text) {}

  NpyHeader header() {
    NpyHeader result;
    unsigned seen = 0;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      seen |= value(key, result, seen);
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_space();
    if (!rest_.empty()) fail("text follows the dictionary");
    if (seen != 7) fail("descr, fortran_order and shape are not all there");
    return result;
  }

 private:
  unsigned value(const std::string& key, NpyHeader& result, unsigned seen) {
    const unsigned bit = key == "descr" ? 1 : key == "fortran_order" ? 2 : key == "shape" ? 4 : 0;
    if (bit == 0) fail("unknown key " + in_quotes(key));
    if (seen & bit) fail("key " + in_quotes(key) + " is there twice");
    if (bit == 1) result.descr = descr();
    if (bit == 2) result.fortran_order = boolean();
    if (bit == 4) result.shape = tuple();
    return bit;
  }

  std::string descr() {
    skip_space();
    if (!rest_.empty() && rest_.front() == '[') {
      throw daybreak::Error(DBK_UNIMPLEMENTED, "a structured array is no tensor; save its fields one by one");
    }
    return string();
  }

  std::string string() {
    skip_space();
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) fail("a string was expected");
    const std::size_t end = rest_.find(rest_.front(), 1);
    if (end == std::string_view::npos) fail("a string does not end");
    std::string result(rest_.substr(1, end - 1));
    rest_.remove_prefix(end + 1);
    return result;
  }

  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    fail("True or False was expected");
  }

  daybreak::Dims tuple() {
    daybreak::Dims result;
    expect('(');
    while (!accept(')')) {
      result.push_back(integer());
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }

  int64_t integer() {
    skip_space();
    int64_t result = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), result);
    if (failure != std::errc() || result < 0) fail("an extent was expected");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) rest_.remove_prefix(1);  // as Python 2 wrote it
    return result;
  }

  bool accept(char wanted) {
    skip_space();
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char wanted) {
    if (!accept(wanted)) fail(std::format("'{}' was expected", wanted));
  }
  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  [[noreturn]] static void fail(const std::string& what) {
    throw daybreak::Error(DBK_INVALID_ARGUMENT, "the header is malformed: " + what);
  }

  std::string_view rest_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text) { return Parser(text).header(); }

std::string npy_header_text(const NpyHeader& header) {
  std::string shape;
  for (const int64_t extent : header.shape) shape += std::format("{}, ", extent);
  if (header.shape.size() > 1) shape.resize(shape.size() - 2);  // a tuple of one keeps its comma
  if (header.shape.size() == 1) shape.pop_back();
  return std::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", header.descr,
                     header.fortran_order ? "True" : "False", shape);
}

}  // namespace host

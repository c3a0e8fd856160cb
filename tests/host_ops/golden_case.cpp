#include "tests/host_ops/golden_case.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "host_fallback/number_block.h"
#include "host_fallback/number_cast.h"

namespace dbk::test {

namespace {

DType dtype_named(const std::string& name) {
  for (int64_t code = 1; code <= 26; ++code)
    if (to_string(dtype_of_onnx(code)) == name) return dtype_of_onnx(code);
  throw std::runtime_error("unknown dtype " + name);
}

Number parse_number(const std::string& word) {
  const bool integer = word.find_first_not_of("-0123456789") == std::string::npos;
  const uint64_t bits = !integer ? 0 : word[0] == '-' ? static_cast<uint64_t>(std::stoll(word)) : std::stoull(word);
  return {std::strtod(word.c_str(), nullptr), bits};
}

GoldenTensor parse_tensor(std::istream& words) {
  GoldenTensor t;
  std::string word;
  words >> word;
  if (word == "absent") return t.absent = true, t;
  if (word != "real") t.dtype = dtype_named(word);
  words >> word;
  std::istringstream dims(word == "-" ? "" : word);
  for (std::string dim; std::getline(dims, dim, 'x');) t.shape.push_back(std::stoll(dim));
  while (words >> word) t.values.push_back(parse_number(word));
  if (static_cast<int64_t>(t.values.size()) != t.shape.count() * (contains(C64 | C128, t.dtype) ? 2 : 1))
    throw std::runtime_error("values do not fill the shape");
  return t;
}

template <class T>
std::vector<T> parse_list(std::istream& words) {
  std::vector<T> list;
  for (T value; words >> value;) list.push_back(value);
  return list;
}

AttributeValue parse_attribute(const std::string& kind, std::istream& words) {
  if (kind == "t") return std::make_shared<const HostTensor>(materialize(parse_tensor(words), DBK_F32));
  if (kind == "s") return parse_list<std::string>(words).at(0);
  if (kind == "i") return parse_list<int64_t>(words).at(0);
  if (kind == "f") return parse_list<double>(words).at(0);
  if (kind == "is") return parse_list<int64_t>(words);
  if (kind == "fs") return parse_list<double>(words);
  if (kind == "ss") return parse_list<std::string>(words);
  throw std::runtime_error("unknown kind of attribute " + kind);
}

void parse_line(GoldenCase& c, const std::string& key, std::istream& words) {
  std::string name, kind;
  if (key == "case") {
    words >> c.op >> c.opset;
  } else if (key == "attr") {
    words >> name >> kind;
    c.attrs.set(name, parse_attribute(kind, words));
  } else if (key == "in") {
    c.inputs.push_back(parse_tensor(words));
  } else if (key == "out") {
    c.outputs.push_back(parse_tensor(words));
  } else if (key == "scale") {
    words >> c.scale;
  } else if (key == "fails") {
    words >> c.fails >> std::ws;
    std::getline(words, c.message);
  } else {
    throw std::runtime_error("unknown line " + key);
  }
}

}  // namespace

bool GoldenCase::real() const {
  for (const GoldenTensor& t : inputs)
    if (t.real()) return true;
  return false;
}

std::vector<GoldenCase> read_cases(const char* path) {
  std::vector<GoldenCase> cases;
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot open ") + path);
  GoldenCase current;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    std::istringstream words(line);
    std::string key;
    if (!(words >> key) || key[0] == '#') continue;
    if (key == "end") {
      cases.push_back(std::move(current));
      current = {};
      continue;
    }
    if (key == "case") current.line = number;
    try {
      parse_line(current, key, words);
    } catch (const std::exception& e) {
      throw std::runtime_error(std::string(path) + ":" + std::to_string(number) + ": " + e.what());
    }
  }
  return cases;
}

HostTensor materialize(const GoldenTensor& tensor, DType real) {
  if (contains(C64 | C128, tensor.dtype)) {
    GoldenTensor parts = tensor;
    parts.dtype = tensor.dtype == DBK_C64 ? DBK_F32 : DBK_F64;
    parts.shape.push_back(2);
    return {{tensor.dtype, tensor.shape}, materialize(parts, real).bytes};
  }
  HostTensor out{{tensor.dtype == DBK_DTYPE_NONE ? real : tensor.dtype, tensor.shape}, {}};
  out.bytes.resize(static_cast<size_t>(out.type.bytes()));
  if (!contains(PLAIN, out.type.dtype)) {
    std::vector<double> numbers;
    for (const Number& value : tensor.values) numbers.push_back(value.real);
    Tensor view = out.view();
    write_block(view, 0, out.type.count(), numbers.data(), {.saturate = false});
    return out;
  }
  with_type<PLAIN>(out.type.dtype, [&]<class T>() {
    Tensor view = out.view();
    for (size_t i = 0; i < tensor.values.size(); ++i) {
      if constexpr (std::is_integral_v<T>)
        view.as<T>()[i] = static_cast<T>(tensor.values[i].bits);
      else
        view.as<T>()[i] = number_cast<T>(tensor.values[i].real);
    }
  });
  return out;
}

}  // namespace dbk::test

// Sources of inputs; see model_inputs.h.
#include "model_inputs.h"

#include <algorithm>
#include <filesystem>
#include <format>

#include "error_place.h"
#include "onnx/value_type.h"
#include "printable.h"
#include "tensors/input_values.h"
#include "tensors/npy.h"
#include "units.h"

namespace host {
namespace {

[[noreturn]] void fail(dbk_status status, const std::string& what) { throw daybreak::Error(status, what); }

const onnx::ValueInfoProto& input_of(const std::string& word, const onnx::GraphProto& graph) {
  const onnx::ValueInfoProto* longest = nullptr;
  std::vector<std::string> names;
  for (const onnx::ValueInfoProto& input : graph.input()) {
    names.push_back(in_quotes(input.name()));
    if (!word.starts_with(input.name() + "=")) continue;
    if (!longest || input.name().size() > longest->name().size()) longest = &input;
  }
  if (longest) return *longest;
  const std::size_t equals = word.find('=');
  const std::string fault = word.empty()                   ? "nothing is given"
                            : equals == std::string::npos ? "there is no '=' in " + in_quotes(word)
                            : equals == 0                 ? "no name stands before the '='"
                                                          : "no input is called " + in_quotes(word.substr(0, equals));
  fail(equals == std::string::npos || equals == 0 ? DBK_INVALID_ARGUMENT : DBK_NOT_FOUND,
       fault + "; expected is NAME=FILE.npy, NAME=random, NAME=zeros or NAME=VALUES, where NAME is " +
           (names.empty() ? "nothing: the model has no inputs" : joined(names, " or ")));
}

[[noreturn]] void refuse_text(const std::string& text) {
  if (text.find_first_not_of(" \t") == std::string::npos)
    fail(DBK_INVALID_ARGUMENT, "nothing follows the `=`: neither a file nor values");
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(text, ignored);
  fail(DBK_INVALID_ARGUMENT, "neither numbers nor random, zeros, a .npy or a .pb file; " +
                                 (is_directory(status) ? in_quotes(text) + " is a directory"
                                  : exists(status)     ? in_quotes(text) + " is a file of another kind"
                                                       : "there is no file " + in_quotes(text)));
}

// The array that a word holds or names; none for what gets its shape from the model.
std::optional<Tensor> read_array(const std::string& text, const onnx::ValueInfoProto& input) {
  if (text == "random" || text == "zeros") return std::nullopt;
  const ValueType type = read_type(input.type());
  if (text.ends_with(".npy")) return read_npy(text, type.dtype);
  if (text.ends_with(".pb")) {
    const onnx::TensorProto message = read_tensor_file(text);
    return in_place(in_quotes(text), [&] { return copy_of(read_tensor(message, nullptr)); });
  }
  if (type.dtype == DBK_STRING ? text.empty() : !begins_with_number(text)) refuse_text(text);
  if (type.kind != DBK_KIND_TENSOR) return std::nullopt;
  const ValueList values = parse_values(text);
  return values.dims ? std::optional(tensor_of(values.words, type.dtype, *values.dims)) : std::nullopt;
}

// "[n, 2]" with symbols by name.
std::string shape_text(const ImportedModel& model, const daybreak::Dims& dims) {
  std::vector<std::string> words;
  for (const int64_t dim : dims)
    words.push_back(dim >= 0 ? std::to_string(dim) : printable(model.symbols[static_cast<std::size_t>(-1 - dim)]));
  return "[" + joined(words) + "]";
}

// Extents of symbols: what arrays that are given have, else the largest of a range, else what the number of values tells.
class Extents {
 public:
  Extents(const ImportedModel& model, const InputSources& sources, const std::map<std::string, DimRange>& dims)
      : model_(model) {
    for (std::size_t i = 0; i < model.symbols.size(); ++i) {
      const auto range = dims.find(model.symbols[i]);
      if (range != dims.end() && range->second.max >= 0) known_[DBK_DIM_SYMBOL(i)] = range->second.max;
    }
    for (const ModelInput& input : model.inputs) {
      const auto source = sources.find(input.name);
      if (source == sources.end() || !source->second.tensor || !input.shape.ranked()) continue;
      const daybreak::Dims& given = source->second.tensor->dims;
      for (std::size_t axis = 0; axis < std::min(given.size(), input.shape.dims().size()); ++axis)
        known_[input.shape.dims()[axis]] = given[axis];
    }
    learn_from_counts(sources);
  }

  daybreak::Dims of(const ModelInput& input) const {
    if (!input.shape.ranked()) fail(DBK_INVALID_ARGUMENT, "the model does not tell its rank; give it a .npy file");
    const daybreak::Dims result = known(input);
    std::vector<std::string> names, options;
    for (const int64_t dim : result) {
      if (dim >= 0) continue;
      const std::string& name = model_.symbols[static_cast<std::size_t>(-1 - dim)];
      if (std::ranges::find(names, in_quotes(name)) != names.end()) continue;
      names.push_back(in_quotes(name));
      options.push_back(std::format("--dim {}=N", name));
    }
    if (!names.empty())
      fail(DBK_INVALID_ARGUMENT, std::format("dimension{} {} {} not known: give {}", names.size() > 1 ? "s" : "", joined(names, " and "),
                                             names.size() > 1 ? "are" : "is", joined(options, " ")));
    return result;
  }

  // Where one extent is not known, the number of values tells it.
  daybreak::Dims of(const ModelInput& input, std::size_t count) const {
    if (!input.shape.ranked()) return {static_cast<int64_t>(count)};
    daybreak::Dims result = known(input);
    if (std::ranges::count_if(result, is_symbol) != 1) return of(input);
    const std::optional<int64_t> extent = extent_left(result, count);
    if (!extent)
      fail(DBK_INVALID_ARGUMENT, std::format("{} values do not fill {}{}, whatever {} is", count, daybreak::dtype_name(input.dtype),
                                             shape_text(model_, result), symbol_name(result)));
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
      if (is_symbol(result[axis])) result[axis] = *extent;
    }
    return result;
  }

 private:
  static bool is_symbol(int64_t dim) { return dim < 0; }

  // The declared shape with the extents that are known; the others stay symbols.
  daybreak::Dims known(const ModelInput& input) const {
    daybreak::Dims result;
    for (const int64_t dim : input.shape.dims()) {
      const auto extent = known_.find(dim);
      result.push_back(dim < 0 && extent != known_.end() ? extent->second : dim);
    }
    return result;
  }

  // The extent of the one symbol in `dims` that makes it hold `count` elements.
  static std::optional<int64_t> extent_left(const daybreak::Dims& dims, std::size_t count) {
    int64_t others = 1;
    for (const int64_t dim : dims) {
      if (!is_symbol(dim) && __builtin_mul_overflow(others, dim, &others)) return std::nullopt;
    }
    if (others == 0 || static_cast<int64_t>(count) % others != 0) return std::nullopt;
    return static_cast<int64_t>(count) / others;
  }

  std::string symbol_name(const daybreak::Dims& dims) const {
    return in_quotes(model_.symbols[static_cast<std::size_t>(-1 - *std::ranges::find_if(dims, is_symbol))]);
  }

  // Values without brackets tell an extent once the others of their input are known, which may tell one of another input.
  void learn_from_counts(const InputSources& sources) {
    for (bool learnt = true; learnt;) {
      learnt = false;
      for (const ModelInput& input : model_.inputs) {
        const auto source = sources.find(input.name);
        if (source == sources.end() || source->second.tensor || !input.shape.ranked()) continue;
        const std::string& text = source->second.text;
        if (text == "random" || text == "zeros") continue;
        const daybreak::Dims dims = known(input);
        if (std::ranges::count_if(dims, is_symbol) != 1) continue;
        const std::optional<int64_t> extent = extent_left(dims, parse_values(text).words.size());
        if (extent) known_[*std::ranges::find_if(dims, is_symbol)] = *extent, learnt = true;
      }
    }
  }

  const ImportedModel& model_;
  std::map<int64_t, int64_t> known_;  // by DBK_DIM_SYMBOL
};

void require_shape(const ImportedModel& model, const ModelInput& input, const Tensor& tensor) {
  const auto refuse = [&](const std::string& way_out) {
    fail(DBK_INVALID_ARGUMENT, std::format("it holds {}, but the input is {}{}", type_text(tensor.dtype, tensor.dims),
                                           declared_text(model, input), way_out));
  };
  if (tensor.dtype != input.dtype) refuse("; convert it with NumPy's astype");
  if (!input.shape.ranked()) return;
  const daybreak::Dims& declared = input.shape.dims();
  bool same = declared.size() == tensor.dims.size();
  for (std::size_t i = 0; same && i < declared.size(); ++i) same = declared[i] < 0 || declared[i] == tensor.dims[i];
  if (!same) refuse("");
}

Tensor make_input(const ImportedModel& model, const ModelInput& input, const InputSource& source,
                  const Extents& extents, uint64_t seed) {
  if (source.tensor) {
    require_shape(model, input, *source.tensor);
    return *source.tensor;
  }
  if (source.text == "random") return random_tensor(input.dtype, extents.of(input), seed);
  if (source.text == "zeros") return zeros(input.dtype, extents.of(input));
  const ValueList values = parse_values(source.text);
  return tensor_of(values.words, input.dtype, extents.of(input, values.words.size()));
}

}  // namespace

InputSources read_sources(const std::vector<std::string>& words, const onnx::GraphProto& graph) {
  InputSources result;
  for (const std::string& word : words) {
    in_place("--input " + printable(word), [&] {
      const onnx::ValueInfoProto& input = input_of(word, graph);
      const std::string text = word.substr(input.name().size() + 1);
      if (!result.emplace(input.name(), InputSource{text, read_array(text, input)}).second)
        fail(DBK_ALREADY_EXISTS, "the input has a value already");
    });
  }
  return result;
}

void apply_sources(const InputSources& sources, const onnx::GraphProto& graph, ImportOptions& options) {
  for (const auto& [name, source] : sources) {
    if (source.tensor) options.shapes.emplace(name, source.tensor->dims);
  }
  const auto override_default = [&](const std::string& name) {
    if (sources.contains(name)) options.overridden.insert(name);
  };
  for (const onnx::TensorProto& tensor : graph.initializer()) override_default(tensor.name());
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) override_default(tensor.values().name());
}

std::vector<Tensor> make_inputs(const ImportedModel& model, const InputSources& sources,
                                const std::map<std::string, DimRange>& dims) {
  const Extents extents(model, sources, dims);
  std::vector<daybreak::Cause> causes;
  std::vector<Tensor> result;
  for (const ModelInput& input : model.inputs) {
    try {
      const auto source = sources.find(input.name);
      if (source == sources.end())
        fail(DBK_INVALID_ARGUMENT, std::format("{} has no value: give --input {}=FILE.npy, random, zeros or VALUES",
                                               declared_text(model, input), on_one_line(input.name)));
      if (input.kind != DBK_KIND_TENSOR) fail(DBK_UNIMPLEMENTED, "sequences and optionals cannot be given as inputs");
      result.push_back(make_input(model, input, source->second, extents, result.size() + 1));
    } catch (const daybreak::Error& error) {
      causes.push_back({error.status(), {}, {}, std::format("input {}: {}", in_quotes(input.name), error.message())});
    }
  }
  if (!causes.empty()) {
    const dbk_status status = causes.front().status;
    throw daybreak::Error(status, std::move(causes));
  }
  return result;
}

std::string declared_text(const ImportedModel& model, const ModelInput& input) {
  const std::string dtype = daybreak::dtype_name(input.dtype);
  if (!input.shape.ranked()) return dtype + " of any rank";
  return dtype + shape_text(model, input.shape.dims());
}

}  // namespace host

// Sources of inputs; see model_inputs.h.
#include "model_inputs.h"

#include <algorithm>
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
  fail(DBK_NOT_FOUND,
       "no input has this name; write NAME=FILE.npy, NAME=random, NAME=zeros or NAME=VALUES, where NAME is " +
           (names.empty() ? "nothing: the model has no inputs" : joined(names, " or ")));
}

std::optional<Tensor> read_file(const std::string& text, const onnx::ValueInfoProto& input) {
  if (text.ends_with(".npy")) return read_npy(text, read_type(input.type()).dtype);
  if (!text.ends_with(".pb")) return std::nullopt;
  const onnx::TensorProto message = read_tensor_file(text);
  return in_place(in_quotes(text), [&] { return copy_of(read_tensor(message, nullptr)); });
}

// Extents of symbols: what the files have, else the largest of a range.
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
  }

  daybreak::Dims of(const ModelInput& input) const {
    if (!input.shape.ranked()) fail(DBK_INVALID_ARGUMENT, "the model does not tell its rank; give it a .npy file");
    daybreak::Dims result;
    for (const int64_t dim : input.shape.dims()) {
      const auto extent = known_.find(dim);
      if (dim < 0 && extent == known_.end()) {
        const std::string& name = model_.symbols[static_cast<std::size_t>(-1 - dim)];
        fail(DBK_INVALID_ARGUMENT, std::format("dimension {} is not known: give --dim {}=N", in_quotes(name), name));
      }
      result.push_back(dim < 0 ? extent->second : dim);
    }
    return result;
  }

  // Where one extent is not known, the number of values tells it.
  daybreak::Dims of(const ModelInput& input, std::size_t count) const {
    daybreak::Dims result;
    std::size_t unknown = 0, at = 0;
    int64_t product = 1;
    for (const int64_t dim : input.shape.dims()) {
      const auto extent = known_.find(dim);
      const bool known = dim >= 0 || extent != known_.end();
      if (!known) ++unknown, at = result.size();
      result.push_back(!known ? 1 : dim < 0 ? extent->second : dim);
      product *= known ? result[result.size() - 1] : 1;
    }
    if (!input.shape.ranked()) return {static_cast<int64_t>(count)};
    if (unknown != 1) return of(input);
    result[at] = product > 0 ? static_cast<int64_t>(count) / product : 0;
    return result;
  }

 private:
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
  const Tensor result =
      tensor_of(values.words, input.dtype, values.dims ? *values.dims : extents.of(input, values.words.size()));
  require_shape(model, input, result);
  return result;
}

}  // namespace

InputSources read_sources(const std::vector<std::string>& words, const onnx::GraphProto& graph) {
  InputSources result;
  for (const std::string& word : words) {
    in_place("--input " + printable(word), [&] {
      const onnx::ValueInfoProto& input = input_of(word, graph);
      const std::string text = word.substr(input.name().size() + 1);
      if (!result.emplace(input.name(), InputSource{text, read_file(text, input)}).second)
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
                                               declared_text(model, input), input.name));
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
  std::vector<std::string> words;
  for (const int64_t dim : input.shape.dims())
    words.push_back(dim >= 0 ? std::to_string(dim) : printable(model.symbols[static_cast<std::size_t>(-1 - dim)]));
  return dtype + "[" + joined(words) + "]";
}

}  // namespace host

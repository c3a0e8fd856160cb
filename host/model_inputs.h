// The values that the inputs of a model get: from the words of --input, from files, or made up.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "onnx/imported_model.h"
#include "tensors/tensor.h"

namespace host {

// What was asked for one input: --input NAME=FILE.npy|FILE.pb|random|zeros|VALUES.
struct InputSource {
  std::string text;              // behind the `=`
  std::optional<Tensor> tensor;  // where it is a file or has brackets: what tells its shape
};
using InputSources = std::map<std::string, InputSource>;

// Matches the words with the names of the model's inputs (names may hold `=` themselves) and reads files. Throws
// daybreak::Error naming the option: unknown or repeated names, files that cannot be read, what is neither a file nor values.
InputSources read_sources(const std::vector<std::string>& words, const onnx::GraphProto& graph);

// What the sources mean for the import: defaults they replace, shapes they have.
void apply_sources(const InputSources& sources, const onnx::GraphProto& graph, ImportOptions& options);

// A tensor for each input. `dims`: as in ImportOptions, for inputs that are made up. Throws daybreak::Error that lists
// every input without a source, wrong types and shapes, and extents that nothing tells.
std::vector<Tensor> make_inputs(const ImportedModel& model, const InputSources& sources,
                                const std::map<std::string, DimRange>& dims);

// "f32[batch, 3]", as declared.
std::string declared_text(const ImportedModel& model, const ModelInput& input);

}  // namespace host

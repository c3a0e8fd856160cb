// The main graph: inputs with symbols, initialisers, nodes, outputs. See importer.h.
#include "importer.h"

#include <algorithm>
#include <format>

#include "error_place.h"
#include "node_order.h"
#include "printable.h"
#include "shape_operands.h"
#include "units.h"
#include "value_type.h"

namespace host {
namespace {

constexpr std::size_t longest_name = 200;  // in a function: called a million times, it copies its names as often

// What nodes make, other than constants.
std::unordered_set<std::string> computed_names(const onnx::GraphProto& graph) {
  std::unordered_set<std::string> names;
  for (const onnx::NodeProto& node : graph.node())
    if (node.op_type() != "Constant") names.insert(node.output().begin(), node.output().end());
  return names;
}

}  // namespace

const daybreak::Value* Frame::find(const std::string& name) const {
  for (const Frame* frame = this; frame; frame = frame->around) {
    const auto known = frame->values.find(name);
    if (known != frame->values.end()) return &known->second;
  }
  return nullptr;
}

onnx::TypeProto Frame::type_of(const std::string& name) const {
  for (const Frame* frame = this; frame; frame = frame->around) {
    const auto known = frame->types.find(name);
    if (known != frame->types.end()) return known->second;
    if (frame->values.contains(name)) break;
  }
  return {};
}

std::string Frame::value_name(const std::string& name) const {
  const auto known = renamed.find(name);
  if (known != renamed.end()) return known->second;
  return prefixed(name);
}

std::string Frame::prefixed(const std::string& name) const {
  return prefix.empty() ? name : prefix + name.substr(0, longest_name);
}

std::string Frame::prefix_of_call(const onnx::NodeProto& node) const {
  return (prefix + (node.name().empty() ? node.op_type() : node.name())).substr(0, longest_name) + "/";
}

Importer::Importer(ModelFile& file, const ImportOptions& options)
    : file_(file),
      options_(options),
      faults_(file.name()),
      opsets_(in_place(file.name(), [&] { return Opsets(file.model().opset_import()); })),
      functions_(file.model(), faults_),
      symbols_(result_.graph, file.model().graph(), options),
      weights_(result_.graph) {}

ImportedModel Importer::run() {
  const onnx::ModelProto& model = file_.model();
  if (!model.has_graph()) throw daybreak::Error(DBK_INVALID_ARGUMENT, file_.name() + ": the model has no graph");
  if (model.opset_import().empty())
    throw daybreak::Error(DBK_INVALID_ARGUMENT, file_.name() + ": no opset is imported");
  if (model.ir_version() > onnx::Version::IR_VERSION) {
    result_.warnings.push_back(std::format("{}: IR version {} is newer than {}, the newest known here", file_.name(),
                                           model.ir_version(), static_cast<int>(onnx::Version::IR_VERSION)));
  }
  const std::unordered_set<std::string> shapes = shape_operands(model.graph().node());
  Frame frame;
  frame.opsets = &opsets_;
  frame.shape_operands = &shapes;
  if (options_.knows) declared_types(model.graph(), frame);
  initializers(model.graph(), frame);
  main_inputs(frame);
  const std::vector<int> order = in_place(file_.name(), [&] { return order_in(model.graph().node(), frame); });
  nodes(model.graph().node(), order, frame);
  main_outputs(frame);
  faults_.throw_if_any();
  check_options();
  result_.symbols = symbols_.names();
  result_.memory = weights_.take_memory();
  return std::move(result_);
}

void Importer::declared_types(const onnx::GraphProto& graph, Frame& frame) {
  for (const auto* list : {&graph.input(), &graph.value_info(), &graph.output()}) {
    for (const onnx::ValueInfoProto& value : *list) frame.types.emplace(value.name(), value.type());
  }
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    onnx::TypeProto type;
    type.mutable_tensor_type()->set_elem_type(tensor.data_type());
    for (const int64_t extent : tensor.dims())
      type.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(extent);
    frame.types.emplace(tensor.name(), std::move(type));
  }
}

// Names of the caller that mean nothing in this model.
void Importer::check_options() {
  const std::vector<std::string> unused = symbols_.unused();
  if (options_.dims_of_others) result_.unknown_dims = unused;
  if (unused.empty() || options_.dims_of_others) return;
  std::vector<std::string> known;
  for (const std::string& name : symbols_.names()) known.push_back(in_quotes(name));
  std::vector<std::string> words;
  for (const std::string& name : unused) words.push_back(in_quotes(name));
  throw daybreak::Error(DBK_NOT_FOUND, std::format("{}: no dimension is called {}; {}", file_.name(), joined(words),
                                                   known.empty() ? "none is dynamic" : "there are: " + joined(known)));
}

void Importer::main_inputs(Frame& frame) {
  std::unordered_set<std::string> with_default;  // so far, initialisers are all there is
  for (const auto& [name, value] : frame.values) with_default.insert(name);
  for (const onnx::ValueInfoProto& input : file_.model().graph().input()) {
    if (with_default.contains(input.name())) continue;
    faults_.collect("input " + in_quotes(input.name()), [&] { main_input(input, frame); });
  }
  for (const auto& [name, extents] : symbols_.reused()) {
    result_.warnings.push_back(
        std::format("{}: dimension {} has two extents in the inputs given ({}); its uses are taken as "
                    "different dimensions",
                    file_.name(), in_quotes(name), extents));
  }
}

void Importer::main_input(const onnx::ValueInfoProto& input, Frame& frame) {
  if (input.name().empty()) throw daybreak::Error(DBK_INVALID_ARGUMENT, "it has no name");
  const ValueType declared = read_type(input.type());
  if (declared.dtype == DBK_DTYPE_NONE) throw daybreak::Error(DBK_INVALID_ARGUMENT, "its element type is not stated");
  ModelInput result{input.name(), declared.kind, declared.dtype, daybreak::unknown_rank};
  if (declared.shape) {
    daybreak::Dims dims;
    for (int axis = 0; axis < declared.shape->dim_size(); ++axis) {
      const auto index = static_cast<std::size_t>(axis);
      dims.push_back(symbols_.dim(declared.shape->dim(axis), input.name(), index).extent);
    }
    result.shape = dims;
  }
  const daybreak::Value value = result_.graph.input(result.name, result.dtype, result.shape, result.kind);
  if (result.kind != DBK_KIND_TENSOR) kinds_[value.id] = result.kind;
  define(frame, input.name(), value);
  result_.inputs.push_back(std::move(result));
}

void Importer::main_outputs(Frame& frame) {
  const onnx::GraphProto& graph = file_.model().graph();
  if (graph.output().empty()) faults_.add("", DBK_INVALID_ARGUMENT, "the graph has no outputs");
  const std::unordered_set<std::string> computed = computed_names(graph);
  for (const onnx::ValueInfoProto& output : graph.output()) {
    faults_.collect("output " + in_quotes(output.name()), [&] {
      if (output.name().empty()) throw daybreak::Error(DBK_INVALID_ARGUMENT, "it has no name");
      daybreak::Value value = read(frame, output.name());
      if (!value) return;  // what should make it is a fault already
      // A function may hand its input through; then the value has the input's name.
      if (result_.graph.name_of(value) != output.name()) {
        const daybreak::Op identity = daybreak::Op("Identity").in("", std::max(opsets_.find("").value_or(13), oldest_opset));
        value = result_.graph.node(identity, {value});
      } else if (computed.contains(output.name()) && output.type().has_tensor_type()) {
        // The type of elements holds even where only the run tells the shape; the shape itself is not to be trusted.
        result_.graph.declare(value, read_type(output.type()).dtype, daybreak::unknown_rank);
      }
      result_.graph.output(value, output.name());
      result_.outputs.push_back(output.name());
    });
  }
}

ImportedModel import_model(ModelFile& file, const ImportOptions& options) { return Importer(file, options).run(); }

}  // namespace host

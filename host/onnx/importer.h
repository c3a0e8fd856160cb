// The walk behind import_model: graphs, nodes and functions in, calls of GraphBuilder out. Faults are collected and the
// walk goes on. Depth and number of nodes are limited: functions that call functions can ask for any amount.
#pragma once

#include <optional>
#include <unordered_map>

#include "faults.h"
#include "functions.h"
#include "imported_model.h"
#include "legacy_ops.h"
#include "op_functions.h"
#include "symbols.h"
#include "value_kinds.h"
#include "weights.h"

namespace host {

// A sequence that the graph makes of a known number of tensors, and the node that does.
struct KnownSequence {
  const onnx::NodeProto* node;
  std::vector<daybreak::Value> elements;
};

// The elements of a constant.
struct Integers {
  bool is_scalar;
  std::vector<int64_t> values;
};

// Where names mean something: the main graph, a body inside it, or one call of a function.
struct Frame {
  const Frame* around = nullptr;  // of a body: the graph whose names it sees too
  const Frame* caller = nullptr;  // of a function, and of the bodies in it
  const Opsets* opsets = nullptr;
  const std::unordered_set<std::string>* shape_operands = nullptr;
  const Function* function = nullptr;
  const onnx::NodeProto* call = nullptr;                    // the node that called it
  std::string path;                                         // in front of the places in messages
  std::string prefix;                                       // in front of the names of values and nodes
  std::unordered_map<std::string, std::string> renamed;     // outputs of a function are called as its caller calls them
  std::unordered_map<std::string, daybreak::Value> values;  // absent where an optional input of a function is

  std::unordered_map<std::string, KnownSequence> sequences;  // that are no values, or not yet
  std::unordered_map<std::string, onnx::TypeProto> types;    // as far as they are declared or follow

  const daybreak::Value* find(const std::string& name) const;
  const KnownSequence* find_sequence(const std::string& name) const;
  onnx::TypeProto type_of(const std::string& name) const;  // empty where it is not known
  std::string value_name(const std::string& name) const;
  std::string prefixed(const std::string& name) const;
  std::string prefix_of_call(const onnx::NodeProto& node) const;
};

class Importer {
 public:
  Importer(ModelFile& file, const ImportOptions& options);
  ImportedModel run();

 private:
  // importer.cpp: the main graph
  void check_options();
  void main_inputs(Frame& frame);
  void main_input(const onnx::ValueInfoProto& input, Frame& frame);
  void main_outputs(Frame& frame);
  static void declared_types(const onnx::GraphProto& graph, Frame& frame);
  static void note_types(const onnx::NodeProto& node, Frame& frame);  // of outputs that are not declared

  // importer_graph.cpp: what the main graph and bodies have in common
  void initializers(const onnx::GraphProto& graph, Frame& frame);
  static std::vector<int> order_in(const Nodes& nodes, const Frame& frame);  // with inputs and initialisers in `frame`
  void nodes(const Nodes& nodes, const std::vector<int>& order, Frame& frame);
  daybreak::Block body(const onnx::GraphProto& graph, const Frame& around, const std::string& path, Kinds& outputs);
  void body_inputs(const onnx::GraphProto& graph, Frame& frame);
  void define(Frame& frame, const std::string& name, daybreak::Value value);
  daybreak::Value read(Frame& frame, const std::string& name);  // throws where nothing has that name

  // importer_node.cpp
  void node(const onnx::NodeProto& node, Frame& frame, const std::string& place);
  const Function* definition(const onnx::NodeProto& node, const Frame& frame);  // null: the node stays one
  bool constant(const onnx::NodeProto& node, Frame& frame);
  void plain_node(const onnx::NodeProto& node, Frame& frame, const std::string& place);
  void call(const Function& function, const onnx::NodeProto& node, Frame& frame, const std::string& place);
  std::vector<daybreak::Value> operands(const onnx::NodeProto& node, Frame& frame, const std::string& place);
  void bind_outputs(const onnx::NodeProto& node, const std::vector<daybreak::Value>& outputs, const Kinds& kinds,
                    Frame& frame);
  uint32_t version(const onnx::NodeProto& node, const Frame& frame);
  uint32_t kind(daybreak::Value value) const;

  // importer_sequences.cpp
  bool known_sequence(const onnx::NodeProto& node, Frame& frame, const std::string& place);
  std::optional<std::vector<daybreak::Value>> elements_of(const onnx::NodeProto& node, Frame& frame);  // none: not known
  std::optional<std::vector<daybreak::Value>> split_elements(const onnx::NodeProto& given, Frame& frame);
  bool read_sequence(const onnx::NodeProto& given, Frame& frame, const std::string& place);
  bool known_optional(const onnx::NodeProto& node, Frame& frame, const std::string& place);
  void constant_node(const onnx::NodeProto& instead_of, const onnx::TensorProto& tensor, Frame& frame, const std::string& place);
  const Integers* known_integers(const Frame& frame, const std::string& name) const;  // of a constant, or null
  void note_integers(daybreak::Value value, const TensorData& data);
  void note_constant(const onnx::NodeProto& node, const Frame& frame);

  // importer_attributes.cpp
  struct Resolved {
    const onnx::AttributeProto* attribute;  // null: not given, and optional
    const Frame* frame;                     // where it was written
  };
  static Resolved resolve(const onnx::AttributeProto& attribute, const Frame& frame);
  // A copy of the node with what its attributes stand for: definitions that depend on attributes look at them.
  static onnx::NodeProto with_attributes(const onnx::NodeProto& node, const Frame& frame);
  std::vector<daybreak::Attr> attributes(const onnx::NodeProto& node, const Frame& frame, const std::string& place,
                                         std::vector<Kinds>& bodies);
  daybreak::Attr attribute(const std::string& name, const Resolved& resolved, const std::string& place,
                           std::vector<Kinds>& bodies);
  daybreak::TypeOf type(const onnx::TypeProto& type);

  ModelFile& file_;
  const ImportOptions& options_;
  Faults faults_;
  ImportedModel result_;
  Opsets opsets_;
  Functions functions_;
  OpFunctions op_functions_;
  LegacyFunctions legacy_functions_;
  Symbols symbols_;
  Weights weights_;
  std::unordered_map<uint32_t, uint32_t> kinds_;     // of values that are no tensors
  std::unordered_map<uint32_t, Integers> integers_;  // of values that are short constants
  std::set<std::string> domains_warned_;
  std::size_t depth_ = 0, nodes_ = 0;
};

}  // namespace host

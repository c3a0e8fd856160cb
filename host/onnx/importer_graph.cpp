// What graphs and bodies have in common: initialisers, nodes in order, names. See importer.h.
#include <format>

#include "importer.h"
#include "node_order.h"
#include "printable.h"
#include "value_type.h"

namespace host {
namespace {

constexpr std::size_t deepest = 64;          // bodies and calls within each other; the plugin's limit for bodies
constexpr std::size_t most_nodes = 1000000;  // after inlining

class Deeper {
 public:
  explicit Deeper(std::size_t& depth) : depth_(depth) {
    if (depth_ >= deepest) throw daybreak::Error(DBK_OUT_OF_RANGE, std::format("nested over {} deep", deepest));
    ++depth_;
  }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  std::size_t& depth_;
};

}  // namespace

void Importer::initializers(const onnx::GraphProto& graph, Frame& frame) {
  const auto add = [&](const std::string& name, auto&& data) {
    if (frame.path.empty() && options_.overridden.contains(name)) return;
    faults_.collect(std::format("{}initializer {}", frame.path, in_quotes(name)), [&] {
      if (name.empty()) throw daybreak::Error(DBK_INVALID_ARGUMENT, "it has no name");
      const TensorData tensor = data();
      const daybreak::Value value = weights_.add(frame.value_name(name), tensor, frame.shape_operands->contains(name));
      define(frame, name, value);
      note_integers(value, tensor);
    });
    frame.values.emplace(name, daybreak::absent);  // after a fault: one is enough
  };
  for (const onnx::TensorProto& tensor : graph.initializer())
    add(tensor.name(), [&] { return read_tensor(tensor, &file_.external()); });
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer())
    add(tensor.values().name(), [&] { return read_sparse_tensor(tensor, &file_.external()); });
}

std::vector<int> Importer::order_in(const Nodes& nodes, const Frame& frame) {
  return node_order(nodes, [&](const std::string& name) { return frame.values.contains(name); });
}

void Importer::nodes(const Nodes& nodes, const std::vector<int>& order, Frame& frame) {
  const Deeper deeper(depth_);
  for (const int index : order) {
    const std::string place = frame.path + describe(index, nodes[index]);
    if (nodes_ > most_nodes) return;
    if (++nodes_ > most_nodes)
      return faults_.add(place, DBK_OUT_OF_RANGE, std::format("over {} nodes after inlining functions", most_nodes));
    faults_.collect(place, [&] { node(nodes[index], frame, place); });
    if (options_.knows) note_types(nodes[index], frame);
    for (const std::string& name : nodes[index].output())
      if (!frame.sequences.contains(name)) frame.values.emplace(name, daybreak::absent);  // after a fault
  }
}

daybreak::Block Importer::body(const onnx::GraphProto& graph, const Frame& around, const std::string& path,
                               Kinds& outputs) {
  Frame frame;
  frame.around = &around;
  frame.caller = around.caller;
  frame.opsets = around.opsets;
  frame.shape_operands = around.shape_operands;
  frame.function = around.function;
  frame.call = around.call;
  frame.prefix = around.prefix;
  frame.path = path + " > ";
  return result_.graph.body(graph.name(), [&] {
    initializers(graph, frame);
    body_inputs(graph, frame);
    nodes(graph.node(), order_in(graph.node(), frame), frame);
    for (const onnx::ValueInfoProto& output : graph.output()) {
      faults_.collect(frame.path + "output " + in_quotes(output.name()), [&] {
        const daybreak::Value value = read(frame, output.name());
        outputs.push_back(kind(value));
        if (value) result_.graph.output(value);
      });
    }
  });
}

// Only the element type is stated: what arrives decides the shape, and declared ones are often those of the first
// round.
void Importer::body_inputs(const onnx::GraphProto& graph, Frame& frame) {
  for (const onnx::ValueInfoProto& input : graph.input()) {
    if (frame.values.contains(input.name())) continue;  // an initialiser is its default
    faults_.collect(frame.path + "input " + in_quotes(input.name()), [&] {
      const ValueType type = read_type(input.type());
      const daybreak::Value value =
          result_.graph.input(frame.value_name(input.name()), type.dtype, daybreak::unknown_rank, type.kind);
      if (type.kind != DBK_KIND_TENSOR) kinds_[value.id] = type.kind;
      define(frame, input.name(), value);
    });
  }
}

void Importer::define(Frame& frame, const std::string& name, daybreak::Value value) {
  if (frame.values.emplace(name, value).second) return;
  throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("{} is made a second time", in_quotes(name)));
}

daybreak::Value Importer::read(Frame& frame, const std::string& name) {
  if (const daybreak::Value* value = frame.find(name)) return *value;
  if (const KnownSequence* sequence = frame.find_sequence(name)) {
    plain_node(*sequence->node, frame, frame.path + in_quotes(name));
    return *frame.find(name);
  }
  throw daybreak::Error(DBK_INVALID_ARGUMENT, std::format("no node, input or initializer makes {}", in_quotes(name)));
}

}  // namespace host

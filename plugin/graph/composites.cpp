#include "plugin/graph/composites.h"

#include <algorithm>

#include "plugin/graph/passes/rewriter.h"
#include "plugin/graph/schema.h"

namespace dbk {

// One composite node while the nodes that stand for it are written.
class Expansion {
 public:
  Expansion(Graph& graph, const Node& node, std::vector<Node>& out) : graph_(graph), node_(node), out_(out) {}

  const Attributes& attrs() const { return node_.attrs; }
  ValueId in(size_t i) const { return i < node_.inputs.size() ? node_.inputs[i] : DBK_NONE; }
  bool has(size_t i) const { return in(i) != DBK_NONE; }
  bool wants(size_t i) const { return i < node_.outputs.size() && node_.outputs[i] != DBK_NONE; }

  // A node whose result is output `i` of the composite, or a value of its own.
  void result(size_t i, std::string_view op, std::vector<ValueId> inputs, Attributes attrs = {}) {
    add(Rewriter::make(op, std::move(inputs), {node_.outputs[i]}, std::move(attrs)));
  }
  ValueId value(std::string_view op, std::vector<ValueId> inputs, Attributes attrs = {}) {
    const ValueId v = new_value();
    add(Rewriter::make(op, std::move(inputs), {v}, std::move(attrs)));
    return v;
  }
  ValueId new_value() {
    graph_.values.emplace_back();
    return static_cast<ValueId>(graph_.values.size() - 1);
  }
  ValueId integers(const std::vector<int64_t>& list) {
    const ValueId v = new_value();
    graph_.values[v].become_constant(std::make_shared<HostTensor>(integer_list(list)));
    return v;
  }
  void add(Node made) {
    made.name = node_.name;
    made.table_index = node_.table_index;
    made.on_host = node_.on_host;
    out_.push_back(std::move(made));
  }
  ValueId output(size_t i) const { return node_.outputs[i]; }

 private:
  Graph& graph_;
  const Node& node_;
  std::vector<Node>& out_;
};

namespace {

Attributes with(std::string name, AttributeValue value) {
  Attributes attrs;
  attrs.set(std::move(name), std::move(value));
  return attrs;
}

// Those of the composite's attributes that `names` lists.
Attributes same(const Attributes& given, std::initializer_list<std::string_view> names) {
  Attributes attrs;
  for (const Attribute& a : given.items())
    if (std::ranges::find(names, a.name) != names.end()) attrs.set(a.name, a.value);
  return attrs;
}

ValueId with_bias(Expansion& e, size_t bias) { return e.has(bias) ? e.value("Add", {e.in(0), e.in(bias)}) : e.in(0); }

void gelu(Expansion& e) { e.result(0, "Gelu", {e.in(0)}); }
void bias_gelu(Expansion& e) { e.result(0, "Gelu", {with_bias(e, 1)}); }
void fast_gelu(Expansion& e) { e.result(0, "Gelu", {with_bias(e, 1)}, with("approximate", std::string("tanh"))); }

void quick_gelu(Expansion& e) { e.result(0, "Swish", {e.in(0)}, same(e.attrs(), {"alpha"})); }

void trilu(Expansion& e) {
  std::vector<ValueId> inputs{e.in(0)};
  if (e.has(1)) inputs.push_back(e.in(1));
  e.result(0, "Trilu", std::move(inputs), same(e.attrs(), {"upper"}));
}

// ONNX renamed it with version 11.
void scatter(Expansion& e) { e.result(0, "ScatterElements", {e.in(0), e.in(1), e.in(2)}, same(e.attrs(), {"axis"})); }

// left * gelu(right), the halves of x + bias.
void bias_split_gelu(Expansion& e) {
  const ValueId left = e.new_value(), right = e.new_value();
  Attributes halves = with("axis", int64_t{-1});
  halves.set("num_outputs", int64_t{2});
  e.add(Rewriter::make("Split", {e.value("Add", {e.in(0), e.in(1)})}, {left, right}, std::move(halves)));
  e.result(0, "Mul", {left, e.value("Gelu", {right})});
}

// ---- activations behind products ----

struct Activation {
  std::string_view op;
  std::vector<const char*> parameters;  // its attributes
};
const Activation kActivations[] = {
    {"Relu", {}},    {"Sigmoid", {}}, {"Tanh", {}},    {"HardSwish", {}}, {"Softplus", {}}, {"Softsign", {}},
    {"LeakyRelu", {"alpha"}}, {"Elu", {"alpha"}}, {"ThresholdedRelu", {"alpha"}}, {"HardSigmoid", {"alpha", "beta"}}, {"Clip", {"min", "max"}},
};

// Before version 11 Clip has its bounds as attributes.
constexpr uint32_t kClipByAttributes = 6;

Node activation_node(const Activation& activation, ValueId x, ValueId y, Attributes attrs) {
  if (activation.op != "Clip") return Rewriter::make(activation.op, {x}, {y}, std::move(attrs));
  Node node = Rewriter::make("Clip", {x}, {y});
  node.opset = kClipByAttributes;
  node.schema = find_schema("", "Clip", kClipByAttributes);
  node.version = node.schema->since;
  node.attrs = std::move(attrs);
  check_attributes_and_fill_defaults(*node.schema, node.attrs);
  return node;
}

// `parameters` in the activation's order; those left out have their defaults.
void add_activation(Expansion& e, const std::string& name, const std::vector<double>& parameters, ValueId x) {
  const auto activation = std::ranges::find(kActivations, std::string_view(name), &Activation::op);
  if (activation == std::end(kActivations) || !find_op("", name)) fail(DBK_UNIMPLEMENTED, "activation is '{}'", name);
  if (parameters.size() > activation->parameters.size())
    fail(DBK_INVALID_ARGUMENT, "activation '{}' has {} parameters, not {}", name, activation->parameters.size(), parameters.size());
  Attributes attrs;
  for (size_t i = 0; i < parameters.size(); ++i) attrs.set(activation->parameters[i], parameters[i]);
  e.add(activation_node(*activation, x, e.output(0), std::move(attrs)));
}

std::string activation_of(const Attributes& attrs) { return attrs.has("activation") ? attrs.text("activation") : ""; }

void fused_gemm(Expansion& e) {
  std::vector<ValueId> inputs{e.in(0), e.in(1)};
  if (e.has(2)) inputs.push_back(e.in(2));
  Attributes attrs = same(e.attrs(), {"alpha", "beta", "transA", "transB"});
  const std::string activation = activation_of(e.attrs());
  if (activation.empty()) return e.result(0, "Gemm", inputs, std::move(attrs));
  std::vector<double> parameters;
  for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (e.attrs().has(name)) parameters.push_back(e.attrs().real(name));
  add_activation(e, activation, parameters, e.value("Gemm", inputs, std::move(attrs)));
}

void fused_conv(Expansion& e) {
  std::vector<ValueId> inputs{e.in(0), e.in(1)};
  if (e.has(2)) inputs.push_back(e.in(2));
  Attributes attrs = same(e.attrs(), {"auto_pad", "dilations", "group", "kernel_shape", "pads", "strides"});
  const std::string activation = activation_of(e.attrs());
  if (activation.empty() && !e.has(3)) return e.result(0, "Conv", inputs, std::move(attrs));
  const ValueId convolved = e.value("Conv", inputs, std::move(attrs));
  if (activation.empty()) return e.result(0, "Add", {convolved, e.in(3)});
  const ValueId sum = e.has(3) ? e.value("Add", {convolved, e.in(3)}) : convolved;
  const bool given = e.attrs().has("activation_params");
  add_activation(e, activation, given ? e.attrs().reals("activation_params") : std::vector<double>(), sum);
}

// ---- EmbedLayerNormalization ----

enum Embed : size_t { kIds, kSegments, kWords, kPositionTable, kSegmentTable, kGamma, kBeta, kMask, kPositions };

Attributes part_of_shape(int64_t start, int64_t end) {
  Attributes attrs = with("start", start);
  attrs.set("end", end);
  return attrs;
}

// Rows of the table of positions: those listed, or as many as there are ids in a sequence.
ValueId embedded_positions(Expansion& e) {
  if (e.has(kPositions)) return e.value("Gather", {e.in(kPositionTable), e.in(kPositions)});
  const ValueId length = e.value("Shape", {e.in(kIds)}, part_of_shape(1, 2));
  return e.value("Slice", {e.in(kPositionTable), e.integers({0}), length, e.integers({0})});
}

// Of each sequence how many elements of the mask are set; zeros without a mask.
void mask_index(Expansion& e) {
  if (e.has(kMask)) return e.result(1, "ReduceSum", {e.in(kMask), e.integers({1})}, with("keepdims", int64_t{0}));
  const auto zero = std::make_shared<HostTensor>(HostTensor{{DBK_I32, {1}}, std::vector<std::byte>(4)});
  e.result(1, "ConstantOfShape", {e.value("Shape", {e.in(kIds)}, part_of_shape(0, 1))}, with("value", std::shared_ptr<const HostTensor>(zero)));
}

void embed_layer_normalization(Expansion& e) {
  ValueId sum = e.value("Gather", {e.in(kWords), e.in(kIds)});
  if (e.has(kSegmentTable) != e.has(kSegments)) fail(DBK_INVALID_ARGUMENT, "segment_ids and segment_embedding come together");
  if (e.has(kSegments)) sum = e.value("Add", {sum, e.value("Gather", {e.in(kSegmentTable), e.in(kSegments)})});
  sum = e.value("Add", {sum, embedded_positions(e)});
  Attributes attrs = same(e.attrs(), {"epsilon"});
  attrs.set("axis", int64_t{-1});
  e.result(0, "LayerNormalization", {sum, e.in(kGamma), e.in(kBeta)}, std::move(attrs));
  if (e.wants(1)) mask_index(e);
  if (e.wants(2)) e.result(2, "Identity", {sum});
}

// ---- Attention: the product with the weights of all projections, then what is left of it ----

void attention(Expansion& e) {
  enum : size_t { kInput, kWeights, kBias, kMaskIndex, kPast, kAdded, kPastLength };
  if (e.has(kPastLength)) fail(DBK_UNIMPLEMENTED, "past_sequence_length is given");
  for (const char* name : {"do_rotary", "past_present_share_buffer"})
    if (const int64_t value = e.attrs().integer_or(name, 0)) fail(DBK_UNIMPLEMENTED, "{} is {}", name, value);
  ValueId columns = e.value("MatMul", {e.in(kInput), e.in(kWeights)});
  if (e.has(kBias)) columns = e.value("Add", {columns, e.in(kBias)});
  std::vector<ValueId> inputs{columns, e.in(kMaskIndex), e.in(kPast), e.in(kAdded)}, outputs{e.output(0)};
  while (inputs.back() == DBK_NONE) inputs.pop_back();
  if (e.wants(1)) outputs.push_back(e.output(1));
  e.add(Rewriter::make("PackedAttention", std::move(inputs), std::move(outputs),
                       same(e.attrs(), {"num_heads", "unidirectional", "scale", "mask_filter_value", "qkv_hidden_sizes"}), "ai.daybreak"));
}

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr Composite kComposites[] = {
    {"", "Scatter", "ScatterElements", 0, scatter},
    {kMicrosoft, "Attention", "Attention", 0, attention},
    {kMicrosoft, "BiasGelu", "Gelu", 0, bias_gelu},
    {kMicrosoft, "BiasSplitGelu", "Gelu", 0, bias_split_gelu},
    {kMicrosoft, "EmbedLayerNormalization", "LayerNormalization", kWords, embed_layer_normalization},
    {kMicrosoft, "FastGelu", "Gelu", 0, fast_gelu},
    {kMicrosoft, "FusedConv", "Conv", 0, fused_conv},
    {kMicrosoft, "FusedGemm", "Gemm", 0, fused_gemm},
    {kMicrosoft, "Gelu", "Gelu", 0, gelu},
    {kMicrosoft, "QuickGelu", "Swish", 0, quick_gelu},
    {kMicrosoft, "Trilu", "Trilu", 0, trilu},
};

}  // namespace

std::span<const Composite> composites() { return kComposites; }

const Composite* find_composite(std::string_view domain, std::string_view name) {
  const auto found = std::ranges::find_if(kComposites, [&](const Composite& c) { return c.domain == domain && c.name == name; });
  return found == std::end(kComposites) ? nullptr : found;
}

void expand(Graph& graph, const Node& node, const Composite& composite, std::vector<Node>& out) {
  Expansion expansion(graph, node, out);
  composite.expand(expansion);
}

}  // namespace dbk

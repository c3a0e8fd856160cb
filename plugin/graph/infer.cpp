#include "plugin/graph/infer.h"

#include "plugin/graph/schema.h"

namespace dbk {

namespace {

// Largest tensor evaluated during inference: shape operands are short, weights are not.
constexpr int64_t kMaxKnownElements = 4096;

bool bit(uint32_t bits, size_t i) { return i < 32 && (bits >> i & 1) != 0; }

// Inputs of a node as its op's functions see them; `values` keeps the types, and the elements of those that are known.
std::vector<InferInput> inputs_of(const Node& node, const Types& types, std::vector<Tensor>& values) {
  std::vector<InferInput> inputs(node.inputs.size());
  values.resize(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueId v = node.inputs[i];
    if (v == DBK_NONE) continue;
    inputs[i].type = &types.types[v];
    values[i].type = types.types[v];
    if (!types.known[v]) continue;
    values[i] = types.known[v]->view();
    inputs[i].value = &values[i];
  }
  return inputs;
}

class Inferrer {
 public:
  Inferrer(const Graph& graph, const InferOptions& options) : graph_(graph), options_(options) {
    types_.types.resize(graph.values.size());
    types_.dtypes.resize(graph.values.size());
    for (ValueId v = 0; v < graph.values.size(); ++v) types_.dtypes[v] = graph.values[v].dtype;
    types_.known.resize(graph.values.size());
    deferred_.assign(graph.values.size(), false);
  }

  Types run() {
    for (ValueId v = 0; v < graph_.values.size(); ++v) start_constant(v);
    const auto& inputs = graph_.main().inputs;
    for (size_t i = 0; i < inputs.size(); ++i) start_input_named(i, inputs[i]);
    for (const Node& node : graph_.main().nodes) visit_named(node);
    return std::move(types_);
  }

 private:
  void start_constant(ValueId v) {
    const Value& value = graph_.values[v];
    if (value.origin == DBK_ORIGIN_COMPUTED) return;
    types_.types[v] = {value.dtype, Shape(value.dims)};
    if (value.constant && types_[v].count() <= kMaxKnownElements) types_.known[v] = value.constant;
  }

  void start_input_named(size_t position, ValueId v) {
    try {
      start_input(position, v);
    } catch (Error& e) {
      throw Error(e.causes().front().code, std::format("input {}: {}", describe(graph_, v), e.what()), DBK_NONE, v);
    }
  }

  void start_input(size_t position, ValueId v) {
    const Value& value = graph_.values[v];
    TensorType& type = types_.types[v];
    type.dtype = value.dtype;
    if (position < options_.input_shapes.size() && options_.input_shapes[position]) {
      type.shape = *options_.input_shapes[position];
    } else if (!value.known_rank) {
      return defer(v);
    } else {
      for (int64_t d : value.dims) {
        if (d == DBK_DIM_UNKNOWN) return defer(v);
        type.shape.push_back(is_symbol(d) ? options_.extents[symbol_of(d)] : d);
      }
    }
    type.bytes();  // throws where the product overflows
    if (position < options_.input_values.size() && options_.input_values[position]) keep(v, *options_.input_values[position]);
  }

  void keep(ValueId v, const Tensor& tensor) {
    const auto* bytes = tensor.as<std::byte>();
    auto copy = std::make_shared<HostTensor>();
    copy->type = tensor.type;
    copy->bytes.assign(bytes, bytes + tensor.type.bytes());
    types_.known[v] = std::move(copy);
  }

  // The type of v cannot be told before more is bound.
  void defer(ValueId v) {
    types_.types[v] = {};
    deferred_[v] = true;
    types_.complete = false;
  }

  void visit_named(const Node& node) {
    try {
      visit(node);
    } catch (Error& e) {
      for (Cause& c : e.causes()) {
        c.message = describe(node) + ": " + c.message;
        c.node = node.table_index;
      }
      throw;
    }
  }

  void visit(const Node& node) {
    if (!node.op) return defer_outputs(node);
    for (ValueId v : node.inputs)
      if (v != DBK_NONE && deferred_[v]) return defer_outputs(node);
    std::vector<TensorType> in_types;
    for (ValueId v : node.inputs) in_types.push_back(v == DBK_NONE ? TensorType{} : types_[v]);
    if (node.schema) check_types(*node.schema, in_types);  // what passes make was checked before
    std::vector<Tensor> in_values;
    const std::vector<InferInput> inputs = inputs_of(node, types_, in_values);
    std::vector<TensorType> outputs(node.outputs.size());
    try {
      Infer rule({&node.attrs, node.version}, inputs, outputs);
      node.op->host->infer(rule);
    } catch (const Infer::Unknown& unknown) {
      return unknown_shape(node, unknown.input);
    }
    store(node, outputs);
    evaluate(node, in_values);
  }

  void unknown_shape(const Node& node, size_t input) {
    const ValueId v = node.inputs[input];
    const std::vector<bool> deciding = shape_inputs(graph_);
    const bool bind_may_tell = options_.input_values.empty() && std::ranges::find(deciding, true) != deciding.end();
    if (bind_may_tell) return defer_outputs(node);
    fail(DBK_UNIMPLEMENTED, "input {} {} decides the output's shape but is only known during the run", input,
         describe(graph_, v));
  }

  void defer_outputs(const Node& node) {
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i] == DBK_NONE) continue;
      defer(node.outputs[i]);
      if (DType& dtype = types_.dtypes[node.outputs[i]]; dtype == DBK_DTYPE_NONE) dtype = dtype_by_schema(node, i);
    }
  }

  // Most outputs have the type of an input: the schema names both by one constraint.
  DType dtype_by_schema(const Node& node, size_t output) const {
    if (!node.schema) return DBK_DTYPE_NONE;
    if (node.op_name == "Cast") return dtype_of_onnx(node.attrs.integer("to"));
    if (node.op_name == "ConstantOfShape") return node.attrs.has("value") ? node.attrs.tensor("value").type.dtype : DType{DBK_F32};
    const auto outputs = node.schema->outputs();
    const auto inputs = node.schema->inputs();
    if (outputs.empty()) return DBK_DTYPE_NONE;
    const SchemaType& type = type_of(outputs[std::min(output, outputs.size() - 1)]);
    if (const DType only = only_dtype(type.tensors); only != DBK_DTYPE_NONE) return only;
    const std::string_view wanted = type.name;
    for (size_t i = 0; i < node.inputs.size() && i < inputs.size(); ++i)
      if (node.inputs[i] != DBK_NONE && type_of(inputs[i]).name == wanted) return types_.dtypes[node.inputs[i]];
    return DBK_DTYPE_NONE;
  }

  void store(const Node& node, const std::vector<TensorType>& outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) {
      const ValueId v = node.outputs[i];
      if (v == DBK_NONE) continue;
      const Value& declared = graph_.values[v];
      outputs[i].bytes();
      if (declared.dtype != DBK_DTYPE_NONE && declared.dtype != outputs[i].dtype)
        throw Error(DBK_INVALID_ARGUMENT,
                    std::format("output {} is declared {} but computed as {}", describe(graph_, v), to_string(declared.dtype),
                                to_string(outputs[i].dtype)), node.table_index, v);
      if (!agrees(declared, outputs[i].shape))
        throw Error(DBK_INVALID_ARGUMENT,
                    std::format("output {} is computed as {}, against its declared dims", describe(graph_, v), to_string(outputs[i].shape)),
                    node.table_index, v);
      types_.types[v] = outputs[i];
      types_.dtypes[v] = outputs[i].dtype;
    }
  }

  // Rank and fixed extents; symbols are only checked where they are given, at the graph's inputs.
  static bool agrees(const Value& declared, const Shape& shape) {
    if (!declared.known_rank || declared.origin != DBK_ORIGIN_COMPUTED) return true;
    if (declared.dims.size() != shape.rank()) return false;
    for (uint32_t i = 0; i < shape.rank(); ++i)
      if (declared.dims[i] >= 0 && declared.dims[i] != shape[i]) return false;
    return true;
  }

  // Elements of the outputs where those of all inputs that matter are known.
  void evaluate(const Node& node, const std::vector<Tensor>& inputs) {
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] != DBK_NONE && !types_.known[node.inputs[i]] && !bit(node.op->host->type_inputs, i)) return;
    std::vector<std::shared_ptr<HostTensor>> results;
    std::vector<Tensor> outputs;
    for (ValueId v : node.outputs) {
      auto result = std::make_shared<HostTensor>();
      if (v != DBK_NONE) {
        if (types_[v].count() > kMaxKnownElements) return;
        result->type = types_[v];
        result->bytes.resize(static_cast<size_t>(types_[v].bytes()));
      }
      outputs.push_back(result->view());
      results.push_back(std::move(result));
    }
    if (!contains(node.op->host->dtypes, inputs.empty() ? outputs.front().type.dtype : inputs.front().type.dtype)) return;
    std::vector<std::byte> work = work_memory(*node.op->host, {&node.attrs, node.version}, inputs);
    Compute compute({&node.attrs, node.version}, inputs, outputs, work.data());
    node.op->host->compute(compute);
    for (size_t i = 0; i < results.size(); ++i)
      if (node.outputs[i] != DBK_NONE) types_.known[node.outputs[i]] = std::move(results[i]);
  }

  const Graph& graph_;
  const InferOptions& options_;
  Types types_;
  std::vector<bool> deferred_;
};

}  // namespace

std::vector<int64_t> representative_extents(const Graph& graph) {
  std::vector<int64_t> extents;
  for (const Symbol& s : graph.symbols) {
    const int64_t least = std::max<int64_t>(s.min, 1);
    const int64_t multiple = (least + s.multiple_of - 1) / s.multiple_of * s.multiple_of;
    extents.push_back(s.bounded() ? s.max / s.multiple_of * s.multiple_of : multiple);
  }
  return extents;
}

Types infer(const Graph& graph, const InferOptions& options) {
  Inferrer inferrer(graph, options);
  return inferrer.run();
}

std::optional<int64_t> part_of_input(const Node& node, const Types& types) {
  std::vector<Tensor> values;
  const std::vector<InferInput> inputs = inputs_of(node, types, values);
  return node.op->host->part(Infer({&node.attrs, node.version}, inputs, {}));
}

bool reads_memory(const Node& node, size_t i, const Types& types) {
  const HostOp& op = *node.op->host;
  return !bit(op.type_inputs, i) && !(bit(op.shape_inputs, i) && types.known[node.inputs[i]]);
}

std::vector<bool> shape_inputs(const Graph& graph) {
  std::vector<bool> decides(graph.values.size());
  const auto& nodes = graph.main().nodes;
  for (size_t n = nodes.size(); n-- > 0;) {
    const Node& node = nodes[n];
    const bool downstream = std::ranges::any_of(node.outputs, [&](ValueId v) { return v != DBK_NONE && decides[v]; });
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const bool operand = node.op && bit(node.op->host->shape_inputs, i);
      const bool by_type = node.op && bit(node.op->host->type_inputs, i);
      if (node.inputs[i] != DBK_NONE && !by_type && (downstream || operand)) decides[node.inputs[i]] = true;
    }
  }
  std::vector<bool> result;
  for (ValueId v : graph.main().inputs) result.push_back(decides[v]);
  return result;
}

}  // namespace dbk

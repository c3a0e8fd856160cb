#include "plugin/graph/infer.h"

#include <algorithm>

#include "plugin/graph/control.h"
#include "plugin/graph/infer_control.h"
#include "plugin/graph/open_values.h"
#include "plugin/graph/schema.h"
#include "plugin/graph/shape_inputs.h"
#include "plugin/graph/symbol_extents.h"

namespace dbk {

namespace {

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
  Inferrer(const Graph& graph, const InferOptions& options) : graph_(graph), options_(options), open_(graph, types_.open) {
    types_.types.resize(graph.values.size());
    types_.dtypes.resize(graph.values.size());
    for (ValueId v = 0; v < graph.values.size(); ++v) types_.dtypes[v] = graph.values[v].dtype;
    types_.known.resize(graph.values.size());
    types_.late.assign(graph.values.size(), false);
    types_.late_nodes.assign(graph.main().nodes.size(), false);
    types_.chosen_at_bind.assign(graph.main().nodes.size(), false);
    types_.open.resize(graph.values.size());
    bound_ = options.body ? options.bound : !options.input_values.empty();
    deferred_.assign(graph.values.size(), false);
  }

  Types run() {
    for (ValueId v = 0; v < graph_.values.size(); ++v) start_constant(v);
    const auto& inputs = graph_.main().inputs;
    for (size_t i = 0; i < inputs.size(); ++i) start_input_named(i, inputs[i]);
    if (!options_.body) {
      const std::vector<bool> deciding = shape_inputs(graph_);
      for (size_t i = 0; i < inputs.size(); ++i) types_.open[inputs[i]].tellable = deciding[i];
    }
    const auto& nodes = graph_.main().nodes;
    for (index_ = 0; index_ < nodes.size(); ++index_) visit_named(nodes[index_]);
    return std::move(types_);
  }

 private:
  void start_constant(ValueId v) {
    const Value& value = graph_.values[v];
    if (value.origin == DBK_ORIGIN_COMPUTED) return;
    types_.types[v] = {value.dtype, Shape(value.dims)};
    if (value.constant && types_[v].count() <= kMaxKnownElements) types_.known[v] = value.constant;
    types_.open[v].tellable = types_.known[v] != nullptr;
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
    if (options_.body) return start_body_input(position, v);
    type.dtype = value.dtype;
    open_.start_input(v);
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

  // The outer graph tells the types of a body's inputs; what the body declares must agree.
  void start_body_input(size_t position, ValueId v) {
    const Value& declared = graph_.values[v];
    const TensorType& given = options_.body_inputs[position];
    const DType dtype = options_.body_dtypes[position];
    types_.dtypes[v] = dtype != DBK_DTYPE_NONE ? dtype : declared.dtype;
    if (declared.dtype != DBK_DTYPE_NONE && dtype != DBK_DTYPE_NONE && declared.dtype != dtype)
      fail(DBK_INVALID_ARGUMENT, "declared {}, given {}", to_string(declared.dtype), to_string(dtype));
    types_.late[v] = given.dtype == DBK_DTYPE_NONE;
    if (types_.late[v]) return;
    if (!agrees(declared, given.shape)) fail(DBK_INVALID_ARGUMENT, "given as {}, against its declared dims", to_string(given.shape));
    types_.types[v] = given;
    types_.open[v] = options_.body_open[position];
    if (options_.input_values[position]) keep(v, *options_.input_values[position]);
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
      // The least extent stands for a symbol without a maximum; real ones may fit where it does not.
      if (!bound_ && open_.reads_unbounded(node)) return defer_outputs(node);
      for (Cause& c : e.causes()) {
        c.message = describe(node) + ": " + c.message;
        if (c.node == DBK_NONE) c.node = node.table_index;  // a node of a body knows itself
      }
      throw;
    }
  }

  void visit(const Node& node) {
    open_.visit(node, types_.late);
    if (!node.op) return defer_outputs(node);
    for (ValueId v : node.inputs)
      if (v != DBK_NONE && deferred_[v]) return defer_outputs(node);
    if (control_of(node) != Control::None) return visit_control(node);
    for (ValueId v : node.inputs)
      if (v != DBK_NONE && types_.late[v]) return make_late(node);
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

  void visit_control(const Node& node) {
    std::vector<TensorType> types(node.inputs.size());
    std::vector<DType> dtypes(node.inputs.size());
    std::vector<Tensor> values;
    std::vector<const Tensor*> known(node.inputs.size());
    std::vector<Openness> open(node.inputs.size());
    const std::vector<InferInput> inputs = inputs_of(node, types_, values);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId v = node.inputs[i];
      if (v == DBK_NONE) continue;
      types[i] = types_[v];
      dtypes[i] = types_.dtypes[v];
      known[i] = inputs[i].value;
      open[i] = types_.open[v];
    }
    types_.chosen_at_bind[index_] = control_of(node) == Control::If && !bound_ && open[0].tellable && (!known[0] || open[0].elements);
    // A condition that binding tells may choose the one branch whose types fit.
    const bool undecided = types_.chosen_at_bind[index_] && (!known[0] || options_.other_branches);
    ControlTypes made;
    try {
      made = infer_control(graph_, node, types, dtypes, known, open, options_);
    } catch (const IllTyped&) {
      throw;
    } catch (const Error&) {
      if (undecided) return defer_outputs(node);
      throw;
    }
    const bool open_types = std::ranges::any_of(made.outputs, [](const TensorType& t) { return t.dtype == DBK_DTYPE_NONE; });
    for (size_t i = 0; i < node.outputs.size(); ++i)
      if (const ValueId v = node.outputs[i]; v != DBK_NONE && types_.dtypes[v] == DBK_DTYPE_NONE) types_.dtypes[v] = made.dtypes[i];
    if (!made.complete || (undecided && open_types)) return defer_outputs(node);
    store_control(node, made);
    if (can_be_planned(node, made)) types_.bodies[static_cast<uint32_t>(index_)] = std::move(made.bodies);
    else types_.late_nodes[index_] = true;
  }

  // Whether every shape between the node and its bodies is known before the run.
  bool can_be_planned(const Node& node, const ControlTypes& made) const {
    const auto late = [&](ValueId v) { return v != DBK_NONE && types_.late[v]; };
    if (std::ranges::any_of(node.inputs, late) || std::ranges::any_of(node.outputs, late)) return false;
    const std::vector<uint32_t> blocks = bodies_of(node);
    for (size_t b = 0; b < blocks.size(); ++b)
      for (ValueId v : graph_.bodies[blocks[b]]->main().outputs)
        if (made.bodies[b] && made.bodies[b]->late[v]) return false;
    return true;
  }

  void store_control(const Node& node, const ControlTypes& made) {
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId v = node.outputs[i];
      if (v == DBK_NONE) continue;
      if (made.outputs[i].dtype == DBK_DTYPE_NONE) {
        make_late_output(v);
        continue;
      }
      store_one(node, v, made.outputs[i]);
      types_.known[v] = made.known[i];
    }
  }

  void unknown_shape(const Node& node, size_t input) {
    const bool bind_may_tell = !bound_ && types_.open[node.inputs[input]].tellable;
    bind_may_tell ? defer_outputs(node) : make_late(node);
  }

  // Only the run tells the shapes; what is declared with fixed extents is taken at its word, which the run checks.
  void make_late(const Node& node) {
    types_.late_nodes[index_] = true;
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId v = node.outputs[i];
      if (v == DBK_NONE) continue;
      if (DType& dtype = types_.dtypes[v]; dtype == DBK_DTYPE_NONE) dtype = dtype_by_schema(node, i);
      make_late_output(v);
    }
  }

  void make_late_output(ValueId v) {
    const Value& declared = graph_.values[v];
    const bool fixed = declared.known_rank && std::ranges::all_of(declared.dims, [](int64_t d) { return d >= 0; });
    if (fixed && types_.dtypes[v] != DBK_DTYPE_NONE) types_.types[v] = {types_.dtypes[v], Shape(declared.dims)};
    else types_.late[v] = true;
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
    for (size_t i = 0; i < outputs.size(); ++i)
      if (node.outputs[i] != DBK_NONE) store_one(node, node.outputs[i], outputs[i]);
  }

  void store_one(const Node& node, ValueId v, const TensorType& type) {
    const Value& declared = graph_.values[v];
    type.bytes();
    if (declared.dtype != DBK_DTYPE_NONE && declared.dtype != type.dtype)
      throw Error(DBK_INVALID_ARGUMENT,
                  std::format("output {} is declared {} but computed as {}", describe(graph_, v), to_string(declared.dtype),
                              to_string(type.dtype)), node.table_index, v);
    if (!agrees(declared, type.shape))
      throw Error(DBK_INVALID_ARGUMENT,
                  std::format("output {} is computed as {}, against its declared dims", describe(graph_, v), to_string(type.shape)),
                  node.table_index, v);
    types_.types[v] = type;
    types_.dtypes[v] = type.dtype;
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
      if (node.inputs[i] != DBK_NONE && !types_.known[node.inputs[i]] && !matters_by_type(node, i)) return;
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
  OpenValues open_;
  size_t index_ = 0;                          // of the node being visited
  bool bound_ = false;                        // everything that binding tells is known
};

}  // namespace

bool Types::undecided(const Node& node) const {
  const auto open = [&](ValueId v) { return v != DBK_NONE && types[v].dtype == DBK_DTYPE_NONE && !late[v]; };
  return std::ranges::any_of(node.inputs, open) || std::ranges::any_of(node.outputs, open);
}

std::vector<int64_t> representative_extents(const Graph& graph) {
  std::vector<int64_t> extents;
  for (const Symbol& s : graph.symbols) {
    extents.push_back(s.bounded() ? s.max / s.multiple_of * s.multiple_of : least_extent(s, 1).value());
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
  return !matters_by_type(node, i) && !(steers_shapes(node, i) && types.known[node.inputs[i]]);
}

}  // namespace dbk

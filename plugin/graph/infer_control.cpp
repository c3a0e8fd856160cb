#include "plugin/graph/infer_control.h"

#include <algorithm>

#include "plugin/graph/control.h"

namespace dbk {

namespace {

class ControlInferrer {
 public:
  ControlInferrer(const Graph& graph, const Node& node, std::span<const TensorType> inputs, std::span<const DType> dtypes,
                  std::span<const Tensor* const> values, std::span<const Openness> open, const InferOptions& outer)
      : graph_(graph), node_(node), inputs_(inputs), dtypes_(dtypes), values_(values), open_(open), outer_(outer), formals_(node.inputs.size() - node.captures) {
    result_.outputs.resize(node.outputs.size());
    result_.dtypes.resize(node.outputs.size());
    result_.known.resize(node.outputs.size());
  }

  ControlTypes run() {
    switch (control_of(node_)) {
      case Control::If: infer_if(); break;
      case Control::Loop: infer_loop(); break;
      case Control::Scan: infer_scan(); break;
      case Control::None: break;
    }
    return std::move(result_);
  }

 private:
  struct Formal {
    TensorType type;
    DType dtype = DBK_DTYPE_NONE;  // also where the type is late
    const Tensor* value = nullptr;
    Openness open = {};
  };

  bool bound() const { return outer_.body ? outer_.bound : !outer_.input_values.empty(); }
  Formal given(size_t i) const { return {inputs_[i], dtypes_[i], values_[i], open_[i]}; }
  // What changes from one iteration to the next: binding never tells its elements.
  Formal given_first(size_t i) const {
    Formal formal = given(i);
    formal.value = nullptr;
    formal.open.elements = formal.open.tellable = false;
    return formal;
  }

  std::shared_ptr<const Types> infer_body(uint32_t block, std::span<const Formal> formals) {
    InferOptions options;
    options.extents = outer_.extents;
    options.body = true;
    options.bound = bound();
    options.other_branches = outer_.other_branches;
    const auto add = [&](const Formal& f) {
      options.body_inputs.push_back(f.type);
      options.body_dtypes.push_back(f.dtype);
      options.input_values.push_back(f.value);
      options.body_open.push_back(f.open);
    };
    for (const Formal& f : formals) add(f);
    for (size_t i = formals_; i < inputs_.size(); ++i) add(given(i));
    auto types = std::make_shared<Types>(infer(*graph_.bodies[block], options));
    result_.complete = result_.complete && types->complete;
    return types;
  }

  void set(size_t output, const Types& types, ValueId v) {
    result_.outputs[output] = types[v];
    result_.dtypes[output] = types.dtypes[v];
    result_.known[output] = types.known[v];
  }

  void require_scalar(size_t input, const char* what, DTypeSet allowed) const {
    if (input >= formals_ || node_.inputs[input] == DBK_NONE) return;
    if (!contains(allowed, dtypes_[input])) throw IllTyped(DBK_INVALID_ARGUMENT, std::format("{} is {}", what, to_string(dtypes_[input])));
    if (inputs_[input].dtype != DBK_DTYPE_NONE && inputs_[input].count() != 1)
      fail(DBK_INVALID_ARGUMENT, "{} has {} elements, not one", what, inputs_[input].count());
  }

  void infer_if() {
    require_scalar(0, "the condition", BOOL);
    const std::vector<uint32_t> blocks = bodies_of(node_);
    result_.bodies.resize(2);
    if (values_[0]) {
      const bool open = open_[0].elements && !bound();
      const size_t taken = *values_[0]->as<Bool>() != (open && outer_.other_branches) ? 0 : 1;
      result_.bodies[taken] = infer_body(blocks[taken], {});
      const Block& block = graph_.bodies[blocks[taken]]->main();
      for (size_t i = 0; i < node_.outputs.size(); ++i) set(i, *result_.bodies[taken], block.outputs[i]);
      if (open) result_.bodies[1 - taken] = infer_other(blocks[1 - taken]);
      return;
    }
    for (size_t b = 0; b < 2; ++b) result_.bodies[b] = infer_body(blocks[b], {});
    const Block &yes = graph_.bodies[blocks[0]]->main(), &no = graph_.bodies[blocks[1]]->main();
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const Types &then = *result_.bodies[0], &otherwise = *result_.bodies[1];
      const DType a = then.dtypes[yes.outputs[i]], b = otherwise.dtypes[no.outputs[i]];
      if (a != b && a != DBK_DTYPE_NONE && b != DBK_DTYPE_NONE)
        throw IllTyped(DBK_INVALID_ARGUMENT,
                       std::format("output {} is {} in one branch, {} in the other", i, to_string(a), to_string(b)));
      result_.dtypes[i] = a != DBK_DTYPE_NONE ? a : b;
      if (then[yes.outputs[i]] == otherwise[no.outputs[i]]) result_.outputs[i] = then[yes.outputs[i]];
    }
  }

  // A branch that these extents do not choose but others may, as far as it can be planned with these; else null.
  std::shared_ptr<const Types> infer_other(uint32_t block) {
    const bool complete = result_.complete;
    std::shared_ptr<const Types> types;
    try {
      types = infer_body(block, {});
    } catch (const Error&) {  // it wants other extents
    }
    result_.complete = complete;
    const auto unknown = [&](ValueId v) { return types->late[v]; };
    return types && types->complete && std::ranges::none_of(graph_.bodies[block]->main().outputs, unknown) ? types : nullptr;
  }

  // Infers the body with the types that states begin with; a state that changes its shape is late, which may make others late.
  std::shared_ptr<const Types> infer_steady(uint32_t block, std::vector<Formal>& formals, size_t first_state, size_t states, size_t first_output) {
    const std::vector<ValueId>& outputs = graph_.bodies[block]->main().outputs;
    for (;;) {
      const std::shared_ptr<const Types> types = infer_body(block, formals);
      bool steady = true;
      for (size_t i = 0; i < states; ++i) {
        Formal& state = formals[first_state + i];
        const ValueId out = outputs[first_output + i];
        if (types->dtypes[out] != DBK_DTYPE_NONE && state.dtype != DBK_DTYPE_NONE && types->dtypes[out] != state.dtype)
          fail(DBK_INVALID_ARGUMENT, "state {} begins as {}, the body makes {}", i, to_string(state.dtype), to_string(types->dtypes[out]));
        if (state.type.dtype == DBK_DTYPE_NONE || (*types)[out] == state.type) continue;
        state.type = {};
        steady = false;
      }
      if (steady) return types;
    }
  }

  void infer_loop() {
    require_scalar(0, "the trip count", I64);
    require_scalar(1, "the condition", BOOL);
    const uint32_t block = bodies_of(node_)[0];
    const size_t states = formals_ - 2;
    Bool yes(true);
    const Tensor going{{DBK_BOOL, {}}, &yes};  // in every iteration that there is
    std::vector<Formal> formals{{{DBK_I64, {}}, DBK_I64}, {{DBK_BOOL, {}}, DBK_BOOL, &going}};
    for (size_t i = 0; i < states; ++i) formals.push_back(given_first(2 + i));
    const auto types = infer_steady(block, formals, 2, states, 1);
    result_.bodies = {types};
    const std::vector<ValueId>& outputs = graph_.bodies[block]->main().outputs;
    const int64_t trips = trip_count(*types, outputs[0]);
    const bool stacks = node_.outputs.size() > states && std::ranges::any_of(node_.outputs.begin() + static_cast<int64_t>(states), node_.outputs.end(), present);
    if (stacks && trips < 0 && binding_tells_trips(*types, outputs[0])) result_.complete = false;
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const ValueId v = outputs[1 + i];
      result_.dtypes[i] = types->dtypes[v];
      if (i < states) {
        result_.outputs[i] = formals[2 + i].type;
        if (result_.dtypes[i] == DBK_DTYPE_NONE) result_.dtypes[i] = formals[2 + i].dtype;
      } else if (trips >= 0 && (*types)[v].dtype != DBK_DTYPE_NONE) {
        result_.outputs[i] = stacked((*types)[v], 0, trips);
      }
    }
  }

  static bool present(ValueId v) { return v != DBK_NONE; }
  // Whether every iteration asks for another one.
  static bool goes_on(const Types& body, ValueId condition_out) {
    const auto& known = body.known[condition_out];
    return known && known->bytes.front() != std::byte{0};
  }

  // Iterations, or -1 where only the run tells, or binding.
  int64_t trip_count(const Types& body, ValueId condition_out) const {
    const bool limited = present(node_.inputs[0]), conditional = present(node_.inputs[1]);
    if (conditional && values_[1] && !*values_[1]->as<Bool>()) return 0;
    if (limited && values_[0] && *values_[0]->as<int64_t>() <= 0) return 0;
    const bool begins = !conditional || values_[1];
    return limited && values_[0] && begins && goes_on(body, condition_out) ? *values_[0]->as<int64_t>() : -1;
  }

  bool binding_tells_trips(const Types& body, ValueId condition_out) const {
    const auto told = [&](size_t input) { return values_[input] || open_[input].tellable; };
    const bool begins = !present(node_.inputs[1]) || told(1);
    return !bound() && present(node_.inputs[0]) && told(0) && begins && goes_on(body, condition_out);
  }

  static TensorType stacked(const TensorType& slice, int64_t axis, int64_t extent) {
    const uint32_t at = normalize_axis(axis, slice.shape.rank() + 1, "scan output axis");
    Shape shape;
    for (uint32_t d = 0; d <= slice.shape.rank(); ++d) shape.push_back(d == at ? extent : slice.shape[d - (d > at)]);
    return {slice.dtype, shape};
  }

  static Formal without_axis(Formal formal, int64_t axis, const char* what) {
    formal.value = nullptr;
    if (formal.type.dtype == DBK_DTYPE_NONE) return formal;
    const Shape& from = formal.type.shape;
    const uint32_t at = normalize_axis(axis, from.rank(), what);
    Shape shape;
    for (uint32_t d = 0; d < from.rank(); ++d)
      if (d != at) shape.push_back(from[d]);
    formal.type.shape = shape;
    return formal;
  }

  void infer_scan() {
    const ScanForm form = scan_form(node_, node_.outputs.size());
    const uint32_t block = bodies_of(node_)[0];
    std::vector<Formal> formals;
    int64_t length = -1, batch = -1;
    const auto agree = [](int64_t& known, int64_t extent, const char* what) {
      if (known >= 0 && known != extent) fail(DBK_INVALID_ARGUMENT, "scanned inputs differ in {}: {} and {}", what, known, extent);
      known = extent;
    };
    const auto extent_of = [&](size_t input, int64_t axis, const char* what) {
      const Shape& shape = inputs_[input].shape;
      return shape[normalize_axis(axis, shape.rank(), what)];
    };
    for (size_t i = 0; i < form.states; ++i) {
      Formal state = given_first(form.first + i);
      if (form.batched && state.type.dtype != DBK_DTYPE_NONE) agree(batch, extent_of(form.first + i, 0, "batch axis"), "batch");
      formals.push_back(form.batched ? without_axis(state, 0, "batch axis") : state);
    }
    for (size_t i = 0; i < form.scans; ++i) {
      const size_t input = form.first + form.states + i;
      Formal scanned = given_first(input);
      const int64_t axis = form.batched ? 1 : form.axes[i];
      if (scanned.type.dtype != DBK_DTYPE_NONE) {
        agree(length, extent_of(input, axis, "scan input axis"), "length");
        if (form.batched) agree(batch, extent_of(input, 0, "batch axis"), "batch");
      }
      scanned = without_axis(scanned, axis, "scan input axis");
      formals.push_back(form.batched ? without_axis(scanned, 0, "batch axis") : scanned);
    }
    const auto types = infer_steady(block, formals, 0, form.states, 0);
    result_.bodies = {types};
    const std::vector<ValueId>& outputs = graph_.bodies[block]->main().outputs;
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      TensorType type = i < form.states ? formals[i].type : (*types)[outputs[i]];
      result_.dtypes[i] = types->dtypes[outputs[i]];
      if (i >= form.states && type.dtype != DBK_DTYPE_NONE) type = length < 0 ? TensorType{} : stacked(type, form.out_axes[i - form.states], length);
      if (form.batched && type.dtype != DBK_DTYPE_NONE) type = batch < 0 ? TensorType{} : stacked(type, 0, batch);
      result_.outputs[i] = type;
    }
  }

  const Graph& graph_;
  const Node& node_;
  std::span<const TensorType> inputs_;
  std::span<const DType> dtypes_;
  std::span<const Tensor* const> values_;
  std::span<const Openness> open_;
  const InferOptions& outer_;
  size_t formals_;
  ControlTypes result_;
};

}  // namespace

ControlTypes infer_control(const Graph& graph, const Node& node, std::span<const TensorType> inputs, std::span<const DType> dtypes,
                           std::span<const Tensor* const> values, std::span<const Openness> open, const InferOptions& outer) {
  return ControlInferrer(graph, node, inputs, dtypes, values, open, outer).run();
}

}  // namespace dbk

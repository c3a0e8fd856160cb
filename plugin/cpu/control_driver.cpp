#include "plugin/cpu/control_driver.h"

#include <cstring>

#include "plugin/graph/infer_control.h"

namespace dbk {

namespace {

// Memory of that type: what is there, where nobody else holds it, else new.
void reuse(LateValue& value, const TensorType& type, const LateRoom& room) {
  if (value.memory && value.memory.use_count() == 1 && value.tensor.type == type) return;
  value = make_late_value(type, room);
}

// A tensor around one axis: [outer, extent, inner bytes].
struct Around {
  int64_t outer = 1, extent = 1, inner = 1;
  Around(const TensorType& type, uint32_t axis) {
    for (uint32_t d = 0; d < type.shape.rank(); ++d) (d < axis ? outer : d > axis ? inner : extent) *= type.shape[d];
    inner = byte_size(type.dtype, inner);
  }
};

TensorType without_axis(const TensorType& type, uint32_t axis) {
  Shape shape;
  for (uint32_t d = 0; d < type.shape.rank(); ++d)
    if (d != axis) shape.push_back(type.shape[d]);
  return {type.dtype, shape};
}

TensorType with_axis(const TensorType& slice, uint32_t axis, int64_t extent) {
  Shape shape;
  for (uint32_t d = 0; d <= slice.shape.rank(); ++d) shape.push_back(d == axis ? extent : slice.shape[d - (d > axis)]);
  return {slice.dtype, shape};
}

void take_slice(const Tensor& tensor, uint32_t axis, int64_t at, LateValue& slice, const LateRoom& room) {
  reuse(slice, without_axis(tensor.type, axis), room);
  const Around a(tensor.type, axis);
  for (int64_t o = 0; o < a.outer; ++o)
    std::memcpy(slice.tensor.as<std::byte>() + o * a.inner, tensor.as<std::byte>() + (o * a.extent + at) * a.inner, static_cast<size_t>(a.inner));
}

void put_slice(const std::byte* slice, Tensor& tensor, uint32_t axis, int64_t at) {
  const Around a(tensor.type, axis);
  for (int64_t o = 0; o < a.outer; ++o)
    std::memcpy(tensor.as<std::byte>() + (o * a.extent + at) * a.inner, slice + o * a.inner, static_cast<size_t>(a.inner));
}

}  // namespace

ControlDriver::ControlDriver(const Graph& graph, const Node& node, RunBody run_body, LateRoom room)
    : graph_(graph), node_(node), blocks_(bodies_of(node)), formals_(node.inputs.size() - node.captures),
      form_(control_of(node) == Control::Scan ? scan_form(node, node.outputs.size()) : ScanForm{}), run_body_(std::move(run_body)), room_(std::move(room)) {}

void ControlDriver::run(std::span<const Tensor> inputs, const std::vector<bool>& wanted, std::span<LateValue> results) {
  inputs_ = inputs;
  wanted_ = &wanted;
  results_ = results;
  switch (control_of(node_)) {
    case Control::If: run_if(); break;
    case Control::Loop: run_loop(); break;
    case Control::Scan: form_.batched ? run_batched_scan() : run_scan(); break;
    case Control::None: fail(DBK_INTERNAL, "{} has no bodies", describe(node_));
  }
  for (std::vector<LateValue>* list : {&all_, &states_}) list->clear();  // nothing of the run is held
}

std::span<const LateValue> ControlDriver::run_body(size_t body, std::span<const LateValue* const> formals) {
  all_.clear();
  for (const LateValue* f : formals) all_.push_back(*f);
  for (size_t i = formals_; i < inputs_.size(); ++i) all_.push_back({inputs_[i], nullptr});
  return run_body_(body, all_);
}

// Where an output goes: the memory it has by plan, which must be of that type, or new memory.
LateValue ControlDriver::target(size_t output, const TensorType& type) const {
  const LateValue& result = results_[output];
  if (!result.tensor.data) return make_late_value(type, room_);
  if (!(result.tensor.type == type))
    fail(DBK_INVALID_ARGUMENT, "output {} is {} {} by its declaration, the run makes {} {}", output, to_string(result.tensor.type.dtype),
         to_string(result.tensor.type.shape), to_string(type.dtype), to_string(type.shape));
  return result;
}

// Memory that the value does not own may be used for something else soon: it is copied.
void ControlDriver::deliver(size_t output, const LateValue& value) {
  if (!(*wanted_)[output]) return;
  if (value.memory && !results_[output].tensor.data) {
    results_[output] = value;
    return;
  }
  LateValue to = target(output, value.tensor.type);
  if (const auto bytes = static_cast<size_t>(value.tensor.type.bytes())) std::memcpy(to.tensor.data, value.tensor.data, bytes);
  results_[output] = std::move(to);
}

void ControlDriver::run_if() {
  if (inputs_[0].count() != 1) fail(DBK_INVALID_ARGUMENT, "the condition has {} elements, not one", inputs_[0].count());
  const std::span<const LateValue> outputs = run_body(*inputs_[0].as<Bool>() ? 0 : 1, {});
  for (size_t i = 0; i < results_.size(); ++i) deliver(i, outputs[i]);
}

// One for each output of the body behind the states.
void ControlDriver::start_stacks(size_t first_body_output, size_t first_output) {
  const Graph& body = *graph_.bodies[blocks_[0]];
  stacks_.resize(body.main().outputs.size() - first_body_output);
  for (size_t i = 0; i < stacks_.size(); ++i) {
    Stack& stack = stacks_[i];
    stack.output = first_output + i;
    stack.axis = i < form_.out_axes.size() ? form_.out_axes[i] : 0;
    stack.reversed = i < form_.out_reversed.size() && form_.out_reversed[i] != 0;
    stack.count = 0;
    stack.collected = nullptr;
    stack.capacity = 0;
    stack.slice = {};
  }
}

// What the body would make of these inputs; else what the graph declares, with 0 for an extent that is open.
TensorType ControlDriver::type_without_iterations(size_t output) const {
  std::vector<TensorType> types;
  std::vector<DType> dtypes;
  std::vector<const Tensor*> values;
  for (const Tensor& input : inputs_) {
    types.push_back(input.type);
    dtypes.push_back(input.type.dtype);
    values.push_back(input.data && input.count() <= kMaxKnownElements ? &input : nullptr);
  }
  InferOptions options;
  options.body = options.bound = true;
  const ControlTypes made = infer_control(graph_, node_, types, dtypes, values, std::vector<Openness>(inputs_.size()), options);
  if (made.outputs[output].dtype != DBK_DTYPE_NONE) return made.outputs[output];
  const Value& declared = graph_.values[node_.outputs[output]];
  if (made.dtypes[output] == DBK_DTYPE_NONE || !declared.known_rank)
    fail(DBK_UNIMPLEMENTED, "output {}: no iteration tells its shape, and it is not declared", output);
  Shape shape;
  for (int64_t d : declared.dims) shape.push_back(std::max<int64_t>(d, 0));
  return {made.dtypes[output], shape};
}

void ControlDriver::push(Stack& stack, const LateValue& slice) {
  if (stack.output >= results_.size() || !(*wanted_)[stack.output]) return;
  const TensorType& type = slice.tensor.type;
  const int64_t at = stack.count++;
  if (at == 0) stack.slice = type;
  if (!(stack.slice == type))
    fail(DBK_INVALID_ARGUMENT, "slices of output {} were {} and are {} in iteration {}", stack.output, to_string(stack.slice.shape),
         to_string(type.shape), at);
  const auto* bytes = slice.tensor.as<std::byte>();
  Tensor& known = results_[stack.output].tensor;
  if (!known.data) {
    return collect(stack, bytes, static_cast<uint64_t>(type.bytes()));
  }
  const uint32_t axis = normalize_axis(stack.axis, type.shape.rank() + 1, "scan output axis");
  const int64_t extent = axis < known.shape().rank() ? known.shape()[axis] : 0;
  if (!(with_axis(type, axis, extent) == known.type) || at >= extent)
    fail(DBK_INVALID_ARGUMENT, "output {} is declared as {}, the run makes more or other slices than that", stack.output, to_string(known.shape()));
  put_slice(bytes, known, axis, stack.reversed ? extent - 1 - at : at);
}

void ControlDriver::collect(Stack& stack, const std::byte* slice, uint64_t bytes) const {
  const uint64_t used = static_cast<uint64_t>(stack.count - 1) * bytes;
  if (bytes == 0) return;
  if (used + bytes > stack.capacity) {
    const uint64_t capacity = std::max(2 * stack.capacity, used + bytes);
    std::shared_ptr<std::byte[]> larger = room_.allocate(capacity, [&] { return std::format("the slices of output {}", stack.output); });
    if (used) std::memcpy(larger.get(), stack.collected.get(), used);
    stack.collected = std::move(larger);
    stack.capacity = capacity;
  }
  std::memcpy(stack.collected.get() + used, slice, bytes);
}

void ControlDriver::finish(Stack& stack) {
  if (stack.output >= results_.size() || !(*wanted_)[stack.output]) return;
  const Tensor& known = results_[stack.output].tensor;
  if (known.data) {
    const uint32_t axis = normalize_axis(stack.axis, known.shape().rank(), "scan output axis");
    if (stack.count != known.shape()[axis])
      fail(DBK_INVALID_ARGUMENT, "output {} is declared as {}, the run makes {} slices", stack.output, to_string(known.shape()), stack.count);
    return;
  }
  if (stack.count == 0) {
    results_[stack.output] = make_late_value(type_without_iterations(stack.output), room_);
    return;
  }
  const uint32_t axis = normalize_axis(stack.axis, stack.slice.shape.rank() + 1, "scan output axis");
  LateValue to = make_late_value(with_axis(stack.slice, axis, stack.count), room_);
  const int64_t bytes = stack.slice.bytes();
  for (int64_t i = 0; i < stack.count; ++i)
    put_slice(stack.collected.get() + i * bytes, to.tensor, axis, stack.reversed ? stack.count - 1 - i : i);
  results_[stack.output] = std::move(to);
}

void ControlDriver::run_loop() {
  const size_t states = formals_ - 2;
  const bool limited = node_.inputs[0] != DBK_NONE;
  const int64_t limit = limited ? *inputs_[0].as<int64_t>() : 0;
  bool going = node_.inputs[1] == DBK_NONE || *inputs_[1].as<Bool>();
  states_.clear();
  for (size_t i = 0; i < states; ++i) states_.push_back({inputs_[2 + i], nullptr});
  start_stacks(1 + states, states);
  for (int64_t i = 0; going && (!limited || i < limit); ++i) {
    all_.clear();  // before what it holds is asked whether it is free
    reuse(iteration_, {DBK_I64, {}}, room_);
    reuse(going_, {DBK_BOOL, {}}, room_);
    *iteration_.tensor.as<int64_t>() = i;
    *going_.tensor.as<Bool>() = Bool(going);
    order_.assign({&iteration_, &going_});
    for (const LateValue& s : states_) order_.push_back(&s);
    const std::span<const LateValue> outputs = run_body(0, order_);
    if (outputs[0].tensor.count() != 1) fail(DBK_INVALID_ARGUMENT, "the body's condition has {} elements, not one", outputs[0].tensor.count());
    going = *outputs[0].tensor.as<Bool>();
    for (size_t s = 0; s < states; ++s) states_[s] = outputs[1 + s];
    for (size_t s = 0; s < stacks_.size(); ++s) push(stacks_[s], outputs[1 + states + s]);
  }
  for (size_t i = 0; i < states && i < results_.size(); ++i) deliver(i, states_[i]);
  for (Stack& stack : stacks_) finish(stack);
}

int64_t ControlDriver::scan_length() const {
  int64_t length = 0;
  for (size_t i = 0; i < form_.scans; ++i) {
    const Shape& shape = inputs_[form_.states + i].shape();
    const int64_t extent = shape[normalize_axis(form_.axes[i], shape.rank(), "scan input axis")];
    if (i > 0 && extent != length) fail(DBK_INVALID_ARGUMENT, "scanned inputs differ in length: {} and {}", length, extent);
    length = extent;
  }
  return length;
}

std::span<const LateValue> ControlDriver::scan_step(std::span<const Tensor> scanned, int64_t t, int64_t length) {
  all_.clear();
  order_.clear();
  for (const LateValue& s : states_) order_.push_back(&s);
  for (size_t i = 0; i < form_.scans; ++i) {
    const uint32_t axis = form_.batched ? 0 : normalize_axis(form_.axes[i], scanned[i].shape().rank(), "scan input axis");
    take_slice(scanned[i], axis, form_.reversed[i] ? length - 1 - t : t, slices_[i], room_);
    order_.push_back(&slices_[i]);
  }
  const std::span<const LateValue> outputs = run_body(0, order_);
  for (size_t s = 0; s < form_.states; ++s) states_[s] = outputs[s];
  return outputs;
}

void ControlDriver::run_scan() {
  states_.clear();
  for (size_t i = 0; i < form_.states; ++i) states_.push_back({inputs_[i], nullptr});
  start_stacks(form_.states, form_.states);
  slices_.resize(form_.scans);
  for (int64_t t = 0, length = scan_length(); t < length; ++t) {
    const std::span<const LateValue> outputs = scan_step(inputs_.subspan(form_.states), t, length);
    for (size_t s = 0; s < stacks_.size(); ++s) push(stacks_[s], outputs[form_.states + s]);
  }
  for (size_t i = 0; i < form_.states && i < results_.size(); ++i) deliver(i, states_[i]);
  for (Stack& stack : stacks_) finish(stack);
}

void ControlDriver::put(Batch& batch, size_t output, const LateValue& value, int64_t b, int64_t t) {
  if (output >= results_.size() || !(*wanted_)[output]) return;
  const bool state = t < 0;
  const TensorType& type = value.tensor.type;
  const TensorType sequence = state ? type : with_axis(type, 0, batch.longest);
  LateValue& to = batch.outputs[output];
  if (!to.tensor.data) {
    to = target(output, with_axis(sequence, 0, batch.count));
    std::memset(to.tensor.data, 0, static_cast<size_t>(to.tensor.type.bytes()));
  }
  const int64_t offset = b * sequence.bytes() + (state ? 0 : t * type.bytes());
  std::memcpy(to.tensor.as<std::byte>() + offset, value.tensor.data, static_cast<size_t>(type.bytes()));
}

void ControlDriver::finish(Batch& batch) {
  for (size_t i = 0; i < results_.size(); ++i) {
    if (!(*wanted_)[i] || batch.outputs[i].tensor.data == results_[i].tensor.data) continue;
    if (Tensor& known = results_[i].tensor; known.data) {  // no sequence has an element
      std::memset(known.data, 0, static_cast<size_t>(known.type.bytes()));
      continue;
    }
    LateValue& made = batch.outputs[i];
    if (!made.tensor.data) {
      made = make_late_value(type_without_iterations(i), room_);
      std::memset(made.tensor.data, 0, static_cast<size_t>(made.tensor.type.bytes()));
    }
    results_[i] = std::move(made);
  }
}

// Version 8: each sequence of the batch by itself, as long as its length says; what lies behind is zero in the output.
void ControlDriver::run_batched_scan() {
  const size_t first = form_.first + form_.states;
  Batch batch{inputs_[first].shape()[0], inputs_[first].shape()[1], std::vector<LateValue>(results_.size())};
  const Tensor* lengths = node_.inputs[0] == DBK_NONE ? nullptr : &inputs_[0];
  slices_.resize(form_.scans);
  std::vector<LateValue> sequences(form_.scans);
  std::vector<Tensor> scanned(form_.scans);
  for (int64_t b = 0; b < batch.count; ++b) {
    states_.assign(form_.states, {});
    for (size_t i = 0; i < form_.states; ++i) take_slice(inputs_[form_.first + i], 0, b, states_[i], room_);
    for (size_t i = 0; i < form_.scans; ++i) take_slice(inputs_[first + i], 0, b, sequences[i], room_), scanned[i] = sequences[i].tensor;
    const int64_t length = lengths ? lengths->as<int64_t>()[b] : batch.longest;
    if (length < 0 || length > batch.longest)
      fail(DBK_OUT_OF_RANGE, "length {} of sequence {} is outside [0, {}]", length, b, batch.longest);
    for (int64_t t = 0; t < length; ++t) {
      const std::span<const LateValue> outputs = scan_step(scanned, t, length);
      for (size_t s = form_.states; s < outputs.size(); ++s) put(batch, s, outputs[s], b, t);
    }
    for (size_t i = 0; i < form_.states; ++i) put(batch, i, states_[i], b, -1);
  }
  finish(batch);
}

}  // namespace dbk

// Binding: checking tensors, learning extents, planning. Everything that costs memory or time before a run happens here.
#include <algorithm>

#include "plugin/buffer.h"
#include "plugin/handles.h"
#include "plugin/run.h"
#include "plugin/struct_copy.h"

namespace dbk {

void Run::check_idle() const {
  check_alive();
  executable_->check_runnable();
  if (closed_ || !activation_) fail(DBK_FAILED_PRECONDITION, "the run's device is gone: create the run again");
  if (in_flight_) fail(DBK_FAILED_PRECONDITION, "the run is in flight");
}

void Run::set_dim(uint32_t symbol, int64_t extent) {
  check_idle();
  const auto& symbols = executable_->graph().symbols;
  if (symbol >= symbols.size()) fail(DBK_OUT_OF_RANGE, "symbol {} of {}", symbol, symbols.size());
  std::vector<int64_t> extents = extents_;
  extents[symbol] = extent;
  if (extent != DBK_DIM_UNKNOWN) {
    check_extent(symbols[symbol], extent);
    replan(extents, inputs_);
  }
  extents_ = std::move(extents);
  set_explicitly_[symbol] = extent != DBK_DIM_UNKNOWN;
  rebound_ = true;
  rehearse();
}

void Run::check_extent(const Symbol& s, int64_t extent) {
  if (extent < s.min) fail(DBK_OUT_OF_RANGE, "extent {} of symbol '{}' is below its minimum, {}", extent, s.name, s.min);
  if (s.bounded() && extent > s.max)
    fail(DBK_OUT_OF_RANGE, "extent {} of symbol '{}' is above its maximum, {}", extent, s.name, s.max);
  if (extent % s.multiple_of) fail(DBK_OUT_OF_RANGE, "extent {} of symbol '{}' is not a multiple of {}", extent, s.name, s.multiple_of);
}

void Run::bind(uint32_t role, uint32_t index, const dbk_tensor* tensor) {
  check_idle();
  if (role != DBK_INPUT && role != DBK_OUTPUT) fail(DBK_INVALID_ARGUMENT, "role {} is neither DBK_INPUT nor DBK_OUTPUT", role);
  executable_->value_of(role, index);
  Bound& slot = (role == DBK_INPUT ? inputs_ : outputs_)[index];
  const Bound before = slot;
  const std::vector<int64_t> extents = extents_;
  const std::shared_ptr<const Plan> plan = plan_;
  try {
    if (!tensor) slot = {}, refresh_io();
    else if (const dbk_tensor t = copy_in(tensor, "tensor"); role == DBK_INPUT) bind_input(index, t);
    else bind_output(index, t);
    rebound_ = true;
    rehearse();
  } catch (...) {  // the old binding stands, even where there is no memory left to run it
    slot = before;
    extents_ = extents;
    if (plan_ != plan) plan_ = nullptr;  // it is for what is not bound
    update_io();
    throw;
  }
}

Bound Run::take(const dbk_tensor& tensor, const std::string& what) const {
  Bound bound;
  bound.set = true;
  if (tensor.ownership > DBK_UNTIL_DESTROY) fail(DBK_INVALID_ARGUMENT, "{}: unknown ownership {}", what, tensor.ownership);
  if (!tensor.buffer) {
    bound.view = view_of(tensor, what);
    bound.type = bound.view.type;
    return bound;
  }
  bound.type = type_of(tensor, what);
  bound.buffer = tensor.buffer->impl;
  bound.buffer->check_alive();
  bound.buffer_offset = tensor.byte_off;
  const uint64_t size = bound.buffer->size(), bytes = static_cast<uint64_t>(bound.type.bytes());
  if (tensor.data) fail(DBK_INVALID_ARGUMENT, "{}: both data and buffer are given", what);
  if (tensor.byte_strides) fail(DBK_UNIMPLEMENTED, "{}: strides of a tensor in a buffer are not supported", what);
  if (tensor.ownership != DBK_UNTIL_DESTROY) fail(DBK_INVALID_ARGUMENT, "{}: ownership of a tensor in a buffer is UNTIL_DESTROY", what);
  if (&bound.buffer->device() != &executable_->device()) fail(DBK_INVALID_ARGUMENT, "{}: the buffer is of another device", what);
  if (tensor.byte_off > size || tensor.byte_len > size - tensor.byte_off)
    fail(DBK_OUT_OF_RANGE, "{}: bytes [{}, +{}) are outside the buffer of {}", what, tensor.byte_off, tensor.byte_len, size);
  if (tensor.byte_len < bytes) fail(DBK_INVALID_ARGUMENT, "{}: {} bytes are needed, byte_len is {}", what, bytes, tensor.byte_len);
  if (tensor.byte_off % DBK_BUFFER_ALIGN)
    fail(DBK_INVALID_ARGUMENT, "{}: byte_off {} is not a multiple of {}", what, tensor.byte_off, DBK_BUFFER_ALIGN);
  return bound;
}

void Run::bind_input(uint32_t index, const dbk_tensor& tensor) {
  const Graph& graph = executable_->graph();
  const ValueId value = graph.main().inputs[index];
  const std::string what = "input " + describe(graph, value);
  Bound bound = take(tensor, what);
  if (bound.buffer) bound.buffer->check_usage(DBK_BUFFER_INPUT);
  if (bound.type.dtype != graph.values[value].dtype)
    fail(DBK_INVALID_ARGUMENT, "{} is {}, given {}", what, to_string(graph.values[value].dtype), to_string(bound.type.dtype));
  std::vector<int64_t> extents = extents_;
  learn_symbols(index, bound.type.shape, extents);
  if (!bound.buffer) {
    // What decides shapes is read now, for the plan and for the runs that follow it.
    bound.borrowed = tensor.ownership != DBK_COPY && !executable_->deciding_inputs()[index];
    if (!bound.borrowed || !bound.view.dense || !bound.view.aligned) {
      bound.dense = allocate_bytes(storage_bytes(bound.type), what);
      if (!bound.borrowed) gather(bound.view, bound.dense.get());  // what is lent is read by runs alone
    }
  } else if (executable_->deciding_inputs()[index]) {
    fail(DBK_INVALID_ARGUMENT, "{} decides shapes: it must be in host memory", what);
  }
  std::vector<Bound> inputs = inputs_;
  inputs[index] = std::move(bound);
  replan(extents, inputs);
  extents_ = std::move(extents);
  inputs_ = std::move(inputs);
  io_inputs_[index].changed = true;
  refresh_io();
}

// The extents that an input's shape implies; throws where the shape contradicts the declaration or what set_dim fixed.
void Run::learn_symbols(uint32_t input, const Shape& shape, std::vector<int64_t>& extents) const {
  const Graph& graph = executable_->graph();
  const Value& value = graph.values[graph.main().inputs[input]];
  if (!value.known_rank) return;
  const auto mismatch = [&](const std::string& why) {
    fail(DBK_INVALID_ARGUMENT, "input '{}' given as {}: {}", value.name, to_string(shape), why);
  };
  if (shape.rank() != value.dims.size()) mismatch(std::format("rank {} is declared", value.dims.size()));
  for (uint32_t i = 0; i < shape.rank(); ++i) {
    const int64_t d = value.dims[i];
    if (d >= 0 && d != shape[i]) mismatch(std::format("dimension {} is declared as {}", i, d));
    if (!is_symbol(d)) continue;
    const uint32_t s = symbol_of(d);
    check_extent(graph.symbols[s], shape[i]);
    if (set_explicitly_[s] && extents_[s] != shape[i])
      mismatch(std::format("symbol '{}' was set to {}", graph.symbols[s].name, extents_[s]));
    for (uint32_t j = 0; j < i; ++j)
      if (value.dims[j] == d && shape[j] != shape[i]) mismatch(std::format("symbol '{}' has two extents", graph.symbols[s].name));
    extents[s] = shape[i];
  }
}

void Run::bind_output(uint32_t index, const dbk_tensor& tensor) {
  const Graph& graph = executable_->graph();
  const ValueId value = graph.main().outputs[index];
  const std::string what = "output " + describe(graph, value);
  Bound bound = take(tensor, what);
  if (bound.buffer) bound.buffer->check_usage(DBK_BUFFER_OUTPUT);
  if (tensor.ownership == DBK_COPY)
    fail(DBK_INVALID_ARGUMENT, "{}: an output is written later, so ownership cannot be COPY", what);
  const Plan* const plan = this->plan();
  if (plan && plan->types.late[value])
    fail(DBK_UNIMPLEMENTED, "{}: only the run decides its shape, so it cannot be bound; read it afterwards", what);
  if (plan && !(plan->types[value] == bound.type))
    fail(DBK_INVALID_ARGUMENT, "{} is {} {}, given {} {}", what, to_string(plan->types[value].dtype),
         to_string(plan->types[value].shape), to_string(bound.type.dtype), to_string(bound.type.shape));
  for (uint32_t i = 0; i < bound.view.byte_strides.rank(); ++i)
    if (bound.view.byte_strides[i] <= 0 && bound.type.shape[i] > 1)
      fail(DBK_INVALID_ARGUMENT, "{}: strides of an output must be positive", what);
  if (!bound.buffer && (!bound.view.dense || !bound.view.aligned)) bound.dense = allocate_bytes(storage_bytes(bound.type), what);
  outputs_[index] = std::move(bound);
  refresh_io();
}

namespace {

// Whether only binding tells the shape of an input, beyond the extents of symbols.
bool bind_tells(const Value& input) { return !input.known_rank || std::ranges::find(input.dims, DBK_DIM_UNKNOWN) != input.dims.end(); }

}  // namespace

bool Run::decided(const std::vector<int64_t>& extents, const std::vector<Bound>& inputs) const {
  if (executable_->static_plan()) return true;
  const Graph& graph = executable_->graph();
  for (uint32_t s : executable_->input_symbols())
    if (extents[s] == DBK_DIM_UNKNOWN) return false;
  for (uint32_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].set && (executable_->deciding_inputs()[i] || bind_tells(graph.values[graph.main().inputs[i]]))) return false;
  return true;
}

// Plans for new extents where everything that decides shapes is known by now.
void Run::replan(const std::vector<int64_t>& extents, const std::vector<Bound>& inputs) {
  if (auto plan = executable_->static_plan()) {
    if (!plan_) install(std::move(plan));  // there was no memory before
    return;
  }
  if (!decided(extents, inputs)) return;
  const Graph& graph = executable_->graph();
  InferOptions options{std::vector<int64_t>(extents.size(), 0), {}, {}};
  for (uint32_t s : executable_->input_symbols()) options.extents[s] = extents[s];
  std::vector<Tensor> values(inputs.size());
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const bool open = bind_tells(graph.values[graph.main().inputs[i]]), decides = executable_->deciding_inputs()[i];
    options.input_shapes.push_back(open ? std::optional(inputs[i].type.shape) : std::nullopt);
    if (decides) values[i] = {inputs[i].type, inputs[i].dense ? inputs[i].dense.get() : inputs[i].view.data};
    options.input_values.push_back(decides ? &values[i] : nullptr);
  }
  const bool same = plan_ && options.extents == planned_.extents && options.input_shapes == planned_.input_shapes &&
                    std::ranges::find(executable_->deciding_inputs(), true) == executable_->deciding_inputs().end();
  if (same && !other_buffers_) return;
  install(executable_->make_plan_for(infer(graph, options)));
  options.input_values.clear();
  planned_ = std::move(options);
  stats_.add(&Stats::replans, 1);
}

void Run::install(std::shared_ptr<const Plan> plan) {
  plan_ = nullptr;  // a failure below leaves the run without a plan, not with a wrong one
  has_results_ = false;
  installed_for_ = executable_->ready_count();  // before: what becomes ready meanwhile is noticed when the run starts
  executable_->device().worker().call([&] {
    executable_->program()->complete(*plan);
    activation().set_plan(plan, io_inputs_, io_outputs_);
    activation().meet_kernels();
  });
  late_room_ = executable_->late_room(*plan);
  other_buffers_ = false;
  plan_ = std::move(plan);
  for (IoBinding& io : io_inputs_) io.changed = true;
}

// Brings the device's view of the bindings up to date.
void Run::refresh_io() {
  update_io();
  if (other_buffers_) has_results_ = false;
  if (!plan()) return;  // the next plan is installed with them
  if (other_buffers_) install(plan_);
  else executable_->device().worker().call([&] { activation().inputs_bound(io_inputs_); });
}

void Run::update_io() {
  const auto update = [&](IoBinding& io, const Bound& bound) {
    const std::shared_ptr<DeviceBuffer> memory = bound.buffer ? bound.buffer->memory() : nullptr;
    other_buffers_ |= memory != io.buffer || (memory && io.buffer_offset != bound.buffer_offset);
    io.buffer = memory;
    io.buffer_offset = bound.buffer_offset;
    io.borrowed = bound.borrowed;
    io.host = bound.buffer ? nullptr : bound.dense ? bound.dense.get() : bound.view.data;
  };
  for (size_t i = 0; i < inputs_.size(); ++i) update(io_inputs_[i], inputs_[i]);
  for (size_t i = 0; i < outputs_.size(); ++i) update(io_outputs_[i], outputs_[i]);
}

}  // namespace dbk

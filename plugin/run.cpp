#include "plugin/run.h"

#include <algorithm>

#include "plugin/buffer.h"
#include "plugin/data_refusal.h"

namespace dbk {

Run::Run(std::shared_ptr<Executable> executable) : executable_(std::move(executable)), events_(executable_->context().events()) {
  executable_->check_runnable();
  stats_.parent = &executable_->stats();
  const Graph& graph = executable_->graph();
  extents_.assign(graph.symbols.size(), DBK_DIM_UNKNOWN);
  set_explicitly_.assign(graph.symbols.size(), false);
  inputs_.resize(graph.main().inputs.size());
  outputs_.resize(graph.main().outputs.size());
  io_inputs_.resize(inputs_.size());
  io_outputs_.resize(outputs_.size());
  waits_.reserve(8);
  run_job_.run = this;
  read_job_.run = this;
  rehearsal_job_.run = this;
  Worker& worker = executable_->device().worker();
  worker.call([&] {
    made_for_ = executable_->program_count();
    activation_ = executable_->program()->activate(stats_);
  });
  try {
    if (auto plan = executable_->static_plan()) install(plan);
    else if (inputs_.empty()) replan(extents_, inputs_);
    rehearse();
    executable_->context().add(*this, executable_->device());
  } catch (...) {
    worker.call([&] { activation_.reset(); });
    throw;
  }
  executable_->stats().objects.fetch_add(1);
}

Run::~Run() {
  executable_->context().remove(*this, executable_->device());
  executable_->stats().objects.fetch_sub(1);
  if (done_) done_->release();
}

void Run::close() {
  if (done_) done_->wait(DBK_WAIT_FOREVER);
  closed_ = true;
}

void Run::release_device() { activation_.reset(); }

void Run::check_alive() const {
  executable_->check_open();
  check_program();
}

void Run::check_program() const {
  if (made_for_ != executable_->program_count()) fail(DBK_FAILED_PRECONDITION, "the device was lost and the run with it: create it again");
}

// For jobs, which may come after the context has closed or the device was recovered.
Activation& Run::activation() const {
  if (!activation_) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
  check_program();
  return *activation_;
}

namespace {

const char* unusable(const Bound& bound) { return bound.buffer ? bound.buffer->unusable() : nullptr; }

}  // namespace

void Run::check_startable() const {
  check_idle();
  const Graph& graph = executable_->graph();
  const Plan* const plan = this->plan();
  std::vector<Cause> causes;
  const auto add = [&](ValueId v, std::string message) { causes.push_back({DBK_FAILED_PRECONDITION, std::move(message), DBK_NONE, v}); };
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const ValueId v = graph.main().inputs[i];
    if (!inputs_[i].set) add(v, std::format("input {} is not bound", describe(graph, v)));
    else if (plan && !(plan->types[v] == inputs_[i].type))
      add(v, std::format("input {} is bound as {} but must be {} by now", describe(graph, v), to_string(inputs_[i].type.shape),
                         to_string(plan->types[v].shape)));
    else if (const char* why = unusable(inputs_[i])) add(v, std::format("the buffer of input {} {}", describe(graph, v), why));
  }
  for (uint32_t s : executable_->input_symbols())
    if (extents_[s] == DBK_DIM_UNKNOWN) add(DBK_NONE, std::format("symbol '{}' has no extent", graph.symbols[s].name));
  for (size_t i = 0; plan && i < outputs_.size(); ++i) {
    const ValueId v = graph.main().outputs[i];
    if (outputs_[i].set && plan->types.late[v]) add(v, std::format("output {} is bound, but only the run decides its shape", describe(graph, v)));
    else if (outputs_[i].set && !(plan->types[v] == outputs_[i].type))
      add(v, std::format("output {} is bound as {} but is {}", describe(graph, v), to_string(outputs_[i].type.shape),
                         to_string(plan->types[v].shape)));
    else if (const char* why = unusable(outputs_[i])) add(v, std::format("the buffer of output {} {}", describe(graph, v), why));
  }
  if (causes.empty() && !plan) add(DBK_NONE, "the run has no plan: bind its inputs again");
  if (!causes.empty()) throw Error(std::move(causes));
  check_overlaps();
}

namespace {

// Whether the memory of two bound tensors overlaps. Strided host tensors may interleave, and pass through memory of the run anyway.
bool overlap(const Bound& a, const Bound& b) {
  const auto begin = [](const Bound& t) { return t.buffer ? t.buffer_offset : reinterpret_cast<uintptr_t>(t.view.data); };
  const auto end = [&](const Bound& t) { return begin(t) + (t.buffer ? storage_bytes(t.type) : static_cast<uint64_t>(t.type.bytes())); };
  if (!a.set || !b.set || a.buffer != b.buffer || a.type.count() == 0 || b.type.count() == 0) return false;
  if (!a.buffer && (!a.view.dense || !b.view.dense)) return false;
  return begin(a) < end(b) && begin(b) < end(a);
}

}  // namespace

// What a run writes must be nobody else's memory.
void Run::check_overlaps() const {
  const Graph& graph = executable_->graph();
  for (size_t o = 0; o < outputs_.size(); ++o) {
    const Bound& out = outputs_[o];
    const Value& value = graph.values[graph.main().outputs[o]];
    for (size_t i = 0; i < inputs_.size(); ++i) {
      const bool one_buffer = out.buffer && out.buffer == inputs_[i].buffer;
      if (one_buffer && value.alias == graph.main().inputs[i] && out.buffer_offset == inputs_[i].buffer_offset)
        fail(DBK_UNIMPLEMENTED, "output '{}' cannot be made in place of its alias", value.name);
      if (one_buffer || (inputs_[i].borrowed && overlap(out, inputs_[i])))
        fail(DBK_INVALID_ARGUMENT, "the memory of output '{}' is also that of input {}", value.name, describe(graph, graph.main().inputs[i]));
    }
    for (size_t other = 0; other < o; ++other)
      if (overlap(out, outputs_[other]))
        fail(DBK_INVALID_ARGUMENT, "the memory of output '{}' is also that of output {}", value.name,
             describe(graph, graph.main().outputs[other]));
  }
}

void Run::start(const dbk_submit& submit, dbk_event** out_done) {
  constexpr uint32_t kKnownModes = DBK_RUN_FORCE_UPLOAD | DBK_RUN_NO_READBACK;
  if (submit.mode & ~(kKnownModes | DBK_RUN_PROFILE | DBK_RUN_CHECK_VALUES))
    fail(DBK_INVALID_ARGUMENT, "submit: unknown mode {:#x}", submit.mode);
  if (submit.mode & ~kKnownModes) fail(DBK_UNIMPLEMENTED, "submit: modes PROFILE and CHECK_VALUES are not available yet");
  if (submit.wait_count && !submit.wait) fail(DBK_INVALID_ARGUMENT, "submit: wait is NULL");
  for (uint32_t i = 0; i < submit.wait_count; ++i)
    if (!submit.wait[i]) fail(DBK_INVALID_ARGUMENT, "submit: wait[{}] is NULL", i);
    else if (!submit.wait[i]->belongs_to(executable_->context().events()))
      fail(DBK_INVALID_ARGUMENT, "submit: wait[{}] is an event of another context", i);
  check_startable();
  waits_.reserve(submit.wait_count);
  dbk_event* event = executable_->context().events().acquire();
  const std::shared_ptr<const Plan> plan = plan_;
  try {
    while (!executable_->begin_run(installed_for_)) install(plan);  // a parameter was replaced since
  } catch (...) {
    plan_ = plan;  // the next call tries again
    installed_for_ = kNotInstalled;
    event->release();
    throw;
  }
  for (uint32_t i = 0; i < submit.wait_count; ++i) {
    submit.wait[i]->retain();
    waits_.push_back(submit.wait[i]);
  }
  mode_ = submit.mode;
  has_results_ = rebound_ = false;
  rehearsed_ = true;  // from now on inputs and results stay where they are
  launch(run_job_, event, out_done);
}

// From here on nothing fails but the work itself; `event` tells.
void Run::launch(Job& job, dbk_event* event, dbk_event** out_done) {
  event->retain();  // for the worker
  dbk_event* before = event;
  {
    std::lock_guard lock(done_mutex_);
    std::swap(done_, before);
  }
  if (before) before->release();
  in_flight_ = true;
  if (out_done) event->retain();  // for the caller
  try {
    executable_->device().worker().post(job);
  } catch (...) {
    &job == &run_job_ ? finish_run(std::current_exception()) : finish(std::current_exception());
  }
  if (out_done) {
    *out_done = event;
    return;
  }
  event->wait(DBK_WAIT_FOREVER);
  event->rethrow();
}

// When everything is bound for the first time, goes the way of a run through checks, event, worker and device: what is slow once is slow here.
void Run::rehearse() noexcept {
  if (rehearsed_ || !plan() || !std::ranges::all_of(inputs_, &Bound::set)) return;
  try {
    check_startable();
    rehearsed_ = true;
    launch(rehearsal_job_, executable_->context().events().acquire(), nullptr);
  } catch (...) {  // what matters fails the run as well
  }
}

void Run::rehearsal_job() noexcept {
  std::exception_ptr failure;
  try {
    activation().rehearse();
  } catch (...) {
    failure = std::current_exception();
  }
  finish(std::move(failure));
}

void Run::execute_job() noexcept {
  std::exception_ptr failure;
  try {
    run_steps();
  } catch (...) {
    failure = std::current_exception();
  }
  finish_run(std::move(failure));
}

void Run::finish_run(std::exception_ptr failure) noexcept {
  for (dbk_event* e : waits_) e->release();
  waits_.clear();
  has_results_ = !failure;
  for (Bound& out : outputs_) out.has_result = has_results_;
  executable_->end_run();
  finish(std::move(failure));
}

void Run::cancel() {
  std::lock_guard lock(done_mutex_);
  if (done_) done_->cancel();  // no matter to what is done, nor to reads
}

void Run::wait_for_others() {
  const auto check_cancelled = [&] {
    if (done_->cancelled()) fail(DBK_CANCELLED, "the run was cancelled");
  };
  check_cancelled();
  for (dbk_event* e : waits_) {
    done_->await(*e);
    check_cancelled();
    e->rethrow();
  }
}

void Run::run_steps() {
  wait_for_others();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].borrowed) continue;
    if (inputs_[i].dense) gather(inputs_[i].view, inputs_[i].dense.get());
  }
  const Stopwatch watch;
  refusing_data([&] { activation().execute({io_inputs_, io_outputs_, mode_, &done_->cancelled(), &stats_, late_room_}); });
  stats_.add(&Stats::runs, 1);
  const uint64_t nanoseconds = watch.nanoseconds();
  stats_.add(&Stats::run_nanoseconds, nanoseconds);
  if (executable_->device().is_cpu()) stats_.add(&Stats::device_nanoseconds, nanoseconds);
  for (Bound& out : outputs_)
    if (out.dense) scatter(out.dense.get(), out.view);
}

// The last thing a job does. After in_flight_ is cleared the run may be freed by its owner: only the event is touched then.
void Run::finish(std::exception_ptr failure) noexcept {
  dbk_event* event = done_;
  in_flight_ = false;
  event->complete(std::move(failure));
  event->release();
}

void Run::read(std::vector<dbk_copy> copies, dbk_event** out_done) {
  check_idle();
  if (!has_results_) fail(DBK_FAILED_PRECONDITION, "there is no completed run to read from");
  const Graph& graph = executable_->graph();
  for (const dbk_copy& c : copies) {
    const ValueId v = executable_->value_of(DBK_OUTPUT, c.output);
    const std::string what = "output " + describe(graph, v);
    const uint64_t bytes = static_cast<uint64_t>(output_type(c.output).bytes());
    if (c.reserved) fail(DBK_INVALID_ARGUMENT, "copy: reserved must be 0");
    if (c.byte_len && !c.dst) fail(DBK_INVALID_ARGUMENT, "{}: dst is NULL", what);
    if (c.byte_off > bytes || c.byte_len > bytes - c.byte_off)
      fail(DBK_OUT_OF_RANGE, "{}: bytes [{}, +{}) are outside its {}", what, c.byte_off, c.byte_len, bytes);
    if (outputs_[c.output].set && !outputs_[c.output].buffer)
      fail(DBK_FAILED_PRECONDITION, "{} is bound to host memory: it is there already", what);
    if (!outputs_[c.output].has_result)
      fail(DBK_FAILED_PRECONDITION, "the result of {} is forgotten: it was bound or unbound since the last run", what);
    if (const char* why = unusable(outputs_[c.output])) fail(DBK_FAILED_PRECONDITION, "the buffer of {} {}", what, why);
  }
  dbk_event* event = executable_->context().events().acquire();
  copies_ = std::move(copies);
  launch(read_job_, event, out_done);
}

void Run::read_job() noexcept {
  std::exception_ptr failure;
  try {
    for (const dbk_copy& c : copies_) {
      if (c.byte_len) activation().read(c.output, c.byte_off, c.dst, c.byte_len);
      stats_.add(&Stats::readback_bytes, c.byte_len);
    }
  } catch (...) {
    failure = std::current_exception();
  }
  finish(failure);
}

}  // namespace dbk

#include "plugin/executable.h"

#include <algorithm>

#include "plugin/autotune.h"
#include "plugin/body_plans.h"
#include "plugin/data_refusal.h"
#include "plugin/fork_guard.h"
#include "plugin/graph/shape_inputs.h"
#include "plugin/host_tensor_copy.h"
#include "plugin/memory_limit.h"
#include "plugin/pass_options.h"
#include "plugin/struct_copy.h"
#include "plugin/support.h"

namespace dbk {

namespace {

// Whether there was any to halve; each stays one that a run may have.
bool halve(std::vector<int64_t>& extents, const std::vector<Symbol>& symbols) {
  const std::vector<int64_t> before = extents;
  for (size_t i = 0; i < extents.size(); ++i) {
    const Symbol& s = symbols[i];
    const int64_t half = extents[i] / 2 / s.multiple_of * s.multiple_of;
    if (half >= std::max<int64_t>(s.min, 1)) extents[i] = half;
  }
  return extents != before;
}

}  // namespace

Executable::Executable(std::shared_ptr<Context> context, uint32_t device, Graph graph, const Options& options, uint32_t mode,
                       const Progress& progress, bool probe, std::optional<Types> inferred)
    : context_(std::move(context)), device_index_(device), device_(&context_->device(device)),
      plan_only_(mode == DBK_COMPILE_PLAN_ONLY), require_gpu_(options.text("policy") == "require_gpu"), probe_(probe),
      budget_(options.integer("memory_budget")) {
  if (!probe) stats_.parent = &context_->stats();
  if (auto causes = unsupported(graph); !causes.empty()) throw Error(std::move(causes));
  if (device_->is_cpu() && require_gpu_)
    fail(DBK_UNIMPLEMENTED, "policy require_gpu, but the chosen device is the CPU");
  if (const std::string why = device_->refuse_options(); !why.empty()) fail(DBK_INVALID_ARGUMENT, "{}", why);
  progress(DBK_STAGE_CHECK, 1, 1);
  graph.precision = precision_of(options.text("precision"));
  Types types = inferred ? *std::move(inferred) : infer(graph, {representative_extents(graph), {}, {}});
  compile_passes(graph, types, pass_options(*device_, options, form_measurement(progress)));
  for (ValueId v : graph.main().inputs)
    for (int64_t d : graph.values[v].dims)
      if (is_symbol(d)) input_symbols_.insert(static_cast<uint32_t>(symbol_of(d)));
  static_ = graph.fixed_extents = input_symbols_.empty() && types.complete;
  graph_ = std::make_shared<Graph>(std::move(graph));
  deciding_inputs_ = shape_inputs(*graph_);
  placement_ = place_nodes(*device_, *graph_, types);
  progress(DBK_STAGE_PLAN, 0, 1);
  for (ValueId v : graph_->params)
    params_.push_back({v, {graph_->values[v].dtype, Shape(graph_->values[v].dims)}, graph_->values[v].data, nullptr, 0});
  program_.store(device_->create_program(graph_, stats_));
  base_plan_ = make_plan_for(types);
  if (plan_only_) {
    judge_planned();
    stats_.add(&Stats::weight_bytes, weight_use(*base_plan_).allocated);
    stats_.add(&Stats::activation_bytes, run_bytes(*base_plan_));
  }
  progress(DBK_STAGE_PLAN, 1, 1);
  context_->add(*this, *device_);
}

// Those that are prepared from others one after the other, and none is kept. What cannot be prepared stays open: only ready refuses it.
void Executable::judge_planned() {
  align_params();
  Weights given = weights();
  program()->judge(*base_plan_, given);
  for (const ValueId v : program()->judged_weights(*base_plan_)) {
    if (graph_->values[v].origin != kOriginPrepared) continue;
    try {
      std::optional<Weight> made;
      device_->worker().call([&] { made = PreparedWeights::made(*graph_, given, v); });
      if (!made) continue;
      given[v] = *made;
      program()->judge(*base_plan_, given);
    } catch (const Error& e) {
      context_->log()(DBK_LOG_INFO, "weight {} is not judged before it is ready: {}", describe(*graph_, v), e.what());
    }
    given[v].data = nullptr, given[v].owner = nullptr;  // its revision stays, and with it the verdict
  }
}

Executable::~Executable() {
  context_->remove(*this, *device_);
  if (plan_only_) {
    stats_.subtract(&Stats::weight_bytes, stats_.weight_bytes);
    stats_.subtract(&Stats::activation_bytes, stats_.activation_bytes);
  }
}

std::vector<Placement> Executable::placement_for(const Types& types) const {
  std::vector<Placement> placement = placement_;
  for (uint32_t i = 0; i < placement.size(); ++i) {
    const Node& node = graph_->main().nodes[i];
    const bool extents_decide = !static_ && placement[i].where == Where::Device && !types.undecided(node);  // kernels have limits
    if ((placement[i].open || extents_decide) && !types.late_nodes[i]) placement[i] = place_node(*device_, *graph_, node, &types);
  }
  place_late_nodes(*graph_, types, placement);
  return placement;
}

// With all symbols bounded the base plan is one for the largest extents: others keep to its places.
const Plan* Executable::frame() const {
  const auto bounded = [&](uint32_t s) { return graph_->symbols[s].bounded(); };
  return base_plan_ && base_plan_->types.complete && std::ranges::all_of(input_symbols_, bounded) ? base_plan_.get() : nullptr;
}

uint64_t Executable::run_bytes(const Plan& plan) const { return plan.activation_bytes() + program()->scratch_bytes(plan); }

void Executable::check_budget(uint64_t run, uint64_t weights) const {
  if (weights + run > static_cast<uint64_t>(budget_))
    fail(DBK_OUT_OF_MEMORY, "memory_budget of {} bytes: weights take {}, one run takes {}", budget_, weights, run);
}

uint64_t Executable::late_room(const Plan& plan) const {
  if (!budget_) return UINT64_MAX;
  const uint64_t taken = weight_use(plan).allocated + run_bytes(plan);
  return static_cast<uint64_t>(budget_) - std::min(taken, static_cast<uint64_t>(budget_));
}

std::shared_ptr<Plan> Executable::plan_for(const Types& types) const {
  std::vector<Cause> refused;
  auto plan = std::make_shared<Plan>(plan_graph(*device_, *graph_, types, placement_for(types), require_gpu_, refused, frame()));
  if (!refused.empty()) throw Error(std::move(refused));
  if (std::string why = plan_only_ ? "" : refuse_memory(*device_, *graph_, *plan); !why.empty()) throw Error(DBK_OUT_OF_MEMORY, std::move(why));
  return plan;
}

std::shared_ptr<const Plan> Executable::make_plan_for(const Types& types) const {
  std::shared_ptr<Plan> plan = plan_for(types);
  if (!budget_) return plan;
  const uint64_t weights = weight_use(*plan).allocated;
  uint64_t run = run_bytes(*plan);
  if (weights + run > static_cast<uint64_t>(budget_)) {
    PlanRules rules = device_->plan_rules();
    rules.slice_views = false;  // copies of parts may fit where the whole, kept alive by a view, does not
    auto bodies = std::move(plan->bodies);
    *plan = make_plan(*graph_, types, placement_for(types), rules, frame());
    plan->bodies = std::move(bodies);
    run = run_bytes(*plan);
  }
  check_budget(run, weights);
  return plan;
}

// What a device makes ready. With other extents a part may be a step where it is a view in the base plan, so all of them are steps here.
std::shared_ptr<const Plan> Executable::plan_to_prepare() const {
  if (static_) return base_plan_;
  PlanRules rules = device_->plan_rules();
  rules.slice_views = false;
  auto plan = std::make_shared<Plan>(make_plan(*graph_, base_plan_->types, placement_for(base_plan_->types), rules));
  plan->bodies = base_plan_->bodies;
  return plan;
}

WeightUse Executable::weight_use(const Plan& plan) const {
  std::lock_guard lock(mutex_);
  return program()->weight_use(plan, weights());
}

bool Executable::misaligned(const Param& param) {
  return reinterpret_cast<uintptr_t>(param.data.ptr) % std::clamp(bits_of(param.type.dtype) / 8, 1u, 16u) != 0;
}

Weights Executable::weights() const {
  Weights weights(graph_->values.size());
  for (ValueId v = 0; v < graph_->values.size(); ++v)
    if (const auto& c = graph_->values[v].constant) weights[v] = {c->bytes.data(), c->bytes.size(), 1};
  for (const Param& p : params_)
    weights[p.value] = {p.aligned ? p.aligned.get() : p.data.ptr, p.data.len, p.revision + 1,
                        p.data.ptr && !p.data.owned && !misaligned(p), p.data.before, p.data.behind, p.aligned ? p.aligned : p.data.owned};
  prepared_.add_to(*graph_, weights);
  return weights;
}

void Executable::check_open() const {
  context_->check_open();
  if (closed_) fail(DBK_FAILED_PRECONDITION, "the executable is destroyed");
}

std::shared_ptr<Program> Executable::program() const {
  std::shared_ptr<Program> program = program_.load();
  if (!program) fail(DBK_FAILED_PRECONDITION, "the context is destroyed");
  return program;
}

// That of a lost device gives everything of it back at once, as a report may keep the rest a little longer, on another thread.
void Executable::replace_program() {
  const std::shared_ptr<Program> before = program();
  program_.store(device_->create_program(graph_, stats_));
  ++program_count_;
  before->return_borrowed();
}

void Executable::check_runnable() const {
  check_open();
  if (plan_only_) fail(DBK_FAILED_PRECONDITION, "compiled with PLAN_ONLY: it cannot run");
  if (!ready_) fail(DBK_FAILED_PRECONDITION, "the executable is not ready: call exec_ready after compile and set_param");
}

void Executable::remove_param(uint32_t index) {
  check_open();
  std::lock_guard lock(mutex_);
  set_data(changeable_param(index), {});
}

void Executable::set_data(Param& param, ParamData data) {
  {
    std::lock_guard lock(data_mutex_);
    std::swap(param.data, data);
  }
  param.aligned = nullptr;
  param.revision = next_revision_++;
  ready_ = was_ready_ = false;  // from now on only exec_ready makes it ready, no recovery
}

// Throws unless the parameter exists and may change now.
Param& Executable::changeable_param(uint32_t index) {
  if (index >= params_.size()) fail(DBK_OUT_OF_RANGE, "parameter {} of {}", index, params_.size());
  if (in_flight_) fail(DBK_FAILED_PRECONDITION, "a run of the executable is in flight");
  return params_[index];
}

void Executable::set_param(uint32_t index, const dbk_tensor& tensor) {
  check_open();
  std::lock_guard lock(mutex_);
  Param& param = changeable_param(index);
  const std::string what = "parameter " + describe(*graph_, param.value);
  if (tensor.buffer) fail(DBK_UNIMPLEMENTED, "{}: parameters come from host memory, not from a buffer", what);
  const HostView view = view_of(tensor, what);
  if (!(view.type == param.type))
    fail(DBK_INVALID_ARGUMENT, "{} is {} {}, given {} {}", what, to_string(param.type.dtype), to_string(param.type.shape),
         to_string(view.type.dtype), to_string(view.type.shape));
  if (tensor.ownership != DBK_COPY && tensor.ownership != DBK_UNTIL_DESTROY)
    fail(DBK_INVALID_ARGUMENT, "{}: ownership {} is neither COPY nor UNTIL_DESTROY", what, tensor.ownership);
  const uint64_t bytes = static_cast<uint64_t>(view.type.bytes());
  ParamData data{view.data, bytes, nullptr, 0, tensor.byte_len - bytes};
  if (tensor.ownership == DBK_COPY || !view.dense) {
    const std::shared_ptr<std::byte[]> copy = allocate_bytes(bytes, what);
    gather(view, copy.get());
    data = {copy.get(), bytes, copy};
  }
  set_data(param, std::move(data));
}

void Executable::adopt_params(Executable& other) {
  if (other.context_ != context_) fail(DBK_INVALID_ARGUMENT, "share: the executable is of another context");
  std::scoped_lock lock(mutex_, other.mutex_);
  for (Param& param : params_) {
    if (param.data.ptr) continue;
    for (const Param& source : other.params_) {
      const bool same = graph_->values[param.value].name == other.graph_->values[source.value].name && param.type == source.type;
      if (same) param.data = source.data, param.aligned = source.aligned;
    }
  }
}

// Forms of layers are measured while passes choose them, each kind of layer once, whatever comes of it. All of an executable share one
// budget, and kernels get what is left of it.
std::function<void(const Trial&)> Executable::form_measurement(const Progress& progress) {
  const std::optional<TuneEffort> effort = tune_effort(context_->options());
  if (!effort || probe_ || plan_only_ || !device_->measures_forms()) return nullptr;
  return [this, &progress, effort, tried = std::make_shared<std::set<std::string>>()](const Trial& trial) {
    const bool enough = device_->measured(trial.about).tried >= effort->wanted;
    if (enough || !tried->insert(trial.about).second) return;
    const Stopwatch watch;
    autotune(*context_, device_index_, {trial}, effort->after(tuning_nanoseconds_), progress);
    tuning_nanoseconds_ += watch.nanoseconds();
  };
}

// Where rows may change, being thorough means some numbers of them: the largest that the plan is for, and halves of it.
void Executable::tune(Program& program, const Plan& plan, const Weights& given, const Progress& progress) {
  const std::optional<TuneEffort> effort = tune_effort(context_->options());
  if (!effort || probe_) return;
  std::vector<Trial> trials = program.trials(plan, plan.types, effort->wanted);
  for (std::vector<int64_t> extents = representative_extents(*graph_); effort->wanted == Tried::All && halve(extents, graph_->symbols);) {
    const Types types = infer(*graph_, {extents, {}, {}});
    for (Trial& trial : program.trials(plan, types, effort->wanted))
      if (std::ranges::find(trials, trial.about, &Trial::about) == trials.end()) trials.push_back(std::move(trial));
  }
  std::ranges::stable_sort(trials, {}, &Trial::tried);  // a short budget comes to all of them in the end
  if (!autotune(*context_, device_index_, trials, effort->after(tuning_nanoseconds_), progress)) return;
  program.use_measured();
  program.judge(plan, given);  // what is fastest now may round other weights
}

// Smaller extents may take other kernels than the largest, for which the plan is.
void Executable::warm_up_other_extents(Program& program, const Progress& progress) {
  if (static_ || probe_ || !base_plan_->types.complete || !program.has_other_kernels()) return;
  for (std::vector<int64_t> extents = representative_extents(*graph_); halve(extents, graph_->symbols);) {
    progress(DBK_STAGE_WARM_UP, 0, 0);
    try {
      program.warm_up(*plan_for(infer(*graph_, {extents, {}, {}})));
    } catch (const Error& e) {  // extents that do not go together: a run with them is told
      if (e.causes().front().code == DBK_UNAVAILABLE) throw;
    }
  }
}

void Executable::make_ready(const Progress& progress) {
  check_open();  // before the lock, which a fork may have left taken
  if (plan_only_) fail(DBK_FAILED_PRECONDITION, "compiled with PLAN_ONLY: it cannot become ready");
  std::unique_lock lock(mutex_);
  wait_until_idle(lock);
  check_open();  // with the lock: close() comes before or after all that follows
  if (!ready_) become_ready(progress);
}

// An executable that is not ready has runs in flight only while its device is recovered. They end on the worker, which needs the lock for
// that: whoever waits for the worker with the lock held waits for them first.
void Executable::wait_until_idle(std::unique_lock<std::mutex>& lock) {
  idle_.wait(lock, [&] { return in_flight_ == 0 || ready_; });
}

void Executable::align_params() {
  for (Param& param : params_) {
    if (!misaligned(param) || param.aligned) continue;
    const std::shared_ptr<std::byte[]> copy = allocate_bytes(param.data.len, "parameter " + describe(*graph_, param.value));
    std::copy_n(param.data.ptr, param.data.len, copy.get());
    param.aligned = copy;
  }
}

void Executable::become_ready(const Progress& progress) {
  const Stopwatch watch;
  std::vector<Cause> missing;
  for (const Param& param : params_) {
    if (!param.data.ptr && param.type.bytes() > 0)
      missing.push_back({DBK_FAILED_PRECONDITION, std::format("parameter {} has no data", describe(*graph_, param.value)), DBK_NONE, param.value});
  }
  if (!missing.empty()) throw Error(std::move(missing));
  align_params();
  if (lost_) device_->worker().call([&] { replace_program(); });
  life_ = device_->life();  // before the program meets the device
  const std::shared_ptr<Program> program = this->program();
  Weights given = weights();
  refusing_data([&] { device_->worker().call([&] { prepared_.update(*graph_, given); }); });
  const std::shared_ptr<const Plan> plan = plan_to_prepare();
  program->prove(*plan);
  program->judge(*plan, given);
  const auto keep_to_budget = [&] {
    if (budget_) check_budget(run_bytes(*base_plan_), program->weight_use(*base_plan_, given).allocated);
  };
  keep_to_budget();
  tune(*program, *plan, given, progress);
  program->prepare(*plan, given, progress);
  warm_up_other_extents(*program, progress);
  keep_to_budget();  // a driver may have refused to borrow
  stats_.add(&Stats::ready_nanoseconds, watch.nanoseconds());
  lost_ = was_ready_ = false;
  ready_ = true;
  ++ready_count_;
}

bool Executable::begin_run(uint64_t installed_for) {
  std::lock_guard lock(mutex_);
  check_runnable();
  if (installed_for != ready_count_) return false;
  ++in_flight_;
  return true;
}

void Executable::end_run() noexcept {
  std::lock_guard lock(mutex_);
  --in_flight_;
  idle_.notify_all();
}

void Executable::close() {
  std::unique_lock lock(mutex_);
  closed_ = true;
  idle_.wait(lock, [&] { return in_flight_ == 0; });
  lock.unlock();
  device_->worker().call([&] {
    if (const auto program = program_.load()) program->return_borrowed();  // the handle ends here, whatever its runs keep
  });
}

void Executable::release_device() { program_.store(nullptr); }

void Executable::device_lost() {
  std::unique_lock lock(mutex_);
  if (life_ == device_->life()) return;  // prepared since
  lost_ = true;
  was_ready_ = was_ready_ || ready_;
  ready_ = false;
  idle_.wait(lock, [&] { return in_flight_ == 0; });  // what was started on the lost device fails by itself
}

void Executable::restore_device(const Progress& progress) {
  std::unique_lock lock(mutex_);
  wait_until_idle(lock);
  if (!closed_ && lost_ && was_ready_) become_ready(progress);
}

}  // namespace dbk

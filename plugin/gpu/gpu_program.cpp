#include "plugin/gpu/gpu_program.h"

#include <algorithm>
#include <set>

#include "plugin/cpu/host_kernel.h"
#include "plugin/gpu/gpu_activation.h"
#include "plugin/graph/node_alone.h"

namespace dbk::gpu {

// A kernel that is measured is what the host would force; numbers that were invented for it are not judged.
std::shared_ptr<const Capabilities> GpuProgram::capabilities_for(const GpuDevice& device, const Graph& graph) {
  auto caps = std::make_shared<Capabilities>(device.capabilities());
  if (const size_t space = graph.product_kernel.find(' '); space != std::string::npos) {
    caps->controls.matmul_family = graph.product_kernel.substr(0, space);
    caps->controls.matmul_variant = graph.product_kernel.substr(space + 1);
    caps->controls.precision_threshold = 0;
  } else {
    caps->tuned = device.tuned();
  }
  return caps;
}

GpuProgram::~GpuProgram() { stats_.weight_bytes -= counted_; }

NodeOperands GpuProgram::operands_of(const Plan& plan, uint32_t node, const WeightVerdicts& verdicts) const {
  return {*graph_, graph_->main().nodes[node], plan.types, verdicts.of(node)};
}

void GpuProgram::each_panel(const Plan& plan, const WeightVerdicts& verdicts,
                            const std::function<void(ValueId, const TensorType&, const Panel&)>& f) const {
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  std::set<WeightKey> seen;
  const auto visit = [&](ValueId v, const TensorType& type, const Panel& panel) {
    if (seen.insert({v, panel}).second) f(v, type, panel);
  };
  for (const uint32_t index : device_nodes(plan)) {
    const Node& node = graph_->main().nodes[index];
    const NodeOperands operands = operands_of(plan, index, verdicts);
    for (uint32_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId v = node.inputs[i];
      if (v == DBK_NONE || !reads_memory(node, i, plan.types) || plan.device.slots[v].kind != Slot::Kind::Weight) continue;
      const ValueId root = plan.device.slots[v].index;
      if (!operands.is_weight(i)) visit(root, plan.types[root], whole(plan.types[root]));  // a view of a weight
      else for (const Panel& p : operands.panels(*find_family(node.op->family), *caps, i)) visit(v, plan.types[v], p);
    }
  }
  for (const OutputCopy& copy : plan.copies)
    if (const Slot& slot = plan.device.slots[copy.value]; slot.kind == Slot::Kind::Weight)
      visit(slot.index, plan.types[slot.index], whole(plan.types[slot.index]));
}

// All that runs may dispatch, whatever their extents.
std::vector<gpu::Program> GpuProgram::candidates(const Plan& plan) const {
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  std::vector<gpu::Program> list;
  for (const uint32_t node : device_nodes(plan))
    find_family(graph_->main().nodes[node].op->family)->programs(operands_of(plan, node, *verdicts).view(), *caps, list);
  return list;
}

// Where extents never change, that is what this plan dispatches.
std::vector<gpu::Program> GpuProgram::programs(const Plan& plan) const {
  if (!graph_->fixed_extents) return candidates(plan);
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  std::vector<gpu::Program> list;
  for (const uint32_t node : device_nodes(plan))
    operands_of(plan, node, *verdicts).dispatches(*graph_, *find_family(graph_->main().nodes[node].op->family), *caps, list);
  return list;
}

void GpuProgram::judge(const Plan& plan, const dbk::Weights& weights) {
  const std::shared_ptr<const WeightVerdicts> before = verdicts_.load();
  verdicts_.store(std::make_shared<WeightVerdicts>(*graph_, plan, *caps_.load(), weights, *before, stats_));
  bodies_.judge(plan, weights);
}

std::vector<ValueId> GpuProgram::judged_weights(const Plan& plan) const { return weights_to_judge(*graph_, plan, *caps_.load()); }

// Whether kernels may want matrices of subgroups, those included that a bind chooses when it knows all types.
bool GpuProgram::may_use_matrices(const Plan& plan) const {
  if (caps_.load()->matrices.empty()) return false;
  const auto open = [&](const Node& node) {
    const Family* family = node.op ? find_family(node.op->family) : nullptr;
    return family && family->choice && !all_typed(node, plan.types);
  };
  return std::ranges::any_of(graph_->main().nodes, open) || std::ranges::any_of(candidates(plan), &gpu::Program::on_matrices);
}

void GpuProgram::prove(const Plan& plan) {
  if (may_use_matrices(plan)) {
    auto caps = std::make_shared<Capabilities>(*caps_.load());
    caps->matrices = device_.proven_matrices();
    caps_.store(std::move(caps));
  }
  bodies_.prove(plan);
}

void GpuProgram::prepare(const Plan& plan, const dbk::Weights& weights, const Progress& progress) {
  auto prepared = std::make_shared<Prepared>();
  prepared->host_weights = weights;
  prepared->verdicts = verdicts_.load();
  Borrowed borrowed;
  const std::vector<gpu::Program> needed = programs(plan);
  try {
    fill(plan, *prepared, borrowed, needed, progress);
  } catch (...) {
    device_.worker().call([&] { prepared.reset(), borrowed.clear(); });
    throw;
  }
  device_.worker().call([&] {
    packed_.keep_only(weights);
    current_->store(std::move(prepared));
    std::swap(borrowed_, borrowed);
    borrowed.clear();  // of parameters that were replaced
  });
  count_weights(own_weight_use(plan, weights).allocated);
  bodies_.prepare(plan, weights, progress);
  progress(DBK_STAGE_WARM_UP, 0, needed.size());
  const Stopwatch watch;
  if (plan.types.complete) device_.worker().call([&] { rehearse(plan); });
  stats_.add(&Stats::warm_up_nanoseconds, watch.nanoseconds());
  progress(DBK_STAGE_WARM_UP, needed.size(), needed.size());
}

void GpuProgram::fill(const Plan& plan, Prepared& prepared, Borrowed& borrowed, const std::vector<gpu::Program>& needed,
                      const Progress& progress) {
  Worker& worker = device_.worker();
  worker.call([&] {
    prepared.session = device_.session();
    const std::shared_ptr<const Prepared> current = current_->load();
    const bool goes_on = current && current->session == prepared.session;
    prepared.table = goes_on ? current->table : std::make_shared<ProgramTable>(*prepared.session->pipelines);
  });
  prepared.caps = caps_.load();
  upload(plan, prepared, borrowed, progress);
  progress(DBK_STAGE_PIPELINES, 0, needed.size());
  worker.call([&] { prepared.table->get(needed, stats_); });
  progress(DBK_STAGE_PIPELINES, needed.size(), needed.size());
}

// What an earlier prepare made of the same bytes.
std::shared_ptr<const GpuWeight> GpuProgram::kept(const WeightKey& key, const Weight& weight) const {
  const std::shared_ptr<const Prepared> current = current_->load();
  if (!current || current->host_weights[key.first].revision != weight.revision) return nullptr;
  const auto found = current->weights.find(key);
  return found == current->weights.end() ? nullptr : found->second;
}

std::shared_ptr<const GpuWeight> GpuProgram::store(const WeightKey& key, const TensorType& type, const Prepared& prepared,
                                                   Borrowed& borrowed) {
  const Weight& weight = prepared.host_weights[key.first];
  const std::shared_ptr<DawnDevice>& device = prepared.session->device;
  if (auto before = kept(key, weight); before && before->device == device) {
    if (before->borrowed) borrowed[key] = borrowed_.at(key);
    return before;
  }
  const std::optional<Pages> pages = is_whole(type, key.second) ? pages_of(weight, device_.traits()) : std::nullopt;
  if (!pages || !device_.refuse_memory(pages->memory, pages->bytes).empty())
    return prepared.session->weights.get(device, type, weight, key.second, stats_);
  constexpr auto kUsage = wgpu::BufferUsage::Storage | wgpu::BufferUsage::CopySrc;
  const auto memory = borrowed[key] = std::make_shared<HostMemory>(device, pages->memory, pages->bytes, kUsage);
  stats_.add(&Stats::buffers_created, 1);
  stats_.add(&Stats::device_objects, 1);
  return std::make_shared<GpuWeight>(device, memory->buffer(), pages->offset, weight.bytes, /*borrowed=*/true);
}

void GpuProgram::upload(const Plan& plan, Prepared& prepared, Borrowed& borrowed, const Progress& progress) {
  const uint64_t total = own_weight_use(plan, prepared.host_weights).allocated;
  uint64_t done = 0;
  progress(DBK_STAGE_WEIGHTS, 0, total);
  each_panel(plan, *prepared.verdicts, [&](ValueId v, const TensorType& type, const Panel& panel) {
    std::shared_ptr<const GpuWeight>& stored = prepared.weights[{v, panel}];
    device_.worker().call([&] {
      try {
        stored = store({v, panel}, type, prepared, borrowed);
      } catch (Error& e) {
        for (Cause& c : e.causes()) {
          c.message = std::format("weight {}: {}", describe(*graph_, v), c.message);
          c.value = v;
        }
        throw;
      }
    });
    if (!stored->borrowed) done += panel_bytes(type, panel);
    progress(DBK_STAGE_WEIGHTS, done, std::max(done, total));
  });
}

void GpuProgram::complete(const Plan& plan) {
  const std::shared_ptr<const Prepared> current = current_->load();
  if (!current) return;
  judge(plan, current->host_weights);
  bodies_.complete(plan, current->host_weights);
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  std::shared_ptr<Prepared> more;
  if (*verdicts != *current->verdicts) more = std::make_shared<Prepared>(*current), more->verdicts = verdicts;
  Borrowed borrowed = borrowed_;
  each_panel(plan, *verdicts, [&](ValueId v, const TensorType& type, const Panel& panel) {
    if (current->weights.contains({v, panel})) return;
    if (!more) more = std::make_shared<Prepared>(*current);
    more->weights[{v, panel}] = store({v, panel}, type, *more, borrowed);
  });
  if (!more) return;
  uint64_t bytes = 0;
  for (const auto& [key, weight] : more->weights)
    if (!weight->borrowed) bytes += weight->bytes;
  current_->store(std::move(more));
  borrowed_ = std::move(borrowed);
  count_weights(bytes);
}

// In the executable alone: in the context a buffer that is shared counts once.
void GpuProgram::count_weights(uint64_t bytes) { stats_.weight_bytes += bytes - counted_.exchange(bytes); }

// Drivers finish compiling at the first dispatch: some workgroups of every launch, on zeroed memory of the right size.
void GpuProgram::rehearse(const Plan& plan) {
  Stats discarded;  // what the rehearsal makes is gone when it ends
  GpuActivation activation(device_, graph_, current_, packed_, bodies_, discarded);
  activation.set_plan(std::make_shared<Plan>(plan), {}, {});
  activation.rehearse();
  activation.rehearse_host_steps();
}

bool GpuProgram::takes_new_pipelines(const Plan& plan) const {
  const std::shared_ptr<const Prepared> current = current_->load();
  std::vector<gpu::Program> taken;
  for (const uint32_t node : device_nodes(plan)) {
    const Family& family = *find_family(graph_->main().nodes[node].op->family);
    const NodeOperands operands = operands_of(plan, node, *current->verdicts);
    operands.dispatches(*graph_, family, *current->caps, taken);
  }
  const auto pipelines = current->table->get(taken, stats_);
  return std::ranges::any_of(pipelines, [](const auto& pipeline) { return !pipeline->dispatched; });
}

void GpuProgram::warm_up(const Plan& plan) {
  const Stopwatch watch;
  device_.worker().call([&] {
    complete(plan);
    if (!takes_new_pipelines(plan)) return;
    Stats discarded;
    GpuActivation activation(device_, graph_, current_, packed_, bodies_, discarded);
    activation.set_plan(std::make_shared<Plan>(plan), {}, {});
    activation.meet_kernels();
  });
  stats_.add(&Stats::warm_up_nanoseconds, watch.nanoseconds());
}

std::unique_ptr<Activation> GpuProgram::activate(Stats& stats) {
  return std::make_unique<GpuActivation>(device_, graph_, current_, packed_, bodies_, stats);
}

// Scratch buffers are shared by all launches: each is as large as its largest user wants.
uint64_t GpuProgram::scratch_bytes(const Plan& plan) const {
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  std::map<uint32_t, uint64_t> sizes;
  for (const uint32_t index : device_nodes(plan)) {
    const Node& node = graph_->main().nodes[index];
    if (!all_typed(node, plan.types)) continue;
    const NodeOperands operands = operands_of(plan, index, *verdicts);
    for (const Dispatch& d : operands.dispatches(*graph_, *find_family(node.op->family), *caps))
      for (const Argument& a : d.args)
        if (a.kind == Argument::Kind::Scratch) sizes[a.index] = std::max(sizes[a.index], a.byte_off + a.byte_len);
  }
  uint64_t bytes = host_needs(*graph_, plan).scratch_bytes + bodies_.scratch_bytes(plan);
  for (const auto& [index, size] : sizes) bytes += size;
  return bytes;
}

WeightUse GpuProgram::weight_use(const Plan& plan, const dbk::Weights& weights) const {
  WeightUse use = own_weight_use(plan, weights);
  use.packed = host_needs(*graph_, plan).packed_bytes;
  use.allocated += use.packed;
  bodies_.add_weight_use(plan, weights, use);
  return use;
}

WeightUse GpuProgram::own_weight_use(const Plan& plan, const dbk::Weights& weights) const {
  WeightUse use;
  each_panel(plan, *verdicts_.load(), [&](ValueId v, const TensorType& type, const Panel& panel) {
    const auto made = kept({v, panel}, weights[v]);
    const bool borrowed = made ? made->borrowed : is_whole(type, panel) && pages_of(weights[v], device_.traits());
    (borrowed ? use.borrowed : use.allocated) += panel_bytes(type, panel);
    if (borrowed) use.in_place.insert(v);
  });
  return use;
}

std::string GpuProgram::kernel_of(const Plan& plan, uint32_t node) const {
  const Node& n = graph_->main().nodes[node];
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  const NodeOperands operands = operands_of(plan, node, *verdicts);
  for (const Segment& segment : plan.segments)
    for (uint32_t s = segment.first; s < segment.first + segment.count; ++s)
      if (plan.order[s] == node && segment.on_host)
        return std::string(n.op->id) + "/" + host_kernel_name(n, operands.view().inputs);
  std::vector<gpu::Program> programs;
  std::vector<Dispatch> dispatches;
  const Family* family = find_family(n.op->family);
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  family->programs(operands.view(), *caps, programs);
  family->launch(operands.view(), *caps, dispatches);
  std::string labels;
  std::set<uint32_t> told;  // a program stands where it comes first
  for (const Dispatch& d : dispatches)
    if (told.insert(d.program).second) labels += (labels.empty() ? "" : " + ") + programs[d.program].label;
  return labels.empty() ? "none (empty)" : labels;
}

std::optional<Json> GpuProgram::choice_of(const Plan& plan, uint32_t node) const {
  const Node& n = graph_->main().nodes[node];
  const Family* family = find_family(n.op->family);
  if (!family || !family->choice) return std::nullopt;
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  const NodeOperands operands = operands_of(plan, node, *verdicts);
  const Choice choice = family->choice(operands.view(), *caps);
  Json others = Json::array(), measured = Json::array();
  for (const Choice::Other& other : choice.others) others.push_back({{"family", other.family}, {"why_not", other.why_not}});
  for (const Choice::Measured& each : choice.measured) measured.push_back({{"kernel", each.kernel}, {"microseconds", each.microseconds}});
  Json json{{"family", choice.family}, {"tile", choice.tile}, {"variant", choice.variant}, {"reason", choice.reason}, {"others", others},
            {"product", family->trials ? family->trials(operands.view(), *caps).about : ""}, {"heuristic", choice.heuristic}, {"measured", measured}, {"measured_in_part", choice.tried == Tried::Part}};
  if (const PrecisionVerdict* v = verdicts->of(node))
    json.add("precision_guard", Json{{"operands_in_f16", v->operands}, {"sums_in_f16", v->sums}, {"error", v->error}, {"error_of_f16_sums", v->error_of_sums},
                                     {"vanishing", v->vanishing}, {"largest", v->largest}, {"oscillation", v->oscillation}});
  return json;
}

namespace {

// Small nodes run several times in a graph.
uint32_t copies_of(double operations) { return static_cast<uint32_t>(std::clamp(2e8 / std::max(operations, 1.0), 1.0, 16.0)); }

// `alone`: a graph of so many such nodes.
Trial trial_of(const KernelTrials& from, std::function<Graph(uint32_t copies)> alone) {
  Trial trial{.about = from.about, .name = "product " + from.about, .kernels = from.kernels, .reference = from.reference, .copies = copies_of(from.operations), .tried = from.tried};
  trial.alone = [alone = std::move(alone), copies = trial.copies, precision = from.precision](const std::string& kernel) {
    Graph graph = alone(copies);
    graph.product_kernel = kernel;
    return Trial::Alone{std::move(graph), Options(nullptr, "compile").with("precision", name_of(precision)).with("fusion", "off")};
  };
  return trial;
}

}  // namespace

std::vector<Trial> GpuProgram::trials(const Plan& plan, const Types& types, Tried wanted) const {
  std::vector<Trial> list;
  const std::shared_ptr<const WeightVerdicts> verdicts = verdicts_.load();
  const std::shared_ptr<const Capabilities> caps = caps_.load();
  const auto all_types = std::make_shared<Types>(types);
  for (const uint32_t index : device_nodes(plan)) {
    const Node& node = graph_->main().nodes[index];
    const Family* family = find_family(node.op->family);
    if (!family->trials || !all_typed(node, types)) continue;
    const KernelTrials trials = family->trials(NodeOperands(*graph_, node, types, verdicts->of(index)).view(), *caps);
    if (trials.tried >= wanted || trials.kernels.size() < 2 || std::ranges::find(list, trials.about, &Trial::about) != list.end()) continue;
    list.push_back(trial_of(trials, [all = graph_, &node, all_types](uint32_t copies) { return node_alone(*all, node, *all_types, copies); }));
  }
  bodies_.add_trials(plan, wanted, list);
  return list;
}

void GpuProgram::use_measured() {
  auto caps = std::make_shared<Capabilities>(*caps_.load());
  caps->tuned = device_.tuned();
  caps_.store(std::move(caps));
  bodies_.use_measured();
}

}  // namespace dbk::gpu

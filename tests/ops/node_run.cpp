#include "tests/ops/node_run.h"

#include <cstdlib>
#include <format>
#include <nlohmann/json.hpp>

#include "tests/ops/guarded_buffer.h"
#include "tests/ops/node_graph.h"
#include "tests/ops/tolerance.h"

namespace ops {

namespace {

using dbk::HostTensor;

Shape shape_of(const daybreak::Dims& dims) { return Shape(std::span(dims.data(), dims.size())); }

void require_undamaged(const std::string& damage) {
  if (!damage.empty()) throw Failure(damage);
}

// Whether a kernel would read f16.
bool has_f16(const dbk::OpRow& row, const OpCase& test) {
  for (size_t i = 0; i < test.inputs.size(); ++i)
    if (test.inputs[i].dtype == DBK_F16 && !(i < 32 && (row.host->type_inputs >> i & 1))) return true;
  return false;
}

}  // namespace

NodeRun::NodeRun(const DeviceList& list, const daybreak::DeviceInfo& device, const dbk::OpRow& row, const OpCase& test,
                 const std::vector<HostTensor>& inputs)
    : list_(list), device_(device), row_(row), case_(test), inputs_(inputs) {
  NodeGraph graph = node_graph(row, test, inputs);
  bound_ = std::move(graph.bound);
  // As it is given: a pass might compute a node over weights before the device sees it.
  daybreak::Options options;
  options.set("internal_ops", true).set("fusion", "off");
  exec_ = list.context().compile(graph.builder, {.options = options, .device = device.index});
  check_placement();
  exec_.ready();
  run_ = daybreak::Run(exec_);
}

std::string NodeRun::expected_place() const {
  if (row_.family == "constant") return "folded";
  if (row_.family == "view" || case_.place == Place::View) return "view";
  if (is_cpu(device_)) return "cpu";
  if (case_.place == Place::Open) return "open";
  if (case_.place == Place::Host || case_.inputs.empty()) return "host";  // without operands: made on the host, once
  const DType main = case_.inputs[row_.family == "where" ? 1 : 0].dtype;
  const bool computable = !has_f16(row_, case_) || device_.has(DBK_FEATURE_F16);
  return computable && dbk::contains(row_.gpu_dtypes | row_.widened_dtypes, main) ? "gpu" : "host";
}

namespace {

// Where one family of kernels is forced (DAYBREAK_MATMUL_FAMILY), a node that another computes has the reason told.
void require_forced_family(const nlohmann::json& choice) {
  const char* forced = std::getenv("DAYBREAK_MATMUL_FAMILY");
  const std::string family = choice.at("family"), reason = choice.at("reason");
  if (!forced || family == forced || family == "integers" || family == "none") return;
  if (reason.find(std::format("matmul_family={} cannot: ", forced)) == std::string::npos)
    throw Failure(std::format("{} was taken instead of {} because {}", family, forced, reason));
}

}  // namespace

// A node that silently moved to the host would pass every other check.
void NodeRun::check_placement() {
  const auto report = nlohmann::json::parse(exec_.report("placement"));
  // Several nodes may stand for the one under test: what the host does counts before what a device does, and views cost nothing.
  std::string where = "view", reason, kernels;
  for (const auto& node : report.at("nodes")) {
    if (node.at("where") == "view" || where == "host") continue;
    where = node.at("where"), reason = node.at("reason"), kernel_ = node.at("kernel");
    kernels += kernel_ + " ";
    if (!node.contains("choice")) continue;
    require_forced_family(node.at("choice"));
    const std::string tile = node.at("choice").at("tile");
    rounds_operands_ = case_.inputs[0].dtype != DBK_F16 && tile.find("f16") != std::string::npos;
  }
  if (const std::string wanted = expected_place(); case_.place != Place::Any && where != wanted) throw Failure(std::format("placed on {} ({}), not on {}", where, reason, wanted));
  if (where == "gpu" && list_.has_hardware_kernels() && kernels.find(case_.hardware_kernel) == std::string::npos)
    throw Failure(std::format("computed by {}not by {}", kernels, case_.hardware_kernel));
  if (report.at("nodes").empty()) throw Failure("the placement report does not list the node");
}

std::vector<dbk::TensorType> NodeRun::output_types() const {
  std::vector<dbk::TensorType> types;
  for (uint32_t i = 0; i < exec_.count(DBK_OUTPUT); ++i)
    types.push_back({exec_.io(DBK_OUTPUT, i).dtype, shape_of(run_.shape(DBK_OUTPUT, i).dims)});
  return types;
}

bool NodeRun::late() const {
  for (uint32_t i = 0; i < exec_.count(DBK_OUTPUT); ++i)
    if (!run_.shape(DBK_OUTPUT, i).exact) return true;
  return false;
}

std::vector<HostTensor> NodeRun::read_outputs() {
  std::vector<HostTensor> results;
  for (const dbk::TensorType& type : output_types()) {
    HostTensor& result = results.emplace_back(HostTensor{type, std::vector<std::byte>(static_cast<size_t>(type.bytes()))});
    run_.read_bytes(static_cast<uint32_t>(results.size() - 1), result.bytes);
  }
  return results;
}

Layout NodeRun::output_layout() const {
  const Layout layout = case_.inputs.empty() ? Layout::Dense : case_.inputs[0].layout;
  return layout == Layout::Reversed || layout == Layout::Repeated ? Layout::Dense : layout;
}

std::vector<HostTensor> NodeRun::by_position(const std::vector<HostTensor>& outputs) const {
  std::vector<HostTensor> result;
  size_t next = 0;
  for (const bool wanted : case_.outputs) result.push_back(wanted ? outputs[next++] : HostTensor{});
  return result;
}

std::vector<HostTensor> NodeRun::in_host_memory() {
  for (size_t i : bound_) sources_.emplace_back(inputs_[i], case_.inputs[i].layout);
  for (size_t i = 0; i < sources_.size(); ++i)
    run_.bind_input(i, sources_[i].view(), i % 2 == 0 ? DBK_UNTIL_DESTROY : DBK_COPY);
  const bool unbound = late();
  if (!unbound)
    for (const dbk::TensorType& type : output_types()) targets_.emplace_back(type, output_layout());
  for (size_t i = 0; i < targets_.size(); ++i) run_.bind_output(i, targets_[i].writable());
  std::vector<HostTensor> first, second;
  for (std::vector<HostTensor>* results : {&first, &second}) {
    for (GuardedTensor& target : targets_) target.wipe();
    run_.run();
    for (const GuardedTensor& target : targets_) require_undamaged(target.damage_when_written());
    for (const GuardedTensor& target : targets_) results->push_back(target.content());
    if (unbound) *results = read_outputs();
  }
  for (const GuardedTensor& source : sources_) require_undamaged(source.damage_when_read());
  for (size_t i = 0; i < first.size(); ++i)
    if (const auto at = first_difference(first[i], second[i])) throw Failure(std::format("two runs differ at {}", *at));
  return by_position(first);
}

std::vector<HostTensor> NodeRun::in_buffers() {
  const auto shape_operand = [&](size_t i) { return i < 32 && (row_.host->shape_inputs >> i & 1) != 0; };
  std::vector<GuardedBuffer> sources, targets;
  for (size_t i = 0; i < bound_.size(); ++i) {
    if (shape_operand(bound_[i])) continue;
    sources.emplace_back(list_.context(), device_.index, inputs_[bound_[i]], 256 * (i + 1));
    sources.back().bind(run_, DBK_INPUT, static_cast<uint32_t>(i));
  }
  const bool unbound = late();
  if (!unbound)
    for (const dbk::TensorType& type : output_types())
    targets.emplace_back(list_.context(), device_.index, type, 256 * (targets.size() + 1));
  for (uint32_t i = 0; i < targets.size(); ++i) targets[i].bind(run_, DBK_OUTPUT, i);
  run_.run();
  std::vector<HostTensor> results;
  for (GuardedBuffer& target : targets) require_undamaged(target.damage_when_written());
  for (GuardedBuffer& source : sources) require_undamaged(source.damage_when_read());
  for (GuardedBuffer& target : targets) results.push_back(target.content());
  if (unbound) results = read_outputs();
  run_ = daybreak::Run();  // before its buffers
  return by_position(results);
}

}  // namespace ops

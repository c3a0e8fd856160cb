#include "plugin/graph/plan.h"

#include <numeric>
#include <ranges>

#include "plugin/graph/arena.h"
#include "plugin/graph/control.h"
#include "plugin/graph/views.h"

namespace dbk {

namespace {

constexpr uint32_t kNever = UINT32_MAX;

class Planner {
 public:
  Planner(const Graph& graph, Types types, std::vector<Placement> placement, const PlanRules& rules, const Plan* frame)
      : graph_(graph), rules_(rules), block_(graph.main()), frame_(frame) {
    plan_.types = std::move(types);
    plan_.placement = std::move(placement);
    const size_t n = graph.values.size();
    first_.assign(n, kNever);
    last_.assign(n, 0);
    on_device_.assign(n, false);
    on_host_.assign(n, false);
    made_on_host_.assign(n, rules.host_only);
    plan_.device.slots.resize(n);
    plan_.host.slots.resize(n);
  }

  Plan run() {
    order_steps();
    find_lifetimes();
    if (frame_ && !fits(*frame_)) frame_ = nullptr;
    require_countable();
    give_own_buffers();
    assign(plan_.device, on_device_, frame_ ? &frame_->device : nullptr, true);
    if (rules_.shared_memory) share_with_host();
    assign(plan_.host, on_host_, frame_ ? &frame_->host : nullptr, false);
    share_views();
    cut_segments();
    make_rooms();
    measure();
    return std::move(plan_);
  }

 private:
  // Steps in table order, views resolved to the value whose memory they show.
  void order_steps() {
    shown_ = find_views(graph_, plan_.types, rules_, plan_.placement);
    for (uint32_t i = 0; i < block_.nodes.size(); ++i)
      if (const Where where = plan_.placement[i].where; where == Where::Device || where == Where::Host) plan_.order.push_back(i);
  }

  ValueId root(ValueId v) const { return shown_[v].root; }

  // Whether the frame has the same steps and views, and every value lives there no shorter and with no less room: then nothing that is
  // apart in it can meet here.
  bool fits(const Plan& frame) const {
    if (frame.order != plan_.order) return false;
    for (uint32_t n : plan_.order)
      if (frame.placement[n].where != plan_.placement[n].where) return false;
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      if (frame.roots[v] != root(v) || frame.types.late[v] != plan_.types.late[v]) return false;
      if (first_[v] == kNever) continue;
      const Plan::Life& life = frame.lives[v];
      if (life.first > first_[v] || life.last < last_[v] || storage_bytes(frame.types[v]) < storage_bytes(plan_.types[v])) return false;
      if ((on_device_[v] && frame.device.slots[v].kind == Slot::Kind::None) || (on_host_[v] && frame.host.slots[v].kind == Slot::Kind::None))
        return false;
    }
    return true;
  }

  // Sums of sizes must not wrap around: then places would overlap.
  void require_countable() const {
    constexpr uint64_t kMost = uint64_t{1} << 62;
    uint64_t total = 0;
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      if (root(v) != v || plan_.types.late[v] || plan_.types[v].dtype == DBK_DTYPE_NONE) continue;
      total += storage_bytes(plan_.types[v]);
      if (total > kMost)
        throw Error(DBK_OUT_OF_MEMORY, std::format("values take more than 2^62 bytes together, {} of them {}", plan_.types[v].bytes(), describe(graph_, v)),
                    DBK_NONE, v);
    }
  }

  static uint64_t room(const std::vector<uint64_t>* frame, size_t i, const TensorType& type) {
    return std::max(frame ? (*frame)[i] : 0, storage_bytes(type));
  }

  void make_rooms() {
    for (size_t i = 0; i < block_.inputs.size(); ++i)
      plan_.input_room.push_back(room(frame_ ? &frame_->input_room : nullptr, i, plan_.types[block_.inputs[i]]));
    for (size_t i = 0; i < block_.outputs.size(); ++i)
      plan_.output_room.push_back(plan_.types.late[block_.outputs[i]]
                                      ? 0
                                      : room(frame_ ? &frame_->output_room : nullptr, i, plan_.types[block_.outputs[i]]));
    for (uint64_t bytes : plan_.input_room) plan_.input_bytes += bytes;
    for (uint64_t bytes : plan_.output_room) plan_.output_bytes += bytes;
    plan_.island_room = frame_ ? frame_->island_room : 0;
    for (const Segment& s : plan_.segments) {
      uint64_t bytes = 0;
      for (ValueId v : s.downloads) bytes += storage_bytes(plan_.types[v]);
      plan_.island_room = std::max(plan_.island_room, bytes);
    }
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      plan_.roots.push_back(root(v));
      plan_.lives.push_back({first_[v], last_[v]});
    }
  }

  bool host_step(uint32_t step) const { return rules_.host_only || plan_.placement[plan_.order[step]].where == Where::Host; }

  // Input `i` of a step, or DBK_NONE where it is absent or none of its memory is read.
  ValueId operand(const Node& node, size_t i) const {
    const ValueId v = node.inputs[i];
    return v != DBK_NONE && reads_memory(node, i, plan_.types) ? v : DBK_NONE;
  }

  void touch(ValueId v, uint32_t step, bool host) {
    if (plan_.types.late[v]) return;
    const ValueId r = root(v);
    first_[r] = std::min(first_[r], step);
    last_[r] = std::max(last_[r], step);
    (host ? on_host_ : on_device_)[r] = true;
  }

  // First and last step of the host segment around a host step: its operands arrive before the first, its results leave after the last.
  std::pair<uint32_t, uint32_t> island_of(uint32_t step) const {
    uint32_t first = step, last = step;
    while (first > 0 && host_step(first - 1)) --first;
    while (last + 1 < plan_.order.size() && host_step(last + 1)) ++last;
    return {first, last};
  }

  // Host memory of a device plan: what is downloaded is there from the start of its island, what is uploaded until the end.
  void touch_island(const Node& node, uint32_t step) {
    const auto [first, last] = island_of(step);
    for (size_t i = 0; i < node.inputs.size(); ++i)
      if (const ValueId v = operand(node, i); v != DBK_NONE && !(made_on_host_[root(v)] && first_[root(v)] >= first)) touch(v, first, true);
    for (ValueId v : node.outputs)
      if (v != DBK_NONE) touch(v, last, true);
  }

  void find_lifetimes() {
    const uint32_t end = static_cast<uint32_t>(plan_.order.size());
    for (uint32_t step = 0; step < end; ++step) {
      const Node& node = block_.nodes[plan_.order[step]];
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId v = operand(node, i);
        if (v == DBK_NONE) continue;
        touch(v, step, host_step(step));
        touch(v, step, made_on_host_[root(v)]);
      }
      for (ValueId v : node.outputs) {
        if (v == DBK_NONE) continue;
        touch(v, step, host_step(step));
        made_on_host_[v] = host_step(step);
      }
      if (host_step(step) && !rules_.host_only) touch_island(node, step);
    }
    for (ValueId v : block_.outputs) touch(v, end, rules_.host_only);
  }

  bool own_buffer(ValueId r) const { return plan_.device.slots[r].kind != Slot::Kind::None; }

  // Inputs, weights and outputs never live in an arena. One value may be several of these: the first one keeps it, outputs copy.
  void give_own_buffers() {
    for (ValueId v = 0; v < graph_.values.size(); ++v)
      if (graph_.values[v].origin != DBK_ORIGIN_COMPUTED) set_both(v, {Slot::Kind::Weight, v, 0});
    for (uint32_t i = 0; i < block_.inputs.size(); ++i) {
      set_both(block_.inputs[i], {Slot::Kind::Input, i, 0});
    }
    for (ValueId v = 0; v < graph_.values.size(); ++v)
      if (plan_.types.late[v]) set_both(v, {Slot::Kind::Late, v, 0});
    for (uint32_t i = 0; i < block_.outputs.size(); ++i) {
      const ValueId r = root(block_.outputs[i]);
      if (plan_.types.late[r]) continue;
      if (own_buffer(r)) plan_.copies.push_back({i, block_.outputs[i]});
      else set_both(r, {Slot::Kind::Output, i, 0});
    }
    // Host parts of a device plan need host memory for inputs and outputs they touch: ordinary tenants there.
    if (!rules_.host_only)
      for (Slot& s : plan_.host.slots)
        if (s.kind != Slot::Kind::Weight && s.kind != Slot::Kind::Late) s = {};
  }

  void set_both(ValueId v, Slot slot) {
    plan_.device.slots[v] = slot;
    plan_.host.slots[v] = slot;
  }

  // `separate`: an output never shares a buffer with an operand of its step, so that the operand can be bound read-only.
  void assign(Space& space, const std::vector<bool>& present, const Space* frame, bool separate) {
    if (frame) {
      for (ValueId v = 0; v < graph_.values.size(); ++v)
        if (present[v] && root(v) == v && space.slots[v].kind == Slot::Kind::None) space.slots[v] = frame->slots[v];
      space.arenas = frame->arenas;
      space.peak = frame->peak;
      return;
    }
    std::vector<Tenant> tenants;
    std::vector<ValueId> values;
    std::vector<uint32_t> tenant_of(graph_.values.size(), kNever);
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      if (!present[v] || root(v) != v || space.slots[v].kind != Slot::Kind::None) continue;
      tenant_of[v] = static_cast<uint32_t>(tenants.size());
      values.push_back(v);
      tenants.push_back({storage_bytes(plan_.types[v]), first_[v], last_[v], {}});
    }
    if (separate) separate_operands(tenants, tenant_of);
    space.peak = largest_live_set(tenants);
    space.arenas = pack(tenants, rules_.alignment, rules_.max_arena);
    for (size_t i = 0; i < tenants.size(); ++i) space.slots[values[i]] = {Slot::Kind::Arena, tenants[i].arena, tenants[i].offset};
  }

  // Values live in both spaces from their first step to their last, so one memory serves both.
  void share_with_host() {
    for (ValueId v = 0; v < graph_.values.size(); ++v)
      if (on_device_[v] && on_host_[v] && root(v) == v && plan_.host.slots[v].kind == Slot::Kind::None) plan_.host.slots[v] = {Slot::Kind::InDevice};
  }

  void separate_operands(std::vector<Tenant>& tenants, const std::vector<uint32_t>& tenant_of) const {
    for (uint32_t n : plan_.order) {
      const Node& node = block_.nodes[n];
      for (ValueId out : node.outputs) {
        if (out == DBK_NONE || tenant_of[root(out)] == kNever) continue;
        for (ValueId in : node.inputs) {
          if (in == DBK_NONE || tenant_of[root(in)] == kNever) continue;
          tenants[tenant_of[root(out)]].strangers.push_back(tenant_of[root(in)]);
          tenants[tenant_of[root(in)]].strangers.push_back(tenant_of[root(out)]);
        }
      }
    }
  }

  void share_views() {
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      if (root(v) == v) continue;
      for (Space* space : {&plan_.device, &plan_.host}) {
        space->slots[v] = space->slots[root(v)];
        space->slots[v].offset += shown_[v].offset;
      }
    }
  }

  void cut_segments() {
    for (uint32_t step = 0; step < plan_.order.size(); ++step) {
      if (plan_.segments.empty() || plan_.segments.back().on_host != host_step(step))
        plan_.segments.push_back({host_step(step), step, 0, {}, {}});
      ++plan_.segments.back().count;
    }
    if (rules_.host_only) return;
    std::vector<bool> valid_on_host(graph_.values.size());
    for (Segment& s : plan_.segments)
      if (s.on_host) list_transfers(s, valid_on_host);
  }

  void list_transfers(Segment& segment, std::vector<bool>& valid_on_host) {
    for (uint32_t step = segment.first; step < segment.first + segment.count; ++step) {
      const Node& node = block_.nodes[plan_.order[step]];
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        const ValueId v = operand(node, i);
        if (v == DBK_NONE) continue;
        const ValueId r = root(v);
        if (valid_on_host[r] || plan_.types.late[r] || graph_.values[r].origin != DBK_ORIGIN_COMPUTED) continue;
        valid_on_host[r] = true;
        segment.downloads.push_back(r);
      }
      for (ValueId v : node.outputs) {
        if (v == DBK_NONE) continue;
        valid_on_host[v] = true;
        if (on_device_[v]) segment.uploads.push_back(v);
      }
    }
  }

  void measure() {
    std::vector<uint64_t> alive(plan_.order.size() + 1);
    for (ValueId v = 0; v < graph_.values.size(); ++v) {
      if (root(v) != v || first_[v] == kNever) continue;
      const Slot::Kind kind = (on_device_[v] ? plan_.device : plan_.host).slots[v].kind;
      if (kind != Slot::Kind::Arena) continue;
      for (uint32_t s = first_[v]; s <= last_[v] && s < alive.size(); ++s) alive[s] += storage_bytes(plan_.types[v]);
    }
    for (uint64_t bytes : alive) plan_.peak_bytes = std::max(plan_.peak_bytes, bytes);
  }

  const Graph& graph_;
  const PlanRules& rules_;
  const Block& block_;
  const Plan* frame_;
  Plan plan_;
  std::vector<Shown> shown_;              // by value
  std::vector<uint32_t> first_, last_;    // by root: steps
  std::vector<bool> on_device_, on_host_; // by root: spaces it appears in
  std::vector<bool> made_on_host_;
};

}  // namespace

uint64_t Plan::activation_bytes() const {
  uint64_t bytes = device.bytes() + host.bytes() + input_bytes + output_bytes;
  for (const auto& [node, plans] : bodies) {
    uint64_t sum = 0, largest = 0;
    for (const auto& plan : plans) {
      const uint64_t body = plan ? plan->activation_bytes() + plan->output_bytes : 0;  // results of two iterations are kept
      sum += body;
      largest = std::max(largest, body);
    }
    bytes += types.chosen_at_bind[node] ? largest : sum;  // a run has memory for one of those
  }
  return bytes;
}

uint64_t Space::bytes() const { return std::accumulate(arenas.begin(), arenas.end(), uint64_t{0}); }

std::string largest_values(const Graph& graph, const Plan& plan, const Space& space, uint32_t arena) {
  constexpr size_t kMost = 3;
  std::vector<ValueId> values;
  for (ValueId v = 0; v < space.slots.size(); ++v)
    if (space.slots[v].kind == Slot::Kind::Arena && space.slots[v].index == arena && plan.roots[v] == v) values.push_back(v);
  std::ranges::stable_sort(values, std::greater(), [&](ValueId v) { return plan.types[v].bytes(); });
  std::string text;
  for (ValueId v : values | std::views::take(kMost))
    text += std::format("{}{} ({} bytes)", text.empty() ? "" : ", ", describe(graph, v), plan.types[v].bytes());
  return text + (values.size() > kMost ? std::format(" and {} smaller ones", values.size() - kMost) : "");
}

Plan make_plan(const Graph& graph, Types types, std::vector<Placement> placement, const PlanRules& rules, const Plan* frame) {
  return Planner(graph, std::move(types), std::move(placement), rules, frame).run();
}

bool all_typed(const Node& node, const Types& types) {
  const auto typed = [&](ValueId v) { return v == DBK_NONE || types[v].dtype != DBK_DTYPE_NONE; };
  return std::ranges::all_of(node.inputs, typed) && std::ranges::all_of(node.outputs, typed);
}

void place_late_nodes(const Graph& graph, const Types& types, std::vector<Placement>& placement) {
  const std::vector<bool> needed = needed_nodes(graph, types);
  const auto& nodes = graph.main().nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!needed[i]) continue;
    if (placement[i].where == Where::Skip) placement[i] = {Where::Host, "its result decides a shape during the run"};
    if (!types.late_nodes[i]) continue;
    const auto late = std::ranges::find_if(nodes[i].inputs, [&](ValueId v) { return v != DBK_NONE && types.late[v]; });
    placement[i] = {Where::Host, late == nodes[i].inputs.end()
                                     ? "the shape of its result is known only during the run"
                                     : std::format("the shape of {} is known only during the run", describe(graph, *late))};
  }
}

std::vector<bool> needed_nodes(const Graph& graph, const Types& types) {
  const auto& nodes = graph.main().nodes;
  std::vector<bool> wanted(graph.values.size()), needed(nodes.size());
  for (ValueId v : graph.main().outputs) wanted[v] = true;
  for (size_t n = nodes.size(); n-- > 0;) {
    const Node& node = nodes[n];
    needed[n] = std::ranges::any_of(node.outputs, [&](ValueId v) { return v != DBK_NONE && wanted[v]; });
    if (!needed[n]) continue;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId v = node.inputs[i];
      if (v == DBK_NONE) continue;
      const bool dynamic = types.late_nodes[n] || control_of(node) != Control::None;  // takes what is not known from the run
      const bool by_type = matters_by_type(node, i) && !types.late[v];
      const bool by_plan = steers_shapes(node, i) && !(dynamic && !types.known[v]);
      if (!by_type && !by_plan) wanted[v] = true;
    }
  }
  return needed;
}

}  // namespace dbk

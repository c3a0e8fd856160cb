#include "plugin/graph/views.h"

#include <algorithm>

namespace dbk {

namespace {

class Viewer {
 public:
  Viewer(const Graph& graph, const Types& types, const PlanRules& rules, std::vector<Placement>& placement)
      : graph_(graph), types_(types), rules_(rules), placement_(placement), nodes_(graph.main().nodes) {
    const size_t n = graph.values.size();
    for (ValueId v = 0; v < n; ++v) shown_.push_back({v});
    made_on_host_.assign(n, false);
    read_on_host_.assign(n, false);
    read_on_device_.assign(n, false);
    output_.assign(n, false);
  }

  std::vector<Shown> run() {
    find_readers();
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      Placement& place = placement_[i];
      if (place.where == Where::Skip) continue;
      if (place.where == Where::View) shown_[node.outputs[0]] = shown_[node.inputs[0]];
      else if (!take_part(node, place)) set_maker(node, place.where == Where::Host);
    }
    return std::move(shown_);
  }

 private:
  // Who reads a value itself or as another shape, from the last node to the first.
  void find_readers() {
    for (ValueId v : graph_.main().outputs) output_[v] = true;
    for (size_t i = nodes_.size(); i-- > 0;) {
      if (placement_[i].where == Where::Skip) continue;
      for (size_t k = 0; k < nodes_[i].inputs.size(); ++k) {
        const ValueId in = nodes_[i].inputs[k];
        if (in == DBK_NONE || !reads_memory(nodes_[i], k, types_)) continue;
        if (placement_[i].where != Where::View) (placement_[i].where == Where::Host ? read_on_host_ : read_on_device_)[in] = true;
        else inherit(in, nodes_[i].outputs[0]);
      }
    }
  }

  void inherit(ValueId in, ValueId out) {
    for (std::vector<bool>* list : {&read_on_host_, &read_on_device_, &output_})
      if ((*list)[out]) (*list)[in] = true;
  }

  void set_maker(const Node& node, bool host) {
    for (ValueId v : node.outputs)
      if (v != DBK_NONE) made_on_host_[v] = host;
  }

  // Makes the node a view of a part of its input, where it can be one.
  bool take_part(const Node& node, Placement& place) {
    if (!node.op->host->part || types_[node.outputs[0]].dtype == DBK_DTYPE_NONE) return false;
    const std::optional<int64_t> start = part_of_input(node, types_);
    if (!start) return stay(place, "not one run of its input");
    const Shown& whole = shown_[node.inputs[0]];
    const TensorType& type = types_[node.outputs[0]];
    const uint64_t offset = whole.offset + static_cast<uint64_t>(byte_size(type.dtype, *start));
    if (output_[node.outputs[0]]) return stay(place, "an output of the graph has memory of its own");
    if (!rules_.slice_views) return stay(place, "a view would keep its input alive, against the memory budget");
    if (offset % rules_.view_alignment)
      return stay(place, std::format("begins at byte {} of its input's memory, which is not a multiple of {}", offset, rules_.view_alignment));
    if (moves_more(whole.root, node.outputs[0], place.where == Where::Host)) return stay(place, "less to move between host and device");
    shown_[node.outputs[0]] = {whole.root, offset};
    place = {Where::View, std::format("its input's memory from byte {} on", offset)};
    return true;
  }

  // A step of the host keeps the reason why it is there.
  static bool stay(Placement& place, std::string reason) {
    if (place.where == Where::Device) place.reason = std::move(reason);
    return false;
  }

  // Whether more would cross between host and device than with a step, which only sends its result. Weights are on the host
  // anyway, and on the device where a step there was expected to read them. In shared memory nothing crosses, unless an input or output is
  // in a buffer of the caller.
  bool moves_more(ValueId root, ValueId part, bool host) const {
    if (rules_.host_only) return false;
    if (graph_.values[root].origin != DBK_ORIGIN_COMPUTED) return host;
    const bool callers = output_[root] || std::ranges::find(graph_.main().inputs, root) != graph_.main().inputs.end();
    if (rules_.shared_memory && !callers) return false;
    return made_on_host_[root] == host && (host ? read_on_device_ : read_on_host_)[part];
  }

  const Graph& graph_;
  const Types& types_;
  const PlanRules& rules_;
  std::vector<Placement>& placement_;
  const std::vector<Node>& nodes_;
  std::vector<Shown> shown_;
  std::vector<bool> made_on_host_;                            // by root
  std::vector<bool> read_on_host_, read_on_device_, output_;  // by value: itself or a view by nature
};

}  // namespace

std::vector<Shown> find_views(const Graph& graph, const Types& types, const PlanRules& rules, std::vector<Placement>& placement) {
  return Viewer(graph, types, rules, placement).run();
}

}  // namespace dbk

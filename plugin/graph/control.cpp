#include "plugin/graph/control.h"

#include <set>

#include "plugin/graph/infer.h"
#include "plugin/graph/schema.h"

namespace dbk {

namespace {

[[noreturn]] void no_function() { fail(DBK_INTERNAL, "a node with bodies is no function of tensors"); }

constexpr HostOp with_bodies(uint32_t shape_inputs) {
  return {.dtypes = STORED, .shape_inputs = shape_inputs, .infer = [](Infer&) { no_function(); },
          .compute = [](Compute&) { no_function(); }};
}
// What decides which body runs or how often is wanted at bind, where it can be known by then.
constexpr HostOp kIf = with_bodies(1u << 0), kLoop = with_bodies(0b11), kScan = with_bodies(0);
constexpr OpRow kRows[] = {{"if", "", "If", "control", 0, 0, {0, 0}, 0, 0, &kIf},
                           {"loop", "", "Loop", "control", 0, 0, {0, 0}, 0, 0, &kLoop},
                           {"scan", "", "Scan", "control", 0, 0, {0, 0}, 0, 0, &kScan}};

// The values that a block uses from outside, parameters and constants excepted, which every graph has.
void collect_captures(const Graph& graph, uint32_t index, std::set<ValueId>& captured) {
  const Block& block = graph.blocks[index];
  std::set<ValueId> used, made(block.inputs.begin(), block.inputs.end());
  for (const Node& node : block.nodes) {
    used.insert(node.inputs.begin(), node.inputs.end());
    made.insert(node.outputs.begin(), node.outputs.end());
    for (uint32_t body : bodies_of(node)) collect_captures(graph, body, used);
  }
  used.insert(block.outputs.begin(), block.outputs.end());
  for (ValueId v : used)
    if (v != DBK_NONE && !made.contains(v) && graph.values[v].origin == DBK_ORIGIN_COMPUTED) captured.insert(v);
}

std::string count(size_t n, const char* what) { return std::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

// Formal inputs and outputs of a body against those of its node; empty where they fit.
std::string arity_fault(const Node& node, const Block& body) {
  const size_t inputs = body.inputs.size(), outputs = body.outputs.size(), given = node.inputs.size(), results = node.outputs.size();
  const auto differ = [&](size_t in, size_t out) {
    if (inputs == in && outputs == out) return std::string();
    return std::format("body '{}' has {} and {}, the node needs {} and {}", body.name, count(inputs, "input"), count(outputs, "output"), in, out);
  };
  switch (control_of(node)) {
    case Control::If: return outputs < results || inputs ? differ(0, results) : "";
    case Control::Loop: {
      if (given < 2) return differ(given, outputs);
      if (outputs < given - 1 || results > outputs - 1) return differ(given, std::max(results + 1, given - 1));
      return differ(given, outputs);
    }
    case Control::Scan: {
      const ScanForm form = scan_form(node, results);
      if (given < form.first + form.scans || outputs < form.states || results > outputs) return differ(form.states + form.scans, results);
      return differ(form.states + form.scans, outputs);
    }
    default: return "";
  }
}

class Separator {
 public:
  explicit Separator(Graph& graph) : graph_(graph), bodies_(graph.blocks.size()) {}

  void run() {
    Block main = closed(0);
    if (!causes_.empty()) throw Error(std::move(causes_));
    graph_.blocks.assign(1, std::move(main));
    graph_.bodies = std::move(bodies_);
  }

 private:
  // The block with captured values as inputs of its nodes with bodies; those bodies are made.
  Block closed(uint32_t index) {
    Block block = graph_.blocks[index];
    for (Node& node : block.nodes)
      if (control_of(node) != Control::None) close(node);
    return block;
  }

  void close(Node& node) {
    std::set<ValueId> captured;
    for (uint32_t b : bodies_of(node)) {
      if (std::string fault = arity_fault(node, graph_.blocks[b]); !fault.empty())
        causes_.push_back({DBK_INVALID_ARGUMENT, describe(node) + ": " + fault, node.table_index});
      collect_captures(graph_, b, captured);
    }
    node.captures = static_cast<uint32_t>(captured.size());
    node.inputs.insert(node.inputs.end(), captured.begin(), captured.end());
    for (uint32_t b : bodies_of(node)) {
      auto body = std::make_shared<Graph>();
      Block block = closed(b);
      block.inputs.insert(block.inputs.end(), captured.begin(), captured.end());
      body->values = graph_.values;
      body->symbols = graph_.symbols;
      body->is_body = true;
      body->blocks.push_back(std::move(block));
      body->bodies = bodies_;  // those within are made by now
      bodies_[b] = std::move(body);
    }
  }

  Graph& graph_;
  std::vector<std::shared_ptr<const Graph>> bodies_;
  std::vector<Cause> causes_;
};

// Table indices of all nodes of a body and of those within.
void add_nodes(const Graph& body, std::vector<uint32_t>& indices) {
  for (const Node& node : body.main().nodes) {
    indices.push_back(node.table_index);
    for (uint32_t b : bodies_of(node)) add_nodes(*body.bodies[b], indices);
  }
}

bool truth(const HostTensor& condition) { return condition.type.count() == 1 && condition.bytes.front() != std::byte{0}; }

Node identity(const Node& like, ValueId from, ValueId to) {
  Node node;
  node.op = find_op("", "Identity");
  node.op_name = "Identity";
  node.name = like.name;
  node.opset = like.opset;
  node.schema = find_schema("", "Identity", like.opset);
  node.version = node.schema->since;
  node.inputs = {from};
  node.outputs = {to};
  node.table_index = like.table_index;
  return node;
}

}  // namespace

Control control_of(const Node& node) {
  if (!node.domain.empty() || !node.op || node.op->family != "control") return Control::None;
  return node.op->id == "if" ? Control::If : node.op->id == "loop" ? Control::Loop : Control::Scan;
}

std::span<const OpRow> all_controls() { return kRows; }

const OpRow* find_control(std::string_view domain, std::string_view name) {
  for (const OpRow& row : kRows)
    if (row.name == name && row.domain == domain) return &row;
  return nullptr;
}

std::vector<uint32_t> bodies_of(const Node& node) {
  const auto block = [&](const char* name) { return std::get<BlockRef>(*node.attrs.find(name)).index; };
  switch (control_of(node)) {
    case Control::If: return {block("then_branch"), block("else_branch")};
    case Control::Loop:
    case Control::Scan: return {block("body")};
    default: return {};
  }
}

ScanForm scan_form(const Node& node, size_t outputs) {
  ScanForm form;
  form.batched = node.version < 9;
  form.first = form.batched ? 1 : 0;
  form.scans = static_cast<size_t>(std::max<int64_t>(node.attrs.integer("num_scan_inputs"), 0));
  const size_t formals = node.inputs.size() - node.captures;
  form.states = formals > form.first + form.scans ? formals - form.first - form.scans : 0;
  const size_t scanned = outputs > form.states ? outputs - form.states : 0;
  const auto list = [&](const char* name, size_t length) {
    if (!node.attrs.has(name)) return std::vector<int64_t>(length, 0);
    const std::vector<int64_t>& given = node.attrs.integers(name);
    if (given.size() != length) fail(DBK_INVALID_ARGUMENT, "{} has {} entries, not {}", name, given.size(), length);
    return given;
  };
  form.reversed = list(form.batched ? "directions" : "scan_input_directions", form.scans);
  form.axes = form.batched ? std::vector<int64_t>(form.scans, 0) : list("scan_input_axes", form.scans);
  form.out_axes = form.batched ? std::vector<int64_t>(scanned, 0) : list("scan_output_axes", scanned);
  form.out_reversed = form.batched ? std::vector<int64_t>(scanned, 0) : list("scan_output_directions", scanned);
  return form;
}

void separate_bodies(Graph& graph) { Separator(graph).run(); }

void inline_decided_branches(Graph& graph) {
  for (bool again = true; again;) {
    again = false;
    const auto is_if = [](const Node& n) { return control_of(n) == Control::If; };
    if (std::ranges::none_of(graph.main().nodes, is_if)) return;
    const Types types = infer(graph, {representative_extents(graph), {}, {}});
    std::vector<Node> nodes;
    for (Node& node : graph.main().nodes) {
      const ValueId condition = is_if(node) ? node.inputs[0] : DBK_NONE;
      if (condition == DBK_NONE || !types.known[condition] || types.open[condition].elements) {
        nodes.push_back(std::move(node));
        continue;
      }
      again = true;
      const bool yes = truth(*types.known[condition]);
      const Graph& branch = *graph.bodies[bodies_of(node)[yes ? 0 : 1]];
      Rewrite folded{"decided branch", DBK_NONE, "", {node.table_index}};
      add_nodes(*graph.bodies[bodies_of(node)[yes ? 1 : 0]], folded.absorbed);
      graph.rewrites.push_back(std::move(folded));
      for (const Node& inner : branch.main().nodes) nodes.push_back(inner);
      for (size_t i = 0; i < node.outputs.size(); ++i)
        if (node.outputs[i] != DBK_NONE) nodes.push_back(identity(node, branch.main().outputs[i], node.outputs[i]));
    }
    graph.main().nodes = std::move(nodes);
  }
}

}  // namespace dbk

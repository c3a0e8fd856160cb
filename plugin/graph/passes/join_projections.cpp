// Products of one input with several weights, queries, keys and values of attention above all. One product with the weights side by side
// may be faster than one for each: attention reads its columns where they lie (packed), or it is taken apart, which
// split_products makes the product's own work (split). graph/projection_form.h chooses the form of a layer.
#include <algorithm>
#include <map>
#include <set>

#include "plugin/graph/passes/attention_columns.h"
#include "plugin/graph/passes/column_window.h"
#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/projections.h"

namespace dbk {

namespace {

// Operands of attention that are, or may become, columns of one product: given so, or as several.
struct Operands {
  AttentionColumns columns;
  std::vector<ColumnWindow> windows;
  std::vector<Projection> projections;  // without windows
  std::string unpacked;                 // why attention cannot read them so; empty: it can
};

class Joining {
 public:
  explicit Joining(Rewriter& r) : r_(r) {}

  void run() {
    for (size_t i = 0, count = r_.count(); i < count; ++i)
      if (const Node* node = r_.at(i); is_attention(node)) visit_attention(*node);
    for (size_t i = 0, count = r_.count(); i < count; ++i)
      if (const Node* node = r_.at(i); is_op(node, "MatMul")) visit_product(*node);
  }

 private:
  bool is_joined_type(ValueId v) const { return r_.typed(v) && contains(F32 | F16, r_.type(v).dtype); }

  // All three operands, or keys and values of another sequence than that of the queries.
  void visit_attention(const Node& attention) {
    if (!is_joined_type(attention.inputs[0])) return;
    std::optional<Operands> refused;
    for (size_t begin : {0u, 1u}) {
      auto operands = windows_of(attention, begin);
      if (!operands) operands = projections_of(attention, begin);
      if (!operands) continue;
      if (operands->unpacked.empty()) operands->unpacked = refuse_columns(r_, attention, operands->columns);
      if (operands->unpacked.empty()) return settle(attention, *operands);
      r_.miss(attention, "its operands are not read by windows of one product: " + operands->unpacked);
      if (!refused) refused = std::move(operands);
    }
    if (refused) return settle(attention, *refused);
    note_distance(attention);
  }

  void settle(const Node& attention, const Operands& operands) {
    if (operands.windows.empty()) return apply(choose(attention, operands), operands.projections, &attention, operands.columns);
    if (choose_windows(attention, operands) == ProjectionForm::Packed) pack_windows(attention, operands);
  }

  // Operands [begin, 3) that were taken out of one value.
  std::optional<Operands> windows_of(const Node& attention, size_t begin) {
    Operands operands{.columns = {.begin = begin}};
    for (size_t i = begin; i < 3; ++i) {
      const auto window = r_.rank(attention.inputs[i]) == 3 ? read_window(r_, attention.inputs[i]) : std::nullopt;
      if (!window || (i > begin && window->whole != operands.columns.whole)) return std::nullopt;
      operands.columns.whole = window->whole, operands.columns.first[i] = window->first, operands.columns.width[i] = window->width;
      operands.windows.push_back(*window);
    }
    operands.columns.total = columns_of(r_, operands.columns.whole).value_or(0);
    return operands;
  }

  // Operands [begin, 3) that are projections of one input, each another.
  std::optional<Operands> projections_of(const Node& attention, size_t begin) {
    Operands operands{.columns = {.begin = begin}};
    AttentionColumns& columns = operands.columns;
    for (size_t i = begin; i < 3; ++i) {
      const ValueId operand = attention.inputs[i];
      const auto p = r_.rank(operand) == 3 ? read_projection(r_, operand) : std::nullopt;
      if (!p || settled_.contains(p->product) || (i > begin && p->x != operands.projections[0].x)) return std::nullopt;
      if (std::count(attention.inputs.begin(), attention.inputs.end(), operand) > 1) {
        unpacked_.try_emplace(p->product, describe(r_.graph(), operand) + " is two operands");
        return std::nullopt;
      }
      if (r_.sole_reader(operand) != &attention) operands.unpacked = describe(r_.graph(), operand) + " is not attention's alone";
      columns.first[i] = columns.total, columns.width[i] = width_of(r_, *p);
      columns.total += columns.width[i];
      operands.projections.push_back(*p);
    }
    return operands;
  }

  // Why attention does not read the products that its operands come from, though they may be some of several that become one.
  void note_distance(const Node& attention) {
    std::vector<const Node*> products;
    std::string between;
    for (size_t i = 0; i < 3; ++i) {
      const auto [product, op] = product_above(attention.inputs[i]);
      if (product) products.push_back(product);
      if (product && between.empty()) between = op;
    }
    const std::string why = between.empty() ? attention.op_name + " does not read products of one input alone" : std::format("{} is between them and {}", between, attention.op_name);
    for (const Node* product : products) unpacked_.try_emplace(product, why);
  }

  // The product that a value comes from, null where there is none near, and what is between them: an op that does more than move, if there is one.
  std::pair<const Node*, std::string> product_above(ValueId v) const {
    constexpr int kMostSteps = 8;
    std::string between;
    for (int step = 0; step < kMostSteps && v != DBK_NONE; ++step) {
      if (const auto p = read_projection(r_, v)) return {p->product, between};
      const Node* node = r_.producer(v);
      if (!node || node->inputs.empty()) break;
      if (between.empty() || between == "Reshape" || between == "Transpose") between = node->op_name;
      v = node->inputs[0];
    }
    return {};
  }

  ProjectionForm choose_windows(const Node& attention, const Operands& operands) {
    const ValueId whole = operands.columns.whole;
    const auto product = read_projection(r_, whole);
    if (!product && !operands.unpacked.empty()) return ProjectionForm::Plain;
    ProjectionChoice choice{.layer = product ? layer_of(r_, {*product}) : ProjectionLayer{.dtype = r_.type(whole).dtype}};
    choice.layer.unpacked = operands.unpacked;
    choice.layer.joined = true;
    choice.layer.own_ends = false;
    choice.layer.reader = describe_attention(r_, attention);
    choice.layer.widths.clear();
    choice.nodes.push_back((product ? product->product : operands.windows[0].node)->table_index);
    std::vector<const Node*> nodes = product ? nodes_of({*product}, &attention) : std::vector<const Node*>{};
    for (const ColumnWindow& window : operands.windows) {
      choice.layer.widths.push_back(window.width);
      choice.results.push_back(window.part);
      if (!nodes.empty() && std::ranges::find(nodes, window.node) == nodes.end()) nodes.push_back(window.node);
    }
    return r_.choose(std::move(choice), std::move(nodes));
  }

  // What a measurement runs; nothing where it cannot.
  std::vector<const Node*> nodes_of(const std::vector<Projection>& projections, const Node* attention) const {
    if (attention && !runs_alone(r_, *attention)) return {};
    std::vector<const Node*> nodes;
    for (const Projection& p : projections)
      for (const Node* node : {p.product, p.add})
        if (node) nodes.push_back(node);
    if (attention) nodes.push_back(attention);
    return nodes;
  }

  void pack_windows(const Node& attention, const Operands& operands) {
    std::vector<const Node*> absorbed;
    for (const ColumnWindow& window : operands.windows) {
      const bool alone = std::ranges::all_of(window.node->outputs, [&](ValueId v) { return v == DBK_NONE || r_.sole_reader(v) == &attention; });
      if (alone && std::ranges::find(absorbed, window.node) == absorbed.end()) absorbed.push_back(window.node);
    }
    absorbed.push_back(&attention);
    r_.replace(std::move(absorbed), reading_columns(r_, attention, operands.columns));
  }

  // Other products of the same input, in the order of the graph, up to three at a time.
  void visit_product(const Node& product) {
    if (settled_.contains(&product) || !is_joined_type(product.inputs[0])) return;
    std::vector<const Node*> readers = r_.readers(product.inputs[0]);
    std::ranges::sort(readers, [&](const Node* a, const Node* b) { return r_.before(*a, *b); });
    std::vector<Projection> projections;
    for (const Node* reader : readers) {
      const bool other = is_op(reader, "MatMul") && reader->inputs[0] == product.inputs[0] && !settled_.contains(reader);
      const auto p = other && projections.size() < 3 ? projection_from(r_, *reader) : std::nullopt;
      if (p) projections.push_back(*p);
    }
    if (projections.size() < 2) return;
    ProjectionLayer layer = layer_of(r_, projections);
    for (const Projection& p : projections)
      if (const auto why = unpacked_.find(p.product); why != unpacked_.end()) layer.unpacked = why->second;
    apply(choose(std::move(layer), projections, nullptr), projections, nullptr, {});
  }

  ProjectionForm choose(const Node& attention, const Operands& operands) {
    ProjectionLayer layer = layer_of(r_, operands.projections);
    layer.unpacked = operands.unpacked;
    layer.reader = describe_attention(r_, attention);
    return choose(std::move(layer), operands.projections, &attention);
  }

  ProjectionForm choose(ProjectionLayer layer, const std::vector<Projection>& projections, const Node* attention) {
    ProjectionChoice choice{.layer = std::move(layer)};
    for (const Projection& p : projections) {
      choice.nodes.push_back(p.product->table_index);
      choice.results.push_back(p.result);
      settled_.insert(p.product);
    }
    const bool alone = attention || !choice.layer.own_ends;  // else what becomes part of each product would be missing
    return r_.choose(std::move(choice), alone ? nodes_of(projections, attention) : std::vector<const Node*>{});
  }

  void apply(ProjectionForm form, const std::vector<Projection>& projections, const Node* attention, AttentionColumns columns) {
    if (form == ProjectionForm::Packed) pack(projections, *attention, columns);
    if (form == ProjectionForm::Split) split(projections);
  }

  void pack(const std::vector<Projection>& projections, const Node& attention, AttentionColumns columns) {
    JoinedProjection joined = join(r_, projections);
    columns.whole = joined.value;
    std::vector<Rewriter::Replacement> list;
    list.push_back({joined.products, std::move(joined.product)});
    if (joined.sum) list.push_back({joined.sums, *std::move(joined.sum)});
    list.push_back({{&attention}, reading_columns(r_, attention, columns)});
    r_.replace_all(std::move(list));
  }

  void split(const std::vector<Projection>& projections) {
    std::vector<int64_t> widths;
    std::vector<ValueId> results;
    for (const Projection& p : projections) widths.push_back(width_of(r_, p)), results.push_back(p.result);
    JoinedProjection joined = join(r_, projections);
    const Node& near = *(joined.sums.empty() ? joined.products : joined.sums).back();
    r_.insert(std::move(joined.product), near);
    if (joined.sum) r_.insert(*std::move(joined.sum), near);
    std::vector<const Node*> absorbed = joined.products;
    absorbed.insert(absorbed.end(), joined.sums.begin(), joined.sums.end());
    Attributes attrs;
    attrs.set("axis", int64_t{-1});
    r_.replace(std::move(absorbed), Rewriter::make("Split", {joined.value, r_.add_integers(widths)}, std::move(results), std::move(attrs)));
  }

  Rewriter& r_;
  std::set<const Node*> settled_;                // products of layers whose form is chosen
  std::map<const Node*, std::string> unpacked_;  // of products of other layers: why attention does not read their columns
};

}  // namespace

void join_projections(Rewriter& r) { Joining(r).run(); }

}  // namespace dbk

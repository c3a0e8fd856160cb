// Products of one input with several weights, queries, keys and values of attention above all. One product with the weights side by side
// may be faster than one for each: attention reads its columns where they lie (packed), or it is taken apart, which
// split_products makes the product's own work (split). graph/projection_form.h chooses the form of a layer.
#include <algorithm>
#include <format>
#include <set>

#include "plugin/graph/passes/column_window.h"
#include "plugin/graph/passes/passes.h"
#include "plugin/graph/passes/projections.h"

namespace dbk {

namespace {

constexpr const char* kFirst[] = {"q_first", "k_first", "v_first"};  // columns where operands begin

class Joining {
 public:
  explicit Joining(Rewriter& r) : r_(r) {}

  void run() {
    for (size_t i = 0, count = r_.count(); i < count; ++i)
      if (const Node* node = r_.at(i); node && node->domain == "ai.daybreak" && node->op_name == "Attention") visit_attention(*node);
    for (size_t i = 0, count = r_.count(); i < count; ++i)
      if (const Node* node = r_.at(i); is_op(node, "MatMul")) visit_product(*node);
  }

 private:
  // All three operands, or keys and values of another sequence than that of the queries.
  void visit_attention(const Node& attention) {
    for (size_t begin : {0u, 1u}) {
      if (visit_windows(attention, begin)) return;
      const std::vector<Projection> projections = operands_of(attention, begin);
      if (projections.empty()) continue;
      ProjectionLayer layer = layer_of(r_, projections);
      layer.packable = true;
      layer.reader = extents_of(attention);
      return apply(choose(std::move(layer), projections, &attention), projections, &attention, begin);
    }
  }

  // Operands that were taken out of one value, which attention reads as well. Whether there are.
  bool visit_windows(const Node& attention, size_t begin) {
    std::vector<ColumnWindow> windows;
    for (size_t i = begin; i < 3; ++i) {
      const auto window = r_.rank(attention.inputs[i]) == 3 && attention.attrs.integer(kFirst[i]) == 0 ? read_window(r_, attention.inputs[i]) : std::nullopt;
      if (!window || (!windows.empty() && window->whole != windows[0].whole)) return false;
      windows.push_back(*window);
    }
    const ValueId whole = windows[0].whole;
    const auto product = read_projection(r_, whole);
    ProjectionChoice choice{.layer = product ? layer_of(r_, {*product}) : ProjectionLayer{.dtype = r_.type(whole).dtype}};
    choice.layer.packable = choice.layer.joined = true;
    choice.layer.own_ends = false;
    choice.layer.reader = extents_of(attention);
    choice.layer.widths.clear();
    choice.nodes.push_back((product ? product->product : windows[0].node)->table_index);
    std::vector<const Node*> nodes = product ? nodes_of({*product}, &attention) : std::vector<const Node*>{};
    for (const ColumnWindow& window : windows) {
      choice.layer.widths.push_back(window.width);
      choice.results.push_back(window.part);
      if (product && std::ranges::find(nodes, window.node) == nodes.end()) nodes.push_back(window.node);
    }
    if (r_.choose(std::move(choice), std::move(nodes)) == ProjectionForm::Packed) pack_windows(attention, begin, windows);
    return true;
  }

  // "heads=12 queries=1x128 keys=1x128 mask causal"
  std::string extents_of(const Node& attention) const {
    const auto sequences = [&](size_t operand) {
      const Shape& shape = r_.type(attention.inputs[operand]).shape;
      return shape.rank() < 2 ? std::string("1") : std::format("{}x{}", shape[0], shape[1]);
    };
    const bool masked = attention.inputs.size() > 3 && attention.inputs[3] != DBK_NONE;
    return std::format("heads={} queries={} keys={}{}{}", attention.attrs.integer("heads"), sequences(0), sequences(1), masked ? " mask" : "",
                       attention.attrs.integer("causal") != 0 ? " causal" : "");
  }

  static std::vector<const Node*> nodes_of(const std::vector<Projection>& projections, const Node* attention) {
    std::vector<const Node*> nodes;
    for (const Projection& p : projections)
      for (const Node* node : {p.product, p.add})
        if (node) nodes.push_back(node);
    if (attention) nodes.push_back(attention);
    return nodes;
  }

  void pack_windows(const Node& attention, size_t begin, const std::vector<ColumnWindow>& windows) {
    std::vector<int64_t> first(3);
    std::vector<const Node*> absorbed;
    for (size_t i = begin; i < 3; ++i) {
      const ColumnWindow& window = windows[i - begin];
      first[i] = window.first;
      const bool alone = std::ranges::all_of(window.node->outputs, [&](ValueId v) { return v == DBK_NONE || r_.sole_reader(v) == &attention; });
      if (alone && std::ranges::find(absorbed, window.node) == absorbed.end()) absorbed.push_back(window.node);
    }
    absorbed.push_back(&attention);
    r_.replace(std::move(absorbed), reading(attention, begin, windows[0].whole, first));
  }

  // Attention that reads operands from `begin` on in one value, from these columns on.
  static Node reading(const Node& attention, size_t begin, ValueId whole, const std::vector<int64_t>& first) {
    Attributes attrs;
    for (const Attribute& a : attention.attrs.items())
      if (!a.name.ends_with("_first")) attrs.set(a.name, a.value);
    for (size_t i = 0; i < 3; ++i) attrs.set(kFirst[i], first[i]);
    std::vector<ValueId> inputs = attention.inputs;
    std::fill(inputs.begin() + static_cast<ptrdiff_t>(begin), inputs.begin() + 3, whole);
    return Rewriter::make("Attention", std::move(inputs), attention.outputs, std::move(attrs), "ai.daybreak");
  }

  // The projections of operands [begin, 3) where they have one input and nobody else reads them, else none.
  std::vector<Projection> operands_of(const Node& attention, size_t begin) {
    std::vector<Projection> list;
    std::string why;
    for (size_t i = begin; i < 3; ++i) {
      const ValueId operand = attention.inputs[i];
      const auto p = r_.rank(operand) == 3 && attention.attrs.integer(kFirst[i]) == 0 ? read_projection(r_, operand) : std::nullopt;
      if (!p || (!list.empty() && p->x != list[0].x)) return {};
      const bool twice = std::count(attention.inputs.begin(), attention.inputs.end(), operand) > 1;
      if (twice || r_.sole_reader(operand) != &attention) why = describe(r_.graph(), operand) + (twice ? " is two operands" : " is not attention's alone");
      list.push_back(*p);
    }
    if (why.empty()) return list;
    r_.miss(attention, "its operands are not read by windows of one product: " + why);
    return {};
  }

  // Other products of the same input, in the order of the graph, up to three at a time.
  void visit_product(const Node& product) {
    if (settled_.contains(&product) || !r_.typed(product.inputs[0]) || !contains(F32 | F16, r_.type(product.inputs[0]).dtype)) return;
    std::vector<const Node*> readers = r_.readers(product.inputs[0]);
    std::ranges::sort(readers, [&](const Node* a, const Node* b) { return r_.before(*a, *b); });
    std::vector<Projection> projections;
    for (const Node* reader : readers) {
      const bool other = is_op(reader, "MatMul") && reader->inputs[0] == product.inputs[0] && !settled_.contains(reader);
      const auto p = other && projections.size() < 3 ? projection_from(r_, *reader) : std::nullopt;
      if (p) projections.push_back(*p);
    }
    if (projections.size() < 2) return;
    apply(choose(layer_of(r_, projections), projections, nullptr), projections, nullptr, 0);
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

  void apply(ProjectionForm form, const std::vector<Projection>& projections, const Node* attention, size_t begin) {
    if (form == ProjectionForm::Packed) pack(projections, *attention, begin);
    if (form == ProjectionForm::Split) split(projections);
  }

  void pack(const std::vector<Projection>& projections, const Node& attention, size_t begin) {
    std::vector<int64_t> first(3);
    for (size_t i = begin + 1; i < 3; ++i) first[i] = first[i - 1] + width_of(r_, projections[i - 1 - begin]);
    JoinedProjection joined = join(r_, projections);
    std::vector<Rewriter::Replacement> list;
    list.push_back({joined.products, std::move(joined.product)});
    if (joined.sum) list.push_back({joined.sums, *std::move(joined.sum)});
    list.push_back({{&attention}, reading(attention, begin, joined.value, first)});
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
  std::set<const Node*> settled_;  // products of layers whose form is chosen
};

}  // namespace

void join_projections(Rewriter& r) { Joining(r).run(); }

}  // namespace dbk

// Einsum of one operand is a sum and a transpose; of two it is a product of matrices, once the indices of each operand are in the order
// batch, rows, inner and batch, inner, columns and those of a kind are one axis. Of two axes with one index the diagonal is taken first.
// Broadcasting and three operands or more stay what they are, and so do axes that would have to become one and are not known.
#include "host_fallback/einsum.h"

#include <algorithm>
#include <limits>

#include "plugin/graph/passes/passes.h"

namespace dbk {

namespace {

using Indices = std::vector<EinsumIndex>;

bool has(std::span<const EinsumIndex> indices, EinsumIndex index) { return std::ranges::find(indices, index) != indices.end(); }
Indices joined(std::initializer_list<Indices> parts) {
  Indices all;
  for (const Indices& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

class Lowering {
 public:
  Lowering(Rewriter& r, const Node& node) : r_(r), node_(node), dtype_(r.type(node.inputs[0]).dtype) {}

  // Whether it was done.
  bool run() {
    if (!read()) return false;
    for (size_t k = 0; k < operands_.size(); ++k)
      if (!take_diagonals(k)) return false;
    ValueId result = reduced(0);
    if (node_.inputs.size() == 2) {
      const ValueId other = reduced(1);
      const bool sums = std::ranges::any_of(steps_, [](const Step& step) { return step.op == "ReduceSum"; });
      if (sums && contains(F16 | BF16, dtype_)) return false;  // such sums may leave the range of the type, unlike the result
      const std::optional<ValueId> product = multiplied(result, other);
      if (!product) return false;
      result = *product;
    }
    transposed(result, order_, output_);
    finish();
    return true;
  }

 private:
  // Indices of each operand, with their extents. False where an index does not mean axes of one extent in every operand that has it.
  bool read() {
    std::vector<uint32_t> ranks;
    for (ValueId v : node_.inputs) ranks.push_back(r_.rank(v));
    const EinsumTerms terms = read_einsum(node_.attrs.text("equation"), ranks);
    for (size_t k = 0; k < ranks.size(); ++k) {
      const auto indices = terms.operands[k].indices();
      const std::vector<Extent>& extents = r_.extents().of(node_.inputs[k]);
      for (size_t d = 0; d < indices.size(); ++d) {
        if (!extents_[indices[d]]) extents_[indices[d]] = extents[d];
        if (*extents_[indices[d]] != extents[d]) return false;
      }
      operands_.emplace_back(indices.begin(), indices.end());
      values_.push_back(node_.inputs[k]);
    }
    output_.assign(terms.output.axes, terms.output.axes + terms.output.rank);
    return true;
  }

  // Afterwards every index of an operand is one axis of it: the diagonal of two is every (extent + 1)th element of both as one.
  bool take_diagonals(size_t k) {
    Indices& indices = operands_[k];
    for (size_t d = 0; d < indices.size(); ++d) {
      const auto twin = static_cast<size_t>(std::find(indices.begin() + static_cast<ptrdiff_t>(d) + 1, indices.end(), indices[d]) - indices.begin());
      if (twin == indices.size()) continue;
      const int64_t extent = r_.extents().constant(*extents_[indices[d]]).value_or(0);
      if (extent == 0 || extent > std::numeric_limits<int32_t>::max()) return false;  // the square of more may be no number here
      std::vector<int64_t> perm;
      Indices rest;
      for (size_t axis = 0; axis < indices.size(); ++axis)
        if (axis != d && axis != twin) perm.push_back(static_cast<int64_t>(axis)), rest.push_back(indices[axis]);
      rest.push_back(indices[d]);
      perm.insert(perm.end(), {static_cast<int64_t>(d), static_cast<int64_t>(twin)});
      std::vector<int64_t> shape(rest.size() - 1, kCopied);
      shape.push_back(extent * extent);
      Attributes order;
      order.set("perm", perm);
      if (!std::ranges::is_sorted(perm)) values_[k] = add("Transpose", {values_[k]}, {}, std::move(order));
      values_[k] = add("Reshape", {values_[k]}, {std::move(shape)});
      const auto axis = static_cast<int64_t>(rest.size()) - 1;
      values_[k] = add("Slice", {values_[k]}, {{0}, {extent * extent}, {axis}, {extent + 1}});
      indices = std::move(rest);
      d = static_cast<size_t>(-1);  // an index may be there a third time
    }
    return true;
  }

  // An operand without the indices that neither the output nor the other one has.
  ValueId reduced(size_t k) {
    Indices kept;
    std::vector<int64_t> axes;
    for (size_t d = 0; d < operands_[k].size(); ++d) {
      const EinsumIndex index = operands_[k][d];
      const bool read = has(output_, index) || (operands_.size() == 2 && has(operands_[1 - k], index));
      if (read) kept.push_back(index);
      else axes.push_back(static_cast<int64_t>(d));
    }
    operands_[k] = order_ = kept;
    if (axes.empty()) return values_[k];
    Attributes attrs;
    attrs.set("keepdims", int64_t{0});
    return add("ReduceSum", {values_[k]}, {std::move(axes)}, std::move(attrs));
  }

  std::optional<ValueId> multiplied(ValueId a, ValueId b) {
    Indices batch, rows, columns, inner;
    for (EinsumIndex index : output_)
      (!has(operands_[0], index) ? columns : !has(operands_[1], index) ? rows : batch).push_back(index);
    for (EinsumIndex index : operands_[0])
      if (!has(output_, index)) inner.push_back(index);
    a = transposed(a, operands_[0], joined({batch, rows, inner}));
    b = transposed(b, operands_[1], joined({batch, inner, columns}));
    // Without a batch MatMul takes any number of axes in front of the inner one.
    const bool rows_apart = batch.empty() && !rows.empty();
    const Indices front = rows_apart ? rows : batch;
    order_ = joined({batch, rows, columns});
    const std::vector<Indices> left = rows_apart ? std::vector<Indices>{inner} : std::vector<Indices>{rows, inner};
    if (!gather(a, front, left) || !gather(b, batch, {inner, columns})) return {};
    const ValueId product = add("MatMul", {a, b});
    if (columns.size() == 1 && (rows_apart || rows.size() == 1)) return product;
    return spread(product, front, rows_apart ? columns : joined({rows, columns}));
  }

  // The indices of each group become one axis behind those in front, which stay.
  bool gather(ValueId& v, const Indices& front, const std::vector<Indices>& groups) {
    if (std::ranges::all_of(groups, [](const Indices& group) { return group.size() == 1; })) return true;
    std::vector<int64_t> shape(front.size(), kCopied);
    for (const Indices& group : groups) {
      int64_t extent = 1;
      for (EinsumIndex index : group) {
        const std::optional<int64_t> known = r_.extents().constant(*extents_[index]);
        if (!known) return false;
        extent *= *known;
      }
      if (extent == 0) return false;
      shape.push_back(extent);
    }
    v = add("Reshape", {v}, {std::move(shape)});
    return true;
  }

  // The indices behind those in front become axes again.
  std::optional<ValueId> spread(ValueId v, const Indices& front, const Indices& behind) {
    std::vector<int64_t> shape(front.size(), kCopied);
    for (EinsumIndex index : behind) {
      const std::optional<int64_t> known = r_.extents().constant(*extents_[index]);
      if (known.value_or(0) == 0) return {};
      shape.push_back(*known);
    }
    return add("Reshape", {v}, {std::move(shape)});
  }

  ValueId transposed(ValueId v, const Indices& from, const Indices& to) {
    if (from == to) return v;
    std::vector<int64_t> perm;
    for (EinsumIndex index : to) perm.push_back(std::ranges::find(from, index) - from.begin());
    Attributes attrs;
    attrs.set("perm", perm);
    return add("Transpose", {v}, {}, std::move(attrs));
  }

  using Lists = std::vector<std::vector<int64_t>>;
  // A node to be, with constant lists as its last operands: nothing is added to the graph before all of them are known. Its result has a
  // number behind those of all values.
  struct Step {
    std::string_view op;
    std::vector<ValueId> inputs;
    Lists lists;  // an empty one is the shape of a single element
    Attributes attrs;
  };

  ValueId add(std::string_view op, std::vector<ValueId> inputs, Lists lists = {}, Attributes attrs = {}) {
    steps_.push_back({op, std::move(inputs), std::move(lists), std::move(attrs)});
    return static_cast<ValueId>(first_ + steps_.size() - 1);
  }

  // The last node gives the result.
  void finish() {
    if (steps_.empty()) add("Identity", {node_.inputs[0]});
    std::vector<ValueId> results;
    for (Step& step : steps_) {
      for (ValueId& v : step.inputs)
        if (v >= first_) v = results[v - first_];
      for (const std::vector<int64_t>& list : step.lists) step.inputs.push_back(r_.add_integers(list));
      const bool last = &step == &steps_.back();
      results.push_back(last ? node_.outputs[0] : r_.add_value({dtype_, {}}));
      Node made = Rewriter::make(step.op, std::move(step.inputs), {results.back()}, std::move(step.attrs));
      if (last) r_.replace({&node_}, std::move(made));
      else r_.insert(std::move(made), node_);
    }
  }

  static constexpr int64_t kCopied = 0;  // what Reshape takes for the extent that is there

  Rewriter& r_;
  const Node& node_;
  const DType dtype_;
  std::vector<Indices> operands_;
  std::vector<ValueId> values_;  // what stands for each operand
  Indices output_, order_;  // of the output, and of the result before its last transpose
  std::optional<Extent> extents_[kEinsumIndices];
  std::vector<Step> steps_;
  const size_t first_ = r_.graph().values.size();  // number of the first step's result
};

}  // namespace

void lower_einsum(Rewriter& r) {
  for (size_t i = 0, count = r.count(); i < count; ++i) {
    const Node* node = r.at(i);
    if (!is_op(node, "Einsum") || node->inputs.size() > 2) continue;
    const bool typed = std::ranges::all_of(node->inputs, [&](ValueId v) { return r.typed(v); });
    constexpr DTypeSet kMultiplied = FLOATS | I32 | U32 | I64 | U64;  // by MatMul
    if (!typed || !contains(kMultiplied, r.type(node->inputs[0]).dtype)) continue;
    if (!Lowering(r, *node).run()) r.miss(*node, "its indices are no batch, rows and columns of known extents");
  }
}

}  // namespace dbk

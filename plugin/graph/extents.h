// What is known of the extents of every value in every run: constants, symbols, expressions of them, or unknowns with
// an identity of their own. Passes that need two extents to be equal ask here; equal numbers at one choice of extents
// prove nothing.
#pragma once

#include "plugin/graph/extent_table.h"
#include "plugin/graph/infer.h"

namespace dbk {

class Extents {
 public:
  // A rank that holds in every run, with the extents that do, and DBK_DIM_UNKNOWN for the others; none where the rank does not.
  using KnownDims = std::optional<std::vector<int64_t>>;

  // Of a body, `inputs` are those of its inputs that it does not declare itself; none of them where it is left out.
  Extents(const Graph& graph, const Types& types, std::span<const KnownDims> inputs = {});

  void add_value() {
    ranked_.push_back(false), dims_.emplace_back(), elements_.emplace_back();
  }  // of which nothing is known

  // Whether the rank of a value is the same in every run, and known.
  bool ranked(ValueId v) const { return ranked_[v]; }
  // Extents of a value. None for scalars and for values without a certain rank.
  const std::vector<Extent>& of(ValueId v) const { return dims_[v]; }
  Extent dim(ValueId v, int64_t axis) const {
    return dims_[v][static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(dims_[v].size()) : axis)];
  }
  std::optional<int64_t> constant(Extent e) const { return table_.value_of(e); }
  bool is(Extent e, int64_t value) const { return table_.is(e, value); }
  bool fixed(ValueId v) const;  // all extents are constants
  KnownDims known(ValueId v) const;
  // Elements of a small tensor of whole numbers (or bools); null where they are not known as expressions.
  const std::vector<Extent>* elements(ValueId v) const { return elements_[v] ? &*elements_[v] : nullptr; }

  // Whether a value broadcast with `to` has the shape of `to`, in every run in which that is legal.
  bool broadcasts_to(ValueId value, ValueId to) const;
  bool same_shape(ValueId a, ValueId b) const { return ranked_[a] && ranked_[b] && dims_[a] == dims_[b]; }

 private:
  friend class ExtentRules;
  mutable ExtentTable table_;
  std::vector<bool> ranked_;                                  // by value
  std::vector<std::vector<Extent>> dims_;                     // by value
  std::vector<std::optional<std::vector<Extent>>> elements_;  // by value
};

}  // namespace dbk

// What is known of the shapes of inputs and outputs, before a run and after it.
#include <algorithm>

#include "plugin/run.h"

namespace dbk {

// Of the last run, with nothing changed since. The worker writes has_results_ while a run is in flight.
bool Run::has_current_results() const { return !in_flight_ && has_results_ && !rebound_; }

TensorType Run::output_type(uint32_t index) const {
  const ValueId value = executable_->graph().main().outputs[index];
  return plan_->types.late[value] ? activation_->late_output(index) : plan_->types[value];
}

KnownShape Run::shape(uint32_t role, uint32_t index) const {
  if (role != DBK_INPUT && role != DBK_OUTPUT) fail(DBK_INVALID_ARGUMENT, "role {} is neither DBK_INPUT nor DBK_OUTPUT", role);
  const ValueId value = executable_->value_of(role, index);
  const Plan* const plan = this->plan();
  const bool late = plan && plan->types.late[value];
  if (!plan || (late && !has_current_results())) return undecided_shape(value);
  const Shape shape = late ? output_type(index).shape : plan->types[value].shape;
  return {{shape.begin(), shape.end()}, true, true};
}

// From the declaration. Symbols in it are extents of inputs; of what nodes make they promise nothing.
KnownShape Run::undecided_shape(ValueId value) const {
  const Value& declared = executable_->graph().values[value];
  const std::vector<ValueId>& inputs = executable_->graph().main().inputs;
  const auto input = static_cast<size_t>(std::ranges::find(inputs, value) - inputs.begin());
  const Shape* const bound = input < inputs.size() && inputs_[input].set ? &inputs_[input].type.shape : nullptr;
  if (bound && !declared.known_rank) return {{bound->begin(), bound->end()}, true, true};
  KnownShape known{executable_->dims_of(value), declared.known_rank, executable_->rank_known(value)};
  for (uint32_t i = 0; i < known.dims.size(); ++i) {
    int64_t& d = known.dims[i];
    if (is_symbol(d)) d = input < inputs.size() ? extents_[symbol_of(d)] : DBK_DIM_UNKNOWN;
    else if (bound && d == DBK_DIM_UNKNOWN) d = (*bound)[i];
    known.exact = known.exact && d >= 0;
  }
  return known;
}

}  // namespace dbk

// The lists of an executable: inputs, outputs, parameters, symbols.
#include <algorithm>

#include "plugin/edit_distance.h"
#include "plugin/executable.h"
#include "plugin/struct_copy.h"

namespace dbk {

namespace {

constexpr const char* kRoles[] = {"input", "output", "parameter", "symbol"};

}  // namespace

void Executable::info(dbk_exec_info& out) const {
  out.device = device_index_;
  out.mode = plan_only_ ? DBK_COMPILE_PLAN_ONLY : DBK_COMPILE_FULL;
  out.flags = ready_ ? DBK_EXEC_READY : 0;
}

uint32_t Executable::count(uint32_t role) const {
  switch (role) {
    case DBK_INPUT: return static_cast<uint32_t>(graph_->main().inputs.size());
    case DBK_OUTPUT: return static_cast<uint32_t>(graph_->main().outputs.size());
    case DBK_PARAM: return static_cast<uint32_t>(params_.size());
    case DBK_SYMBOL: return static_cast<uint32_t>(graph_->symbols.size());
    default: fail(DBK_INVALID_ARGUMENT, "role {} is none of DBK_INPUT, DBK_OUTPUT, DBK_PARAM, DBK_SYMBOL", role);
  }
}

ValueId Executable::value_of(uint32_t role, uint32_t index) const {
  if (index >= count(role)) fail(DBK_OUT_OF_RANGE, "{} {} of {}", kRoles[role], index, count(role));
  switch (role) {
    case DBK_INPUT: return graph_->main().inputs[index];
    case DBK_OUTPUT: return graph_->main().outputs[index];
    case DBK_PARAM: return params_[index].value;
    default: return index;
  }
}

bool Executable::rank_known(ValueId value) const {
  const Types& types = base_plan_->types;
  return graph_->values[value].known_rank || (types[value].dtype != DBK_DTYPE_NONE && !types.open[value].rank);
}

std::vector<int64_t> Executable::dims_of(ValueId value) const {
  const Value& declared = graph_->values[value];
  if (declared.known_rank) return declared.dims;
  return std::vector<int64_t>(base_plan_->types[value].shape.rank(), DBK_DIM_UNKNOWN);
}

void Executable::io(uint32_t role, uint32_t index, dbk_io_info& out) const {
  const ValueId id = value_of(role, index);
  out.value = id;
  if (role == DBK_SYMBOL) {
    const Symbol& s = graph_->symbols[index];
    out.rank = 3;
    out.dims[0] = s.min, out.dims[1] = s.max, out.dims[2] = s.multiple_of;
    out.name = s.name.c_str();
    out.name_len = s.name.size();
    return;
  }
  const Value& value = graph_->values[id];
  const TensorType& inferred = base_plan_->types[id];
  out.dtype = value.dtype != DBK_DTYPE_NONE ? value.dtype : base_plan_->types.dtypes[id];
  const bool fixed = static_ && role != DBK_PARAM && inferred.dtype != DBK_DTYPE_NONE;
  const std::vector<int64_t> dims = fixed ? std::vector<int64_t>(inferred.shape.begin(), inferred.shape.end()) : dims_of(id);
  out.rank = rank_known(id) ? static_cast<uint32_t>(dims.size()) : DBK_NONE;
  out.kind = value.kind;
  std::ranges::copy(dims, out.dims);
  if (role == DBK_INPUT && deciding_inputs_[index]) out.flags |= DBK_IO_SHAPE_INPUT;
  if (role == DBK_PARAM) {
    std::lock_guard lock(data_mutex_);
    if (params_[index].data.ptr) out.flags |= DBK_IO_DATA_SET;
  }
  out.name = value.name.c_str();
  out.name_len = value.name.size();
}

uint32_t Executable::find(uint32_t role, const std::string& name) const {
  std::string nearest;
  size_t distance = SIZE_MAX;
  for (uint32_t i = 0; i < count(role); ++i) {
    const std::string& candidate = role == DBK_SYMBOL ? graph_->symbols[i].name : graph_->values[value_of(role, i)].name;
    if (candidate == name) return i;
    // Long names cost quadratic time and nobody mistypes them.
    if (candidate.size() > 200 || name.size() > 200) continue;
    if (const size_t d = edit_distance(name, candidate); d < distance) distance = d, nearest = candidate;
  }
  if (nearest.empty()) fail(DBK_NOT_FOUND, "no {} is called '{}'", kRoles[role], name);
  fail(DBK_NOT_FOUND, "no {} is called '{}'; the nearest is '{}'", kRoles[role], name, nearest);
}

}  // namespace dbk

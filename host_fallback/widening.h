// Element types that GPU kernels of an op do not have but that fit into one that they have: a pass puts casts around such nodes, so that
// the op runs on GPUs in the wider type. Results are those of the op, rounded once: kernels compute in f32 and i32 anyway.
#pragma once

#include "host_fallback/registry.h"

namespace dbk {

DTypeSet widened_types(const OpRow& op);           // beside op.gpu_dtypes
DType wider_type(const OpRow& op, DType dtype);    // one of op.gpu_dtypes; NONE unless `dtype` is one of widened_types

}  // namespace dbk

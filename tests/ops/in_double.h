// Host ops on tensors of doubles: what the oracle and its error model are made of.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

using Tensors = std::vector<dbk::HostTensor>;

bool is_real(const dbk::HostTensor& tensor);  // present, and of a float type

// Float tensors as f64 with f applied to each element; the others as they are.
dbk::HostTensor in_double(const dbk::HostTensor& tensor, double (*f)(double));
Tensors in_double(std::span<const dbk::HostTensor> tensors, double (*f)(double));
inline double same(double x) { return x; }

// The first `outputs` results of an op. Throws as the op does.
Tensors run_host(const dbk::OpRow& row, uint32_t opset, dbk::Attributes attrs, const Tensors& inputs, size_t outputs = 1);
// The same for an op of the default domain.
Tensors run_host(std::string_view op, uint32_t opset, dbk::Attributes attrs, const Tensors& inputs, size_t outputs = 1);

}  // namespace ops

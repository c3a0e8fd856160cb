// Sizes, shapes, numbers and types at which kernels go wrong: empty, single, prime, one beside a workgroup or a vector,
// extremes of a type. Shared by the tables of cases.
#pragma once

#include <vector>

#include "tests/ops/op_case.h"

namespace ops {

// Elements of a flat tensor; 64 and 256 are workgroups, 4 is a vector, the rest primes and neighbours.
inline const std::vector<int64_t> kSizes{0, 1, 2, 3, 4, 5, 7, 63, 64, 65, 255, 256, 257, 1021};

// One shape of every rank up to 6, and empty ones.
const std::vector<Shape>& ranked_shapes();

// One element over 65,535 workgroups of 64, for kernels with one and with four elements per invocation.
inline constexpr int64_t kOverGrid = int64_t{65536} * 64 + 1;
inline constexpr int64_t kOverVectorGrid = int64_t{65536} * 64 * 4 + 1;

// NaN, infinities, zeros, extremes and values that overflow f16 or exp, in no order.
std::vector<double> special_reals();
std::vector<int64_t> special_integers(DType dtype);

// 20, or the newest opset for ops that are younger.
uint32_t opset_of(const dbk::OpRow& row);

// Dtypes that both the op's schema allows for input `index` and the host can compute, widest interest first.
std::vector<DType> dtypes_of(const dbk::OpRow& row, size_t index, uint32_t opset = 20);
// Those of them with a kernel on GPUs.
std::vector<DType> gpu_dtypes_of(const dbk::OpRow& row, size_t index = 0, uint32_t opset = 20);

// Whether the row is the first of its family with a kernel for the type. Ops of a functor family share the text around their functors, so
// that this one is tested with every shape and layout, the others with those that their functor or type may notice.
bool stands_for_frame(const dbk::OpRow& row, DType dtype);

bool is_float(DType dtype);

}  // namespace ops

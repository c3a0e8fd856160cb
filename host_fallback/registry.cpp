#include "host_fallback/registry.h"

#include "host_fallback/host_ops.h"
#include "host_fallback/number_block.h"

namespace dbk {

namespace {

// The words a row is written in.
struct Range {
  double low, high;
};
constexpr Epsilons tol(double cpu, double gpu) { return {cpu, gpu}; }
constexpr Epsilons exact{0, 0};
struct GpuTypes {
  DTypeSet kernels = 0, widened = 0;
  constexpr GpuTypes(DTypeSet kernel_types, DTypeSet widened_types = 0) : kernels(kernel_types), widened(widened_types) {}
  friend constexpr GpuTypes operator|(GpuTypes a, GpuTypes b) { return {a.kernels | b.kernels, a.widened | b.widened}; }
};
constexpr GpuTypes widened(DTypeSet types) { return {0, types}; }
constexpr Range domain(double low, double high) { return {low, high}; }

#define DBK_OP(id, domain_name, name, family, gpu_dtypes, tolerance, range) \
  OpRow{#id, domain_name, name, #family, GpuTypes(gpu_dtypes).kernels, GpuTypes(gpu_dtypes).widened, tolerance, (range).low, (range).high, &host_##id},
constexpr OpRow kRows[] = {
#include "kernels/ops.inc"
};
constexpr OpRow kFusedRows[] = {
#include "kernels/fused_ops.inc"
};
#undef DBK_OP

}  // namespace

std::span<const OpRow> all_ops() { return kRows; }

const OpRow* find_op(std::string_view domain, std::string_view name) {
  if (domain == "ai.onnx") domain = "";
  for (const OpRow& row : kRows)
    if (row.name == name && row.domain == domain) return &row;
  return nullptr;
}

std::span<const OpRow> fused_ops() { return kFusedRows; }

const OpRow& fused_op(std::string_view id) {
  for (const OpRow& row : kFusedRows)
    if (row.id == id) return row;
  fail(DBK_INTERNAL, "no fused op {}", id);
}

}  // namespace dbk

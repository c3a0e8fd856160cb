#include "plugin/gpu/families/split_k.h"

#include <algorithm>

#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/sum_parts_text.h"
#include "plugin/gpu/families/vendor_table.h"

namespace dbk::gpu {

namespace {

constexpr int64_t kUnit = 32;         // steps that kernels take at a time divide it
constexpr int64_t kLeastSteps = 256;  // of a part: below, reading and adding its sums costs more than waiting for them
constexpr uint64_t kIdle = 4;         // times the workgroups that there are would keep the adapter busy: worth a second pass
constexpr uint64_t kMostBytes = 32 << 20;  // of sums
constexpr int64_t kMostSteps = 16384;  // of one sum, as far as memory goes: 16 x 1000000 x 16 of numbers from 0 to 1 as one is off by 1.4e-4 of the norms

uint64_t groups_of(const Product& p, const GroupTile& tile) {
  return static_cast<uint64_t>(p.batch.extent.count()) * ceil_div(p.m, tile.rows) * ceil_div(p.n, tile.columns);
}

uint64_t most_bytes(const Product& p, const Capabilities& caps) { return std::min(caps.max_binding, std::max(kMostBytes, 2 * p.sum_bytes())); }

}  // namespace

bool is_long_sum(const Product& p) { return p.k > kMostSteps; }

Product in_parts(const Product& p, const ProductKernel& kernel, uint32_t variant, const Capabilities& caps) {
  const uint64_t groups = std::max<uint64_t>(groups_of(p, kernel.group_tile(p, caps, variant)), 1);
  const int64_t wanted = std::max<int64_t>(static_cast<int64_t>(ceil_div(vendor_row(caps).busy_groups, groups)), std::max<int64_t>(static_cast<int64_t>(ceil_div(p.k, kMostSteps)), 2));
  const int64_t most = std::max<int64_t>(p.k / kLeastSteps, 2);
  const int64_t fit = static_cast<int64_t>(most_bytes(p, caps) / std::max<uint64_t>(p.sum_bytes(), 1));
  const int64_t parts = std::max<int64_t>(std::min({wanted, most, fit}), 1);
  Product q = p;
  q.has_d = false, q.alpha = 1, q.epilogue = {}, q.parts = {};
  q.cut.steps = std::max(static_cast<int64_t>(ceil_div(ceil_div(p.k, parts), kUnit)), int64_t{1}) * kUnit;
  q.cut.parts = std::max(static_cast<int64_t>(ceil_div(p.k, q.cut.steps)), int64_t{1});
  return q;
}

std::string refuse_split(const Product& p, const Capabilities& caps) {
  if (p.sum_bytes() <= caps.max_binding) return {};
  return std::format("sums of one part of k take {} bytes, a binding holds {}", p.sum_bytes(), caps.max_binding);
}

std::string needless_split(const Product& p, const ProductKernel& kernel, uint32_t variant, const Capabilities& caps) {
  if (p.k < 2 * kLeastSteps) return std::format("k = {} is too short to be cut", p.k);
  const uint64_t groups = groups_of(p, kernel.group_tile(p, caps, variant)), busy = vendor_row(caps).busy_groups;
  if (!is_long_sum(p) && kIdle * groups > busy) return std::format("{} workgroups are enough without cutting k", groups);
  return in_parts(p, kernel, variant, caps).cut.parts < 2 ? "sums of parts of k would take too much memory" : "";
}

bool may_split(const Product& p, const ProductKernel& kernel, const Capabilities& caps) {
  return kernel.group_tile && p.fixed_nk() && (is_long_sum(p) || (!caps.cpu_adapter && p.k >= 2 * kLeastSteps));
}

Program sum_program(const Product& p) {
  const ProductForm form = p.form();
  return {sum_parts_label(form), written_by<sum_parts_text>(form), form.reads() - 1, form.results};  // sums instead of A and B
}

Dispatch sum_dispatch(const Product& p, const Product& parts, uint32_t program, const Capabilities& caps) {
  ProductParams params = params_of(parts, {0, p.n}, 1, 1);
  params.alpha = p.alpha, params.second = to_u32(p.parts.first(1)), params.third = to_u32(p.parts.first(2));
  std::vector<Argument> args = arguments_of(p, 0, true);
  args.erase(args.begin());
  args[0] = sums_of_parts(parts);
  return {program, std::move(args), grid_of(ceil_div(params.part_size, kGroupSize), caps), to_params(params)};
}

}  // namespace dbk::gpu

#include "plugin/gpu/families/matmul_choice.h"

#include <algorithm>

#include "plugin/gpu/families/line.h"

namespace dbk::gpu {

namespace {

struct Preference {
  const ProductKernel* kernel;
  std::string_view why;
  // Empty, or why another is better for these extents; null: it is as good as any.
  std::string (*unworthy)(const Product&);
};

std::string small_for_tiles(const Product& p) {
  constexpr int64_t kLeast = 16;
  return p.m < kLeast || p.n < kLeast ? std::format("{} x {} leaves most of a tile empty", p.m, p.n) : "";
}

// Where the weight is stored for them there is no other.
std::string few_rows_for_matrices(const Product& p) {
  constexpr int64_t kLeast = 9;
  return p.m < kLeast && !as_operand(p) ? std::format("{} rows leave most of a matrix empty", p.m) : "";
}

// Measured on llvmpipe, 2 cores (GFLOP/s for 512^3): `line` 50 to 87, `lane` 25, `tile` 13, `coop` 9: barriers and gathers are dear there.
constexpr Preference kOnCpuAdapters[] = {
    {&kLineKernel, "vector loads, the fastest on CPU adapters", nullptr},
    {&kLaneKernel, "no barriers, which are dear on CPU adapters", nullptr},
};

// As other runtimes have it for GPUs: products of few rows read B once and share sums, large ones reuse tiles from workgroup memory.
constexpr Preference kOnGpus[] = {
    {&kCoopKernel, "matrices of subgroups; rows and columns are scaled, so that f16 rounds a sum by at most 2^-10 of their norms", few_rows_for_matrices},
    {&kGemvKernel, "few rows: the time is that of reading B", nullptr},
    {&kTileKernel, "operands are reused from workgroup memory", small_for_tiles},
    {&kLaneKernel, "takes every shape", nullptr},
};

constexpr const ProductKernel* kAll[] = {&kLaneKernel, &kLineKernel, &kTileKernel, &kGemvKernel, &kCoopKernel};

const ProductKernel* forced(const Capabilities& caps) {
  for (const ProductKernel* kernel : kAll)
    if (kernel->name == caps.controls.matmul_family) return kernel;
  return nullptr;
}

std::vector<Preference> preferences(const Capabilities& caps) {
  std::vector<Preference> list;
  if (const ProductKernel* first = forced(caps)) list.push_back({first, "option matmul_family", nullptr});
  if (caps.cpu_adapter) list.insert(list.end(), std::begin(kOnCpuAdapters), std::end(kOnCpuAdapters));
  else list.insert(list.end(), std::begin(kOnGpus), std::end(kOnGpus));
  return list;
}

// Whoever stores B in its own way is the only one to read it.
const ProductKernel* owner_of(const Product& p) { return in_blocks(p) ? &kLineKernel : as_operand(p) ? &kCoopKernel : nullptr; }

std::string refuse_ever(const ProductKernel& kernel, const Product& p, const Capabilities& caps) {
  if (const ProductKernel* owner = owner_of(p); owner && owner != &kernel) return std::format("B is stored for {}", owner->name);
  return kernel.refuse(p, caps);
}

// Those that may be taken, once each; none behind one that takes all extents.
std::vector<Preference> possible(const Product& p, const Capabilities& caps) {
  std::vector<Preference> list;
  for (const Preference& next : preferences(caps)) {
    const auto same = [&](const Preference& other) { return other.kernel == next.kernel; };
    if (std::ranges::any_of(list, same) || !refuse_ever(*next.kernel, p, caps).empty()) continue;
    list.push_back(next);
    if (!next.kernel->refuse_extents && !next.unworthy) break;
  }
  return list;
}

}  // namespace

std::vector<const ProductKernel*> matmul_candidates(const Product& p, const Capabilities& caps) {
  std::vector<const ProductKernel*> kernels;
  for (const Preference& each : possible(p, caps)) kernels.push_back(each.kernel);
  return kernels;
}

MatmulChoice choose_matmul(const Product& p, const Capabilities& caps) {
  MatmulChoice choice{nullptr, 0, {}};
  for (const Preference& each : preferences(caps))
    if (std::string why = refuse_ever(*each.kernel, p, caps); !why.empty()) choice.told.others.push_back({std::string(each.kernel->name), why});
  for (const Preference& each : possible(p, caps)) {
    std::string why_not = each.kernel->refuse_extents ? each.kernel->refuse_extents(p, caps) : "";
    if (why_not.empty() && each.unworthy) why_not = each.unworthy(p);
    if (why_not.empty()) {
      choice.kernel = each.kernel;
      choice.told.family = each.kernel->name;
      choice.told.reason = each.why;
      choice.told.tile = each.kernel->tile(p, caps);
      break;
    }
    choice.told.others.push_back({std::string(each.kernel->name), why_not});
    choice.first_program += each.kernel->program_count(p, caps);
  }
  if (!choice.kernel) fail(DBK_INTERNAL, "no kernel takes a product of {} x {} x {}", p.m, p.n, p.k);
  const ProductKernel* wanted = forced(caps);
  for (const Choice::Other& other : choice.told.others)
    if (wanted && wanted != choice.kernel && other.family == wanted->name)
      choice.told.reason += std::format("; option matmul_family={} cannot: {}", wanted->name, other.why_not);
  return choice;
}

std::vector<Panel> matmul_storage(const Product& p, const Capabilities& caps) {
  const std::vector<Preference> list = possible(p, caps);
  return list.empty() || !list[0].kernel->store ? std::vector<Panel>{} : list[0].kernel->store(p, caps);
}

std::string refuse_controls(const Capabilities& caps) {
  if (caps.controls.matmul_family == "line" && !line_possible(caps))
    return "option matmul_family=line wants a CPU adapter with vectors of 8 and without bounds checks (option validation)";
  if (caps.controls.matmul_family == "coop" && (!caps.subgroups || caps.matrices.empty()))
    return "option matmul_family=coop wants matrices of subgroups, which the adapter does not have";
  return {};
}

}  // namespace dbk::gpu

#include "plugin/gpu/families/matmul_choice.h"

#include <algorithm>

#include "plugin/gpu/families/line.h"
#include "plugin/gpu/families/line_turn.h"
#include "plugin/gpu/families/split_k.h"
#include "plugin/gpu/families/tuned_products.h"

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

// Packing A alone takes longer than such products, whoever asks for f16.
std::string narrow_for_matrices(const Product& p) {
  constexpr int64_t kLeastColumns = 5, kLeastDepth = 8;
  if (p.n < kLeastColumns) return std::format("n = {} leaves most of a matrix empty", p.n);
  return p.k < kLeastDepth ? std::format("k = {} leaves most of a matrix empty", p.k) : "";
}

// `gemv` takes few rows, also of a weight that is stored for matrices.
std::string small_for_matrices(const Product& p) {
  constexpr int64_t kLeast = 9;
  return p.m < kLeast ? std::format("{} {} most of a matrix empty", p.m, p.m == 1 ? "row leaves" : "rows leave") : narrow_for_matrices(p);
}

// Milliseconds on llvmpipe with a transposed B of 512 x 512, `line` and `lane`: 8 rows 0.69 and 0.68, 16 rows 0.81 and 1.1.
std::string little_to_turn_b_for(const Product& p) {
  constexpr int64_t kLeast = 16 * 512;
  return p.elements() < kLeast && turns_b(p) ? std::format("B would be turned for {} sums", p.elements()) : "";
}

// Measured on llvmpipe, 2 cores (GFLOP/s for 512^3): `line` 50 to 87, `lane` 25, `tile` 13, `coop` 9: barriers and gathers are dear there.
constexpr Preference kOnCpuAdapters[] = {
    {&kLineKernel, "vector loads, the fastest on CPU adapters", little_to_turn_b_for},
    {&kLaneKernel, "no barriers, which are dear on CPU adapters", nullptr},
};

// As other runtimes have it for GPUs: products of few rows read B once and share sums, large ones reuse tiles from workgroup memory.
constexpr Preference kOnGpus[] = {
    {&kCoopKernel, "matrices of subgroups; rows and columns are scaled, so that operands in f16 move a sum by at most 2^-10 of their norms", small_for_matrices},
    {&kGemvKernel, "few rows: the time is that of reading B", nullptr},
    {&kTileKernel, "operands are reused from workgroup memory", small_for_tiles},
    {&kLaneKernel, "takes every shape", nullptr},
};

constexpr const ProductKernel* kAll[] = {&kLaneKernel, &kLineKernel, &kTileKernel, &kGemvKernel, &kCoopKernel};

std::span<const Preference> preferences(const Capabilities& caps) {
  return caps.cpu_adapter ? std::span<const Preference>(kOnCpuAdapters) : std::span<const Preference>(kOnGpus);
}

const ProductKernel* find_kernel(std::string_view name) {
  const auto found = std::ranges::find(kAll, name, &ProductKernel::name);
  return found == std::end(kAll) ? nullptr : *found;
}

const ProductKernel* owner_of(const Product& p) { return in_blocks(p) ? &kLineKernel : as_operand(p) ? &kCoopKernel : nullptr; }

// Whoever stores B in its own way is the only one to read it, but for what reads operands.
std::string refuse_ever(const ProductKernel& kernel, const Product& p, const Capabilities& caps) {
  const ProductKernel* owner = owner_of(p);
  const bool reads = !owner || owner == &kernel || (owner == &kCoopKernel && kernel.reads_operands);
  if (!reads) return std::format("the weight B is stored for {0}; option matmul_family={1} stores it for {1}", owner->name, kernel.name);
  return kernel.refuse(p, caps);
}

// Whether the host asks for operands in f16, and `coop` rounds them for it: kernels that compute in f32 are then for extents alone that `coop`
// does not take, whatever rules and times say of the others. Software adapters compute in f32 all the same.
bool rounds_on_request(const Product& p, const Capabilities& caps) {
  const bool asked = p.dtype == DBK_F32 && (p.precision == Precision::F16F32Acc || p.precision == Precision::F16);
  return asked && !caps.cpu_adapter && refuse_ever(kCoopKernel, p, caps).empty() && rounding_form(p, caps) != OperandForm::None;
}

// Whether a kernel computes with operands that were rounded: `coop`, and who reads what it stores.
bool rounds(const ProductCandidate& candidate, const Product& p, const Capabilities& caps) {
  Product stored = p;
  stored.panels = candidate.store(p, caps);
  return candidate.kernel == &kCoopKernel || as_operand(stored);
}

// A candidate, why it stands where it stands, and whether another may be better: for its shape, or, where a rule offers it, without cutting k.
struct Offer {
  ProductCandidate candidate;
  std::string why;
  std::string (*unworthy)(const Product&) = nullptr;
  bool split_by_rule = false;

  bool takes_all_extents() const { return candidate.takes_all_extents() && !unworthy; }
  std::string why_not(const Product& p, const Capabilities& caps) const {
    std::string why = candidate.refuse_extents(p, caps);
    if (why.empty() && unworthy) why = unworthy(p);
    return why.empty() && split_by_rule ? needless_split(p, *candidate.kernel, candidate.variant, caps) : why;
  }
};
enum class For : uint8_t { TheseExtents, AllExtents };

std::optional<ProductCandidate> find_candidate(std::string_view family, std::string_view variant, const Product& p, const Capabilities& caps) {
  const ProductKernel* kernel = find_kernel(family);
  return kernel && refuse_ever(*kernel, p, caps).empty() ? candidate_named(*kernel, variant, p, caps) : std::nullopt;
}

// What the rules of a family say: its usual variant with k in parts, where that may help, before those that take all of k.
void add_by_rule(const Preference& from, const Product& p, const Capabilities& caps, For which, std::vector<Offer>& offers) {
  const ProductKernel& kernel = *from.kernel;
  const std::vector<uint32_t> usual = kernel.usual(p, caps);
  const auto add = [&](uint32_t variant, bool split) {
    std::string why(from.why);
    if (split) why += is_long_sum(p) ? "; k is cut, as one sum of so many steps loses digits" : "; k is cut, as C has few tiles and k is long";
    offers.push_back({{&kernel, variant, split}, std::move(why), from.unworthy, split});
  };
  if (may_split(p, kernel, caps)) add(usual[0], true);
  for (const uint32_t variant : which == For::AllExtents ? usual : std::vector<uint32_t>{kernel.preferred(p, caps)}) add(variant, false);
}

std::vector<Offer> forced_offers(const Product& p, const Capabilities& caps, For which) {
  const Controls& controls = caps.controls;
  const ProductKernel* kernel = find_kernel(controls.matmul_family);
  if (!kernel || !refuse_ever(*kernel, p, caps).empty()) return {};
  std::vector<Offer> offers;
  if (controls.matmul_variant.empty())
    add_by_rule({kernel, "option matmul_family", nullptr}, p, caps, which, offers);
  else if (const auto found = find_candidate(kernel->name, controls.matmul_variant, p, caps))
    offers.push_back({*found, "options matmul_family and matmul_variant"});
  return offers;
}

std::string time_text(double microseconds) {
  return microseconds >= 1e3 ? std::format("{:.1f} ms", microseconds / 1e3) : std::format("{:.{}f} us", microseconds, microseconds < 10 ? 1 : 0);
}

// Times are of one product, and hold for those of about as many rows.
std::string rows_text(int64_t most) { return most <= 2 ? "" : std::format(" with {} to {} rows", most / 2 + 1, most); }

// "measured 2.1 ms with 65 to 128 rows; lane 6x16 4.0 ms, tile 64x64x16 9.4 ms"
std::string measured_text(const TunedProduct& product, const TunedProduct::Time& taken, int64_t most_rows) {
  std::string text = "measured " + time_text(taken.microseconds) + rows_text(most_rows);
  std::string_view between = "; ";
  for (const TunedProduct::Time& other : product.times)
    if (&other != &taken) text += std::format("{}{} {} {}", std::exchange(between, ", "), other.family, other.variant, time_text(other.microseconds));
  return product.tried == Tried::Part ? text + "; the time for measuring ended before others" : text;
}

// What was measured for such a product, or for any rows of its weight; null: nothing.
std::vector<const TunedProduct*> tuned_products(const Product& p, const Capabilities& caps, For which) {
  if (!caps.tuned) return {};
  if (which == For::AllExtents) return caps.tuned->of_weight(product_key(p, caps));
  const TunedProduct* found = caps.tuned->find(product_key(p, caps));
  return found ? std::vector{found} : std::vector<const TunedProduct*>{};
}

std::vector<Offer> measured_offers(const Product& p, const Capabilities& caps, For which) {
  const bool on_request = rounds_on_request(p, caps);
  std::vector<Offer> offers;
  for (const TunedProduct* product : tuned_products(p, caps, which)) {
    bool settled = false;  // by one that takes all extents
    for (const TunedProduct::Time& time : product->times) {
      const auto found = find_candidate(time.family, time.variant, p, caps);
      const bool requested = found && on_request && rounds(*found, p, caps);
      if (!found || (settled && !requested)) continue;
      offers.push_back({*found, measured_text(*product, time, product_key(p, caps).m)});
      if (requested) offers.back().why += std::format("; option precision={} leaves out those of f32", name_of(p.precision));
      settled = settled || offers.back().takes_all_extents();
    }
  }
  return offers;
}

// Where options or times, not rules, decided how B is stored, nobody on the rules' list may read it for all rows, and its owner is left.
std::vector<Offer> usual_offers(const Product& p, const Capabilities& caps, For which) {
  std::vector<Offer> offers;
  for (Preference next : preferences(caps)) {
    if (!refuse_ever(*next.kernel, p, caps).empty()) continue;
    if (next.kernel == &kCoopKernel && !as_operand(p)) {
      if (p.b_fixed && !narrow_for_matrices(p).empty()) continue;  // with any rows
      if (rounds_on_request(p, caps)) next.unworthy = narrow_for_matrices;  // few rows are rounded, too: gemv reads what is stored
    }
    add_by_rule(next, p, caps, which, offers);
    if (offers.back().takes_all_extents()) break;
  }
  const ProductKernel* owner = owner_of(p);
  const bool all_extents_are_taken = !offers.empty() && offers.back().takes_all_extents();
  if (owner && !all_extents_are_taken && refuse_ever(*owner, p, caps).empty()) add_by_rule({owner, "B is stored for it", nullptr}, p, caps, which, offers);
  return offers;
}

// In the order of preference. None behind what the host forces and takes all extents.
std::vector<Offer> offers_for(const Product& p, const Capabilities& caps, For which) {
  std::vector<Offer> offers = forced_offers(p, caps, which);
  if (!offers.empty() && offers.back().takes_all_extents()) return offers;
  const auto forced = static_cast<std::ptrdiff_t>(offers.size());
  for (Offer& offer : measured_offers(p, caps, which)) offers.push_back(std::move(offer));
  for (Offer& offer : usual_offers(p, caps, which)) offers.push_back(std::move(offer));
  if (rounds_on_request(p, caps)) std::stable_partition(offers.begin() + forced, offers.end(), [&](const Offer& o) { return rounds(o.candidate, p, caps); });
  return offers;
}

const Offer* first_able(const std::vector<Offer>& offers, const Product& p, const Capabilities& caps) {
  const auto able = [&](const Offer& offer) { return offer.why_not(p, caps).empty(); };
  const auto found = std::ranges::find_if(offers, able);
  return found == offers.end() ? nullptr : &*found;
}

std::string name_of(const ProductCandidate& c, const Product& p, const Capabilities& caps) {
  return std::format("{} {}", c.kernel->name, c.name(p, caps));
}

// What the host forces and does not get. A weight is stored for somebody else only where the one that is forced has refused it before.
std::string told_of_forced(Product p, const Capabilities& caps, const ProductCandidate& taken) {
  const Controls& controls = caps.controls;
  const ProductKernel* wanted = find_kernel(controls.matmul_family);
  if (!wanted) return {};
  const ProductKernel* owner = owner_of(p);
  const std::string stored = owner && owner != wanted ? std::format(", so the weight B is stored for {}", owner->name) : "";
  if (!stored.empty()) p.panels.clear();
  std::string why = wanted->refuse(p, caps);
  const auto forced = find_candidate(wanted->name, controls.matmul_variant, p, caps);
  if (why.empty()) why = forced ? forced->refuse_extents(p, caps) : wanted->refuse_extents ? wanted->refuse_extents(p, caps) : "";
  if (why.empty() && wanted != taken.kernel) why = std::format("it has no variant {} for this product", controls.matmul_variant);
  return why.empty() ? "" : std::format("; option matmul_family={} cannot: {}{}", wanted->name, why, stored);
}

Choice told_of(const Offer& offer, const std::vector<Offer>& offers, const Product& p, const Capabilities& caps) {
  const ProductCandidate& taken = offer.candidate;
  Choice told{std::string(taken.kernel->name), taken.tile(p, caps), offer.why + told_of_forced(p, caps, taken), {}, {}, {}, {}};
  told.variant = taken.name(p, caps);
  for (const Preference& each : preferences(caps))
    if (std::string why = refuse_ever(*each.kernel, p, caps); !why.empty()) told.others.push_back({std::string(each.kernel->name), why});
  for (const Offer& before : offers) {
    if (&before == &offer) break;
    const std::string family(before.candidate.kernel->name);
    told.others.push_back({before.candidate.split ? name_of(before.candidate, p, caps) : family, before.why_not(p, caps)});
  }
  const std::vector<Offer> usual = usual_offers(p, caps, For::TheseExtents);
  if (const Offer* heuristic = first_able(usual, p, caps)) told.heuristic = name_of(heuristic->candidate, p, caps);
  for (const TunedProduct* product : tuned_products(p, caps, For::TheseExtents)) {
    told.tried = product->tried;
    for (const TunedProduct::Time& time : product->times) told.measured.push_back({time.family + " " + time.variant, time.microseconds});
  }
  return told;
}

ProductCandidate taken_for(const Product& p, const Capabilities& caps, Choice* told = nullptr) {
  const std::vector<Offer> offers = offers_for(p, caps, For::TheseExtents);
  const Offer* offer = first_able(offers, p, caps);
  if (!offer) fail(DBK_INTERNAL, "no kernel takes a product of {} x {} x {}", p.m, p.n, p.k);
  if (told) *told = told_of(*offer, offers, p, caps);
  return offer->candidate;
}

// Whether a kernel that was measured can be had with B stored in that way. All read operands in the same order, whoever's tiles they are for.
bool reads(const TunedProduct::Time& time, const std::vector<Panel>& way, const Product& p, const Capabilities& caps) {
  const auto found = find_candidate(time.family, time.variant, p, caps);
  if (!found || found->store(p, caps) == way) return found.has_value();
  Product stored = p;
  stored.panels = way;
  return as_operand(stored) && find_candidate(time.family, time.variant, stored, caps);
}

// The best time with B stored in that way; where nothing was measured so, the worst of all.
double time_with(const TunedProduct& product, const std::vector<Panel>& way, const Product& p, const Capabilities& caps) {
  const auto best = std::ranges::find_if(product.times, [&](const TunedProduct::Time& time) { return reads(time, way, p, caps); });
  return best == product.times.end() ? product.times.back().microseconds : best->microseconds;
}

// A weight is stored once for all rows that runs may have: in the way that is slower than the best by the least, on average over what
// was measured. Null where nothing was.
std::optional<std::vector<Panel>> measured_storage(const Product& p, const Capabilities& caps) {
  const bool on_request = rounds_on_request(p, caps);
  const std::vector<const TunedProduct*> products = tuned_products(p, caps, For::AllExtents);
  std::map<std::vector<Panel>, double> slowness;
  for (const TunedProduct* product : products)
    for (const TunedProduct::Time& time : product->times) {
      const auto found = find_candidate(time.family, time.variant, p, caps);
      if (found && (!on_request || rounds(*found, p, caps))) slowness[found->store(p, caps)] = 0;
    }
  for (auto& [way, sum] : slowness)
    for (const TunedProduct* product : products) sum += time_with(*product, way, p, caps) / std::max(product->times.front().microseconds, 1e-3);
  const auto best = std::ranges::min_element(slowness, {}, [](const auto& entry) { return entry.second; });
  return best == slowness.end() ? std::nullopt : std::optional(best->first);
}

}  // namespace

std::vector<ProductCandidate> matmul_candidates(const Product& p, const Capabilities& caps) {
  if (p.fixed) return {taken_for(p, caps)};
  std::vector<ProductCandidate> candidates;
  for (const Offer& offer : offers_for(p, caps, For::AllExtents))
    if (std::ranges::find(candidates, offer.candidate) == candidates.end()) candidates.push_back(offer.candidate);
  return candidates;
}

MatmulChoice choose_matmul(const Product& p, const Capabilities& caps) {
  MatmulChoice choice{};
  choice.taken = taken_for(p, caps, &choice.told);
  for (const ProductCandidate& before : matmul_candidates(p, caps)) {
    if (before == choice.taken) break;
    choice.first_program += before.program_count(p, caps);
  }
  return choice;
}

std::vector<Panel> matmul_storage(const Product& p, const Capabilities& caps) {
  if (p.fixed) return taken_for(p, caps).store(p, caps);
  const std::vector<Offer> forced = forced_offers(p, caps, For::AllExtents);
  if (!forced.empty()) return forced[0].candidate.store(p, caps);
  if (const auto measured = measured_storage(p, caps)) return *measured;
  const std::vector<Offer> usual = usual_offers(p, caps, For::AllExtents);
  return usual.empty() ? std::vector<Panel>{} : usual[0].candidate.store(p, caps);
}

bool rounds_products(const Capabilities& caps) {
  constexpr int64_t kExtent = 512;  // for which nothing is too small
  Product p{DBK_F32, kExtent, kExtent, kExtent, false, false, kExtent, 1, kExtent, 1, {{}, {dbk::Shape{}, dbk::Shape{}}}};
  p.precision = Precision::F16F32Acc;
  return rounds_on_request(p, caps);
}

FamilyOrder matmul_families(const Capabilities& caps) {
  FamilyOrder order;
  for (const Preference& preference : preferences(caps)) order.usual.push_back(preference.kernel);
  for (const ProductKernel* kernel : kAll)
    if (std::ranges::find(order.usual, kernel) == order.usual.end()) order.others.push_back(kernel);
  return order;
}

namespace {

// All that a family calls variants, of products that bring them out.
std::vector<std::string> known_variants(const ProductKernel& kernel, const Capabilities& caps) {
  std::vector<std::string> names;
  for (const bool trans_b : {false, true})
    for (const DType dtype : {DBK_F32, DBK_F16}) {
      constexpr int64_t kExtent = 3072;  // of k whole parts of each length that `line` has
      Product p{dtype, kExtent, kExtent, kExtent, false, trans_b, kExtent, 1, kExtent, 1, {{}, {dbk::Shape{}, dbk::Shape{}}}};
      p.b_fixed = p.b_matrix = true;
      if (!kernel.refuse(p, caps).empty()) continue;
      for (const ProductCandidate& candidate : candidates_of(kernel, p, caps))
        if (std::string name = candidate.name(p, caps); std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  if (kernel.group_tile) names.emplace_back("split");
  return names;
}

}  // namespace

std::string refuse_controls(const Capabilities& caps, const std::function<std::string(const char*)>& told) {
  const Controls& controls = caps.controls;
  const std::string family = told("matmul_family");
  if (controls.matmul_family == "line" && !line_possible(caps)) return family + " wants a CPU adapter with vectors of 8";
  if (controls.matmul_family == "coop" && (!caps.subgroups || caps.matrices.empty()))
    return family + " wants matrices of subgroups, which the adapter does not have";
  const auto allowed = [&](const MatrixConfig& c) { return controls.coop_takes(c.component); };
  if (controls.matmul_family == "coop" && std::ranges::none_of(caps.matrices, allowed))
    return std::format("{} contradicts {}: the adapter has no such matrices of subgroups", family, told("coop"));
  if (controls.matmul_variant.empty()) return {};
  const ProductKernel& kernel = *find_kernel(controls.matmul_family);
  std::string known;
  for (const std::string& name : known_variants(kernel, caps)) {
    if (name == controls.matmul_variant) return {};
    known += (known.empty() ? "" : ", ") + name;
  }
  return std::format("{} is none of {}: {}", told("matmul_variant"), family, known);
}

}  // namespace dbk::gpu

#include "plugin/gpu/families/product_candidate.h"

#include <algorithm>

#include "plugin/gpu/families/split_k.h"

namespace dbk::gpu {

std::string ProductCandidate::name(const Product& p, const Capabilities& caps) const {
  return kernel->variants(p, caps)[variant] + (split ? "-split" : "");
}

std::string ProductCandidate::refuse_extents(const Product& p, const Capabilities& caps) const {
  std::string why = kernel->refuse_extents ? kernel->refuse_extents(p, caps) : "";
  return why.empty() && split ? refuse_split(p, caps) : why;
}

uint32_t ProductCandidate::program_count(const Product& p, const Capabilities& caps) const {
  return kernel->program_count(p, caps, variant) + (split ? 1 : 0);
}

void ProductCandidate::programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) const {
  if (!split) return kernel->programs(p, caps, variant, out);
  kernel->programs(in_parts(p, *kernel, variant, caps), caps, variant, out);
  out.push_back(sum_program(p));
}

void ProductCandidate::launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) const {
  if (!split) return kernel->launch(p, caps, variant, out);
  const Product parts = in_parts(p, *kernel, variant, caps);
  kernel->launch(parts, caps, variant, out);
  out.push_back(sum_dispatch(p, parts, kernel->program_count(p, caps, variant), caps));
}

std::string ProductCandidate::tile(const Product& p, const Capabilities& caps) const {
  std::string text = kernel->tile(p, caps, variant);
  if (!split) return text;
  const DepthCut cut = in_parts(p, *kernel, variant, caps).cut;
  return text + std::format(", k in {} parts of {}", cut.parts, cut.steps);
}

std::vector<Panel> ProductCandidate::store(const Product& p, const Capabilities& caps) const {
  return kernel->store ? kernel->store(p, caps, variant) : std::vector<Panel>{};
}

std::vector<ProductCandidate> candidates_of(const ProductKernel& kernel, const Product& p, const Capabilities& caps) {
  std::vector<ProductCandidate> list;
  const uint32_t count = static_cast<uint32_t>(kernel.variants(p, caps).size());
  for (const bool split : {false, true})
    for (uint32_t variant = 0; variant < count && (!split || kernel.group_tile); ++variant) list.push_back({&kernel, variant, split});
  return list;
}

std::optional<ProductCandidate> candidate_named(const ProductKernel& kernel, std::string_view name, const Product& p, const Capabilities& caps) {
  if (name == "split" && kernel.group_tile) return ProductCandidate{&kernel, kernel.usual(p, caps)[0], true};
  const std::vector<ProductCandidate> list = candidates_of(kernel, p, caps);
  const auto found = std::ranges::find_if(list, [&](const ProductCandidate& c) { return c.name(p, caps) == name; });
  return found == list.end() ? std::nullopt : std::optional(*found);
}

}  // namespace dbk::gpu

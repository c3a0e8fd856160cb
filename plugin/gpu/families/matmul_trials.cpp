#include "plugin/gpu/families/matmul_trials.h"

#include <algorithm>

#include "plugin/gpu/families/matmul_choice.h"
#include "plugin/gpu/families/split_k.h"

namespace dbk::gpu {

namespace {

class Trials {
 public:
  Trials(const Product& product, const Capabilities& caps) : p_(product), caps_(caps) {
    if (p_.b_fixed) p_.panels.clear();  // each may store it in its own way
    caps_.controls.matmul_family = "auto", caps_.controls.matmul_variant.clear();
    caps_.tuned = nullptr;
  }

  std::vector<KernelName> run() {
    const ProductCandidate usual = choose_matmul(p_, caps_).taken;
    add(usual);
    add_as_stored_for_all_rows();
    const FamilyOrder order = matmul_families(caps_);
    add_all(order.usual);
    add_all(order.others);
    return std::move(names_);
  }

 private:
  bool able(const ProductKernel& kernel) const {
    return kernel.refuse(p_, caps_).empty() && (!kernel.refuse_extents || kernel.refuse_extents(p_, caps_).empty());
  }

  void add(const ProductCandidate& candidate) { add({std::string(candidate.kernel->name), candidate.name(p_, caps_)}); }
  void add(const KernelName& name) {
    if (std::ranges::find(names_, name) == names_.end()) names_.push_back(name);
  }

  // What few rows get in an executable that stores the weight for many: the time of that tells how it is best stored.
  void add_as_stored_for_all_rows() {
    if (!p_.b_fixed) return;
    Product p = p_;
    p.fixed = false, p.panels = matmul_storage(p, caps_);
    if (p.panels.empty()) return;
    const ProductCandidate taken = choose_matmul(p, caps_).taken;
    add({std::string(taken.kernel->name), taken.name(p, caps_)});
  }

  // As it is, and with k in parts where that may help.
  void add_both(const ProductKernel& kernel, uint32_t variant) {
    if (variant >= kernel.variants(p_, caps_).size()) return;
    more_ = true;
    add({&kernel, variant});
    const bool split = kernel.group_tile && refuse_split(p_, caps_).empty() && needless_split(p_, kernel, variant, caps_).empty();
    if (split) add({&kernel, variant, true});
  }

  void add_all(std::vector<const ProductKernel*> kernels) {
    std::erase_if(kernels, [&](const ProductKernel* kernel) { return !able(*kernel); });
    for (const ProductKernel* kernel : kernels) add_both(*kernel, kernel->preferred(p_, caps_));
    more_ = true;
    for (uint32_t variant = 0; std::exchange(more_, false); ++variant)
      for (const ProductKernel* kernel : kernels) add_both(*kernel, variant);
  }

  Product p_;
  Capabilities caps_;
  std::vector<KernelName> names_;
  bool more_ = false;
};

}  // namespace

std::vector<KernelName> matmul_trials(const Product& product, const Capabilities& caps) { return Trials(product, caps).run(); }

}  // namespace dbk::gpu

#include "plugin/gpu/families/product.h"

#include "plugin/gpu/families/column_panels.h"
#include "plugin/gpu/families/matmul_choice.h"
#include "plugin/gpu/families/matmul_trials.h"
#include "plugin/gpu/families/pack.h"
#include "plugin/gpu/families/program_text.h"
#include "plugin/gpu/families/told_precision.h"
#include "plugin/gpu/families/tuned_products.h"

namespace dbk::gpu {

namespace {

bool of_integers(const Product& p) { return contains(INTS, p.dtype); }
bool is_empty(const Product& p) { return p.m == 0 || p.n == 0 || p.batch.extent.count() == 0; }

Program integer_program(const Product& p) {
  ProgramText text;
  text.arithmetic(p.dtype).file("matmul/product").file("matmul/integers").file(p.has_d ? "matmul/addend" : "matmul/addend_none");
  return {std::format("matmul/{}{}", to_string(p.dtype), p.has_d ? "/d" : ""), text, p.has_d ? 3u : 2u, 1};
}

void launch_integers(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  for (uint32_t panel = 0; panel < p.panels.size(); ++panel) {
    const ProductParams params = params_of(p, p.panels[panel], 1, 1);
    out.push_back({0, arguments_of(p, panel, true), grid_of(ceil_div(params.tiles, kGroupSize), caps), to_params(params)});
  }
}

// With which an adapter's matrices take operands so.
Precision precision_for(OperandForm form) {
  if (form == OperandForm::F16Sums) return Precision::F16;
  return form == OperandForm::F16 ? Precision::F16F32Acc : Precision::F32;
}

}  // namespace

std::vector<Panel> product_panels(const Product& p, const TensorType& b, const Capabilities& caps) {
  if (p.b_fixed && !of_integers(p))
    if (std::vector<Panel> stored = matmul_storage(p, caps); !stored.empty()) return stored;
  if (refuse_size(b, caps).empty()) return {{0, p.n}};
  if (!p.b_fixed || b.shape.rank() < 2) return {};
  if (!p.trans_b) return column_panels(b, caps);
  return p.b_matrix ? row_panels(b, caps) : std::vector<Panel>{};
}

std::vector<Panel> panels_of_input(const Product& p, const TensorType& b) {
  const bool as_it_is = p.panels.empty() || (p.panels.size() == 1 && p.panels[0].block == 0);
  return as_it_is ? std::vector<Panel>{whole(b)} : p.panels;
}

std::string refuse_product(const TypedNode& node, const Product& p, const Capabilities& caps) {
  if (std::string reason = refuse_dtype(node, 0); !reason.empty()) return reason;
  if (node.inputs[1].dtype != node.inputs[0].dtype) return "operands of different types have no kernel";
  if (std::string reason = refuse_operands(node, caps, /*except=*/1); !reason.empty()) return reason;
  if (of_integers(p) && (p.alpha != 1 || p.beta != 1)) return "integers that are scaled have no kernel";  // it takes double
  if (p.panels.empty()) return refuse_size(node.inputs[1], caps);
  if (std::string reason = refuse_epilogue(node, p.epilogue, caps); !reason.empty()) return reason;
  if (std::string reason = as_operand(p) ? kCoopKernel.refuse_extents(p, caps) : ""; !reason.empty()) return reason;  // nobody else reads B for many rows
  if (p.batch.extent.rank() > kBatchDims)
    return std::format("{} batch dimensions remain after merging, and kernels walk {}", p.batch.extent.rank(),
                       kBatchDims);
  return {};
}

void product_programs(const Product& p, const Capabilities& caps, std::vector<Program>& out) {
  if (of_integers(p)) return out.push_back(integer_program(p));
  for (const ProductCandidate& c : matmul_candidates(p, caps)) c.programs(p, caps, out);
}

void product_launch(const Product& p, const Capabilities& caps, std::vector<Dispatch>& out) {
  if (is_empty(p)) return;
  if (of_integers(p)) return launch_integers(p, caps, out);
  const MatmulChoice choice = choose_matmul(p, caps);
  const size_t first = out.size();
  choice.taken.launch(p, caps, out);
  for (size_t i = first; i < out.size(); ++i) out[i].program += choice.first_program;
}

std::optional<Rounding> product_rounding(const TypedNode& node, const Product& p, const Capabilities& caps) {
  if (of_integers(p) || caps.controls.precision_threshold == 0 || !b_is_weight(node)) return {};
  const OperandForm form = rounding_form(p, caps);
  const std::vector<ProductCandidate> candidates = matmul_candidates(p, caps);
  const bool rounds = as_operand(p) || std::ranges::find(candidates, &kCoopKernel, &ProductCandidate::kernel) != candidates.end();
  if (form == OperandForm::None || !rounds) return {};
  const int64_t elements = std::max<int64_t>(p.n * p.k, 1);
  return Rounding{1, p.dtype, node.inputs[1].count() / elements, p.n, p.k, p.b_column, p.b_k, form == OperandForm::F16Sums};
}

Choice product_choice(const TypedNode& node, const Product& p, const Capabilities& caps) {
  if (of_integers(p)) return {"integers", "1x1", "the only one for integers" + told_of_panels(p.panels), {}, "1x1", {}, {}};
  if (is_empty(p)) return {"none", "", "the result is empty", {}, {}, {}, {}};
  Choice choice = choose_matmul(p, caps).told;
  choice.reason += told_of_panels(p.panels);
  if (const std::string precision = told_of_precision(node, p, choice, caps); !precision.empty()) choice.reason += "; " + precision;
  return choice;
}

KernelTrials product_trials(const Product& p, const Capabilities& caps) {
  KernelTrials trials;
  if (of_integers(p) || is_empty(p)) return trials;
  const ProductKey key = product_key(p, caps);
  trials.about = key.text(), trials.precision = precision_for(key.coop);
  if (caps.controls.matmul_family == "auto")
    for (const KernelName& name : matmul_trials(p, caps)) {
      trials.kernels.push_back(name.text());
      if (trials.reference.empty() && name.family == kLaneKernel.name) trials.reference = name.text();  // takes every product, without barriers
    }
  const double dispatches = std::max(static_cast<double>(p.k) / 4096, 1.0);  // `line` takes many for long sums: fewer copies at a time
  trials.operations = dispatches * 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) * static_cast<double>(p.batch.extent.count());
  const TunedProduct* tuned = caps.tuned ? caps.tuned->find(key) : nullptr;
  if (tuned) trials.tried = tuned->tried;
  return trials;
}

}  // namespace dbk::gpu
